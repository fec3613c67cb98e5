import type { JobParts, Statements, Sweep } from "../../kernel/machines.ts";
import { type Environment, environments, type Scope } from "../../kernel/principal.ts";
import { passDeadline } from "./operations/pass-deadline.ts";
import { settleMission } from "./operations/settle-mission.ts";

/** The handler of the job that takes the end of a mission's run. */
export function createSettleJob({ inside }: Pick<JobParts, "inside">): (payload: unknown) => Promise<void> {
  return async (payload) => {
    const { organization, environment, mission, run } = (payload ?? {}) as Record<string, unknown>;
    if (typeof organization !== "string" || typeof mission !== "string" || typeof run !== "string") return;
    if (!environments.includes(environment as Environment)) return;
    await inside(settleMission, { organization, environment: environment as Environment }, { mission, run });
  };
}

const mostDue = 100;

/** Asks people about running missions whose deadline has passed. */
export const deadlineSweep: Sweep = {
  name: "missions.deadlines",
  async run({ db, inside, now }) {
    for (const { organization, environment, id } of await listDue(db, now))
      await inside(passDeadline, { organization, environment }, { mission: id });
  },
};

const listDue = (db: Statements, now: number): Promise<(Scope & { id: string })[]> =>
  db.query(
    `select organization, environment, id from missions
     where deadline < $1 and status = 'running' order by deadline limit ${mostDue}`,
    [new Date(now)],
  );
