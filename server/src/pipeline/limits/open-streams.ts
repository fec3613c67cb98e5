import { refuse } from "../../kernel/errors.ts";
import { rateLimited } from "../../kernel/problems.ts";

/** Streams that one caller may read at the same time in one process: more is a client that forgets to close them, and takes the place of others. */
const usualMost = 100;
/** Seconds after which a caller who was refused may find one of its streams ended. */
const retryAfter = "5";

/** The streams of this process by their callers. */
export interface OpenStreams {
  /** Refuses with `rate_limited` a caller who reads as many streams as it may. */
  admit(caller: string): void;
  /** What `pieces` yields; a stream of that caller from the first piece that is asked for until the last one, or until its reader leaves. */
  count<T>(caller: string, pieces: AsyncIterable<T>): AsyncIterable<T>;
}

/** Streams of everybody, so many (100 unless told) of each caller. */
export function createOpenStreams(most = usualMost): OpenStreams {
  const open = new Map<string, number>();
  return {
    admit(caller) {
      if ((open.get(caller) ?? 0) < most) return;
      throw refuse(
        rateLimited,
        `This key or session reads ${most} streams of this process already; end one of them, or try again in ${retryAfter} s.`,
        {
          headers: { "Retry-After": retryAfter },
        },
      );
    },
    async *count(caller, pieces) {
      open.set(caller, (open.get(caller) ?? 0) + 1);
      try {
        yield* pieces;
      } finally {
        const left = (open.get(caller) ?? 1) - 1;
        if (left > 0) open.set(caller, left);
        else open.delete(caller);
      }
    },
  };
}
