import { setTimeout as delay } from "node:timers/promises";
import type { RunInside } from "../../kernel/machines.ts";
import { overloaded } from "../../kernel/problems.ts";
import { is } from "./refused.ts";

/** How long a call is tried again while this process cannot decide, such as after a stall; nothing has happened then. Milliseconds. */
const patience = { pause: 250, tries: 40 };

/** Calls that wait until the process can decide. */
export function patient(inside: RunInside): RunInside {
  return async (operation, scope, input) => {
    for (let tried = 1; ; tried++) {
      try {
        return await inside(operation, scope, input);
      } catch (error) {
        if (!is(error, overloaded) || tried === patience.tries) throw error;
        await delay(patience.pause);
      }
    }
  };
}
