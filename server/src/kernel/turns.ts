import { setImmediate } from "node:timers/promises";

/** Makes a function after which a piece of work may hold up the process for some milliseconds: each has a turn of the event loop of its own, in order. */
export function inTurn(): () => Promise<void> {
  let last: Promise<void> = Promise.resolve();
  return () => {
    last = last.then(() => setImmediate());
    return last;
  };
}
