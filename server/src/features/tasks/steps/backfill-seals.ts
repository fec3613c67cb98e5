import type { Reader } from "../../../kernel/db.ts";
import type { Scope } from "../../../kernel/principal.ts";
import type { Seals } from "../../../kernel/seals.ts";
import { resultSeal } from "../tasks/result.ts";
import { type TaskRow, taskColumns } from "../tasks/store.ts";
import { storedStepSeal } from "./seal.ts";

const atOnce = 1_000;

type Statements = Pick<Reader, "query">;
type Placed<Row> = Row & Scope;

/**
 * Seals the results and step answers of a release that sealed none. Once, right after the migration: what the database says is believed this one time.
 * Returns how many rows were sealed.
 */
export async function sealEarlierTasks(db: Statements, seals: Seals): Promise<number> {
  return (await sealTasks(db, seals)) + (await sealSteps(db, seals));
}

async function sealTasks(db: Statements, seals: Seals): Promise<number> {
  for (let sealed = 0; ; ) {
    const rows = await db.query<Placed<TaskRow>>(
      `select organization, environment, ${taskColumns} from tasks
       where result_seal is null and status in ('completed', 'failed', 'rejected', 'expired', 'blocked', 'cancelled') limit ${atOnce}`,
    );
    await keepSeals(
      db,
      "tasks sealed set result_seal",
      rows.map((row) => ({ ...row, seal: resultSeal({ seals, scope: row }, row, null) })),
    );
    sealed += rows.length;
    if (rows.length < atOnce) return sealed;
  }
}

async function sealSteps(db: Statements, seals: Seals): Promise<number> {
  for (let sealed = 0; ; ) {
    const rows = await db.query<Placed<{ id: string; task_id: string; output: string }>>(
      `select organization, environment, id, task_id, output from steps where seal is null and output is not null limit ${atOnce}`,
    );
    await keepSeals(
      db,
      "steps sealed set seal",
      rows.map((row) => ({ ...row, seal: storedStepSeal(seals, row, row.task_id, row) })),
    );
    sealed += rows.length;
    if (rows.length < atOnce) return sealed;
  }
}

async function keepSeals(
  db: Statements,
  change: string,
  rows: readonly Placed<{ id: string; seal: string }>[],
): Promise<void> {
  await db.query(
    `update ${change} = n.seal from unnest($1::text[], $2::text[], $3::text[], $4::text[]) as n(organization, environment, id, seal)
     where sealed.organization = n.organization and sealed.environment = n.environment and sealed.id = n.id`,
    [
      rows.map((row) => row.organization),
      rows.map((row) => row.environment),
      rows.map((row) => row.id),
      rows.map((row) => row.seal),
    ],
  );
}
