import { refuse } from "../../kernel/errors.ts";
import { createPlaces } from "../../kernel/places.ts";
import { rateLimited } from "../../kernel/problems.ts";

/** Streams that one caller may read at the same time in one process: more is a client that forgets to close them, and takes the place of others. */
const usualMost = 100;
/** Seconds after which a caller who was refused may find one of its streams ended. */
const retryAfter = "5";

/** The streams of this process by their callers. */
export interface OpenStreams {
  /** Takes a place for a stream of that caller, and answers how to give it back, once. Refuses with `rate_limited` a caller who has as many as it may. */
  take(caller: string): () => void;
}

/** Streams of everybody, so many (100 by default) of each caller. */
export function createOpenStreams(most = usualMost): OpenStreams {
  const places = createPlaces(most);
  return {
    take(caller) {
      const leave = places.take(caller);
      if (leave === null) throw tooMany(most);
      return leave;
    },
  };
}

const tooMany = (most: number): Error =>
  refuse(
    rateLimited,
    `This key or session reads ${most} streams of this process already; end one of them, or try again in ${retryAfter} s.`,
    {
      headers: { "Retry-After": retryAfter },
    },
  );

/** The same pieces; `ended` is called when there are no more, when they fail, and when their reader leaves, even one that never asked for the first. */
export function endingWith<T>(pieces: AsyncIterable<T>, ended: () => void): AsyncIterable<T> {
  return {
    [Symbol.asyncIterator]() {
      const iterator = pieces[Symbol.asyncIterator]();
      return {
        async next() {
          try {
            const result = await iterator.next();
            if (result.done) ended();
            return result;
          } catch (error) {
            ended();
            throw error;
          }
        },
        async return() {
          ended();
          await iterator.return?.();
          return { value: undefined, done: true };
        },
      };
    },
  };
}
