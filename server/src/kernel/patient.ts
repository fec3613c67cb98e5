import { setTimeout as delay } from "node:timers/promises";
import { refusalOf } from "./errors.ts";
import type { RunInside } from "./machines.ts";
import { overloaded } from "./problems.ts";

/** How long a call is tried again while this process cannot decide, such as after a stall; nothing has happened then. Milliseconds. */
const patience = { pause: 250, tries: 40 };

/** The same entry for machines that would lose minutes of work over a second in which the process could not decide. */
export function patient(inside: RunInside): RunInside {
  return async (operation, scope, input) => {
    for (let tried = 1; ; tried++) {
      try {
        return await inside(operation, scope, input);
      } catch (error) {
        const passing = refusalOf(error)?.type.code === overloaded.code;
        if (!passing || tried === patience.tries) throw error;
        await delay(patience.pause);
      }
    }
  };
}
