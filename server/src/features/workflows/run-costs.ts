import type { CallContext } from "../../kernel/context.ts";
import { summedUsd } from "../../kernel/ledger.ts";
import type { Statements } from "../../kernel/machines.ts";

interface Looking extends Pick<CallContext, "scope"> {
  readonly db: Statements;
}

/**
 * What runs have cost, in US dollars: the sum over the tasks of each and of the runs that it started, open and cancelled ones too. The count that the engine keeps
 * (`workflow_runs.cost_usd`) has only what steps had cost when they ended.
 */
export async function costsOfRuns(
  { db, scope }: Looking,
  runs: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (runs.length === 0) return new Map();
  const rows = await db.query<{ root: string; usd: number }>(
    `with recursive tree as (
       select r.id as root, r.id from workflow_runs r where r.organization = $1 and r.environment = $2 and r.id = any($3::text[])
       union all
       select tree.root, c.id from tree join workflow_runs c on c.organization = $1 and c.environment = $2 and c.parent_run = tree.id)
     select tree.root, coalesce(sum(t.cost_usd), 0)::float8 as usd
     from tree join tasks t on t.organization = $1 and t.environment = $2 and t.run_id = tree.id group by 1`,
    [scope.organization, scope.environment, runs],
  );
  return new Map(rows.map(({ root, usd }) => [root, summedUsd(usd)]));
}
