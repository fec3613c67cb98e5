import { refusalOf } from "../../kernel/errors.ts";
import type { Sweep, SweepParts } from "../../kernel/machines.ts";
import type { Scope } from "../../kernel/principal.ts";
import { conflict, notFound } from "../../kernel/problems.ts";
import { fireSchedule } from "./operations/fire-schedule.ts";
import { planSchedules } from "./operations/plan-schedules.ts";
import { refuseSchedule } from "./operations/refuse-schedule.ts";
import { againAt } from "./schedule-model.ts";
import { type DueSchedule, listDueScopes, listReady } from "./schedule-store.ts";

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
    const lane = async (): Promise<void> => {
      for (let one = ready.shift(); one; one = ready.shift()) await fire(parts, one);
    };
    await Promise.all(Array.from({ length: atOnce }, lane));
  },
};

async function fire(
  { inside, now }: SweepParts,
  { organization, environment, ...due }: Scope & DueSchedule,
): Promise<void> {
  const scope = { organization, environment };
  try {
    await inside(fireSchedule, scope, due);
  } catch (error) {
    const refusal = refusalOf(error);
    if (!refusal) throw error;
    const { code } = refusal.type;
    if (code === conflict.code || code === notFound.code) return;
    const again = againAt(refusal.type, due.at.getTime(), now);
    await inside(refuseSchedule, scope, { ...due, failure: { code, detail: refusal.details.detail }, again });
  }
}
