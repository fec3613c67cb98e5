import { wake } from "../../../../jobs/queue.ts";
import type { JobParts, Statements, Sweep } from "../../../../kernel/machines.ts";
import { type Environment, environments, type Scope } from "../../../../kernel/principal.ts";
import { wakeMission } from "../../../workflows/public.ts";
import { workflowRunRows } from "../../../workflows/shared-rows.ts";
import { passDeadline } from "../operations/pass-deadline.ts";
import { settleMission } from "../operations/settle-mission.ts";

export function createSettleJob({ inside }: Pick<JobParts, "inside">): (payload: unknown) => Promise<void> {
  return async (payload) => {
    const { organization, environment, mission, run } = (payload ?? {}) as Record<string, unknown>;
    if (typeof organization !== "string" || typeof mission !== "string" || typeof run !== "string") return;
    if (!environments.includes(environment as Environment)) return;
    await inside(settleMission, { organization, environment: environment as Environment }, { mission, run });
  };
}

const mostDue = 100;

/**
 * Running missions whose run has ended a while ago, or that have none and nothing under way. Those that wait for a run beside are left to its end: to settle them
 * would change nothing.
 */
const listUnsettled = (db: Statements): Promise<(Scope & { id: string; run: string })[]> =>
  db.query(
    `select m.organization, m.environment, m.id, r.id as run from missions m
       join ${workflowRunRows} r on r.organization = m.organization and r.environment = m.environment and r.mission = m.id
         and r.id = coalesce(m.run_id, (select max(e.id) from ${workflowRunRows} e
           where e.organization = m.organization and e.environment = m.environment and e.mission = m.id))
     where m.status = 'running' and m.updated_at < now() - interval '5 seconds' and r.finished_at < now() - interval '5 seconds'
       and (r.status in ('failed', 'cancelled') and m.run_id is not null or r.status = 'completed' and m.run_id is not null and ${hasNoneOpen}
         or m.run_id is null and ${hasNoneOpen})
     limit ${mostDue}`,
  );

const hasNoneOpen = `not exists (select from ${workflowRunRows} o
         where o.organization = m.organization and o.environment = m.environment and o.mission = m.id and o.finished_at is null)`;

/** Wakes workers for missions whose ended run was not settled. */
export const settleSweep: Sweep = {
  name: "missions.settle",
  async run({ db }) {
    const unsettled = await listUnsettled(db);
    await wake(
      db,
      unsettled.map(({ id, run, ...scope }) => wakeMission(scope, id, run)),
    );
  },
};

/** Asks people about running missions whose deadline has passed. */
export const deadlineSweep: Sweep = {
  name: "missions.deadlines",
  async run({ db, inside, now }) {
    const faults: unknown[] = [];
    for (const { organization, environment, id } of await listDue(db, now)) {
      // One failing mission does not block the others.
      await inside(passDeadline, { organization, environment }, { mission: id }).catch((error: unknown) =>
        faults.push(error),
      );
    }
    if (faults.length > 0) throw new AggregateError(faults, `${faults.length} missions could not be asked about`);
  },
};

const listDue = (db: Statements, now: number): Promise<(Scope & { id: string })[]> =>
  db.query(
    `select organization, environment, id from missions
     where deadline < $1 and status = 'running' order by deadline limit ${mostDue}`,
    [new Date(now)],
  );
