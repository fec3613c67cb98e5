import type { Sweep } from "../../kernel/machines.ts";
import { leaveOf, nextStep } from "./canary-model.ts";
import { listStandings } from "./experiment-store.ts";
import { decideCanary } from "./operations/decide-canary.ts";

/** Looks at canaries when enough of their tasks were judged, and aborts or promotes them by their rule. */
export const canarySweep: Sweep = {
  name: "agents.canary",
  async run({ db, inside, now, facts }) {
    const failures: unknown[] = [];
    for (const canary of await listStandings(db)) {
      if (nextStep(canary, leaveOf({ facts, now }, canary), now) === null) continue;
      const { organization, environment, agent, id: deployment } = canary;
      // One canary that cannot be decided keeps no other waiting.
      await inside(decideCanary, { organization, environment }, { agent, deployment }).catch((error: unknown) =>
        failures.push(error),
      );
    }
    if (failures.length > 0) throw failures[0];
  },
};
