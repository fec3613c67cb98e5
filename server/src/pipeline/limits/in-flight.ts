import { refuse } from "../../kernel/errors.ts";
import { createPlaces } from "../../kernel/places.ts";
import { rateLimited } from "../../kernel/problems.ts";

/** Calls of one key or session that are worked on at the same time in one process, by default: enough for a busy client, and others still find room. */
export const usualInFlight = 64;
/** Bytes of the bodies of such calls: eight of the largest. */
const mostBytes = 8 * 1024 * 1024;
/** Seconds after which one of the calls has surely ended. */
const retryAfter = "1";

/** The calls of this process that are worked on, by their callers. */
export interface InFlight {
  /** Takes a place for a call with a body of so many bytes, and answers how to give it back, once. Refuses with `rate_limited` a caller who has too many. */
  take(caller: string, bytes: number): () => void;
}

/** No bound, for load tests. */
export const unboundedInFlight: InFlight = { take: () => () => undefined };

/** So many calls of each caller, with so many bytes together. */
export function createInFlight(calls = usualInFlight, bytes = mostBytes): InFlight {
  const places = createPlaces(calls);
  const held = new Map<string, number>();
  const giveBack = (caller: string, size: number): void => {
    const left = (held.get(caller) ?? 0) - size;
    if (left > 0) held.set(caller, left);
    else held.delete(caller);
  };
  return {
    take(caller, size) {
      const already = held.get(caller) ?? 0;
      // One call is always let in, however large its body may be.
      if (size > 0 && already > 0 && already + size > bytes)
        throw tooMany(`bodies of ${already} bytes`, `${bytes} bytes`, { in_flight_bytes_limit: bytes });
      const leave = places.take(caller);
      if (leave === null) throw tooMany(`${calls} calls`, String(calls), { in_flight_limit: calls });
      if (size === 0) return leave;
      held.set(caller, already + size);
      let here = true;
      return () => {
        leave();
        if (here) giveBack(caller, size);
        here = false;
      };
    },
  };
}

const tooMany = (has: string, limit: string, members: Record<string, number>): Error =>
  refuse(
    rateLimited,
    `This key or session has ${has} in flight, and the limit is ${limit}; wait for answers before sending more, or try again in ${retryAfter} s.`,
    { headers: { "Retry-After": retryAfter }, members },
  );
