import type { Logger } from "pino";
import type { OpenDatabase } from "../db/open.ts";
import { createReader } from "../db/reader.ts";
import { sealEarlierRuns } from "../features/evaluations/runs/seal.ts";
import { sealEarlierTasks } from "../features/tasks/index.ts";
import type { Seals } from "../kernel/seals.ts";

/** The migration since which results are sealed. */
const sealingMigration = "0022_sealed_results.sql";

/** Takes over the results of a release that sealed none, in the process that has just applied the migration. */
export async function sealEarlierResults(
  { applied, machinePool }: OpenDatabase,
  seals: Seals,
  log: Logger,
): Promise<void> {
  if (!applied.includes(sealingMigration)) return;
  const db = createReader(machinePool);
  const sealed = (await sealEarlierTasks(db, seals)) + (await sealEarlierRuns(db, seals));
  if (sealed > 0) log.info(`${sealed} results of an earlier release are sealed as found.`);
}
