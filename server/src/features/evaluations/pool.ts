import type { CallContext } from "../../kernel/context.ts";
import type { Reader } from "../../kernel/db.ts";
import { type ItemOutcome, type ResultRow, resultColumns, toOutcome } from "./result-store.ts";
import type { RunRow } from "./run-store.ts";

type Here = Pick<CallContext, "scope"> & { readonly db: Pick<Reader, "query"> };

/** All that the runs of a version over a dataset have put out, as one. */
export interface Pool {
  /** By item, in the order of the runs and their repeats. */
  readonly outcomes: ReadonlyMap<string, readonly ItemOutcome[]>;
  /** Repeats of the item that has the most; 0 without a run. */
  readonly repeats: number;
}

/**
 * What a version put out in all its runs over a dataset, whatever their age and the dataset version they ran on, of the items that are the same in the
 * version of `like`. Of each run only repeats that all its items have: those that are still being added wait for the rest.
 */
export async function readPool(
  ctx: Here,
  versionId: string,
  like: Pick<RunRow, "dataset_id" | "dataset_version" | "skill">,
): Promise<Pool> {
  const rows = await ctx.db.query<ResultRow & { run_id: string; whole_repeats: number }>(
    `with runs as (
       select r.organization, r.environment, r.id, r.dataset_version,
         (select min(n) from (select count(*)::int as n from evaluation_results c
            where c.organization = r.organization and c.environment = r.environment and c.run_id = r.id group by c.item) counts) as whole_repeats
       from evaluation_runs r
       where r.organization = $1 and r.environment = $2 and r.version_id = $3 and r.dataset_id = $4 and r.skill = $6 and r.whole)
     select e.run_id, runs.whole_repeats, ${resultColumns("e")} from runs
     join evaluation_results e on e.organization = runs.organization and e.environment = runs.environment and e.run_id = runs.id
     join dataset_items i on i.organization = e.organization and i.dataset_id = $4 and i.name = e.item
       and i.since <= least($5, runs.dataset_version) and (i.until is null or i.until > greatest($5, runs.dataset_version))
     where e.repeat < runs.whole_repeats
     order by e.item, e.run_id, e.repeat`,
    [ctx.scope.organization, ctx.scope.environment, versionId, like.dataset_id, like.dataset_version, like.skill],
  );
  const outcomes = new Map<string, ItemOutcome[]>();
  let repeats = 0;
  for (const { run_id: _, whole_repeats: __, ...row } of rows) {
    const list = outcomes.get(row.item) ?? [];
    list.push(toOutcome(row));
    outcomes.set(row.item, list);
    repeats = Math.max(repeats, list.length);
  }
  return { outcomes, repeats };
}
