import { inLanes, tryDue } from "../../kernel/due.ts";
import type { Sweep, SweepParts } from "../../kernel/machines.ts";
import type { Scope } from "../../kernel/principal.ts";
import { fireSchedule } from "./operations/fire-schedule.ts";
import { planSchedules } from "./operations/plan-schedules.ts";
import { refuseSchedule } from "./operations/refuse-schedule.ts";
import { retries } from "./rules.ts";
import { type DueSchedule, listDueScopes, listReady } from "./store.ts";

/** Tasks that one look dispatches, and how many at a time. */
const most = 200;
const atOnce = 4;

/** Plans schedules whose time has come, and dispatches the tasks that are due. */
export const scheduleSweep: Sweep = {
  name: "agents.schedules",
  async run(parts) {
    const { db, inside, now } = parts;
    for (const scope of await listDueScopes(db, new Date(now))) await inside(planSchedules, scope, {});
    const ready = await listReady(db, new Date(now), most);
    await inLanes(
      ready.map((one) => [one]),
      atOnce,
      (one) => fire(parts, one),
    );
  },
};

function fire({ inside, now }: SweepParts, { organization, environment, ...due }: Scope & DueSchedule): Promise<void> {
  const scope = { organization, environment };
  const times = { at: due.at.getTime(), now };
  return tryDue(
    () => inside(fireSchedule, scope, due),
    retries,
    times,
    (refused) => inside(refuseSchedule, scope, { ...due, ...refused }),
  );
}
