import { all, select } from "../../db/scoped.ts";
import type { Statements } from "../../kernel/machines.ts";
import type { TrustCase } from "../../kernel/trust/index.ts";
import { anyOf, type Here } from "./dataset-store.ts";
import { type HeldRun, type RunRow, renewedLease } from "./run-store.ts";

/** Result of one run of one item. */
export interface ItemOutcome {
  readonly item: string;
  /** From 0. */
  readonly repeat: number;
  /** Null where it failed. */
  readonly output: Readonly<Record<string, unknown>> | null;
  readonly failure: { readonly code: string; readonly detail: string } | null;
  /** The model's signals about its output; left out where the item failed. */
  readonly features?: TrustCase;
  /** By scorer, from 0 to 1; a scorer that has nothing to say of the item is left out. */
  readonly scores: Readonly<Record<string, number>>;
  readonly steps: number;
  readonly tokens: number;
  readonly costUsd: number;
  readonly ms: number;
}

const columns = ["item", "repeat", "output", "failure", "scores", "steps", "tokens", "cost_usd", "ms"] as const;
type ResultRow = Omit<ItemOutcome, "output" | "failure" | "scores" | "costUsd" | "features"> & {
  readonly output: string | null;
  readonly failure: string | null;
  readonly scores: string;
  readonly cost_usd: number;
};

const toOutcome = ({ cost_usd, output, failure, scores, ...row }: ResultRow): ItemOutcome => ({
  ...row,
  costUsd: cost_usd,
  output: output === null ? null : JSON.parse(output),
  failure: failure === null ? null : JSON.parse(failure),
  scores: JSON.parse(scores),
});

/** Stores an item's result and renews the attempt's lease; false, with nothing written, if it has lost the run. */
export async function insertResult(db: Statements, held: HeldRun, result: ItemOutcome): Promise<boolean> {
  const { organization, environment, id, attempt } = held;
  const { output, failure, scores, features, costUsd, ...row } = result;
  const json = (value: unknown): string | null => (value ? JSON.stringify(value) : null);
  const stored = {
    ...row,
    cost_usd: costUsd,
    output: json(output),
    failure: json(failure),
    scores: json(scores),
    signals: json(features),
  };
  const rows = await db.query(
    `with held as (${renewedLease(true)})
     insert into evaluation_results (organization, environment, run_id, ${columns.join(", ")}, signals)
     select $1, $2, $3, ${columns.join(", ")}, signals from held, json_populate_record(null::evaluation_results, $5::json)
     on conflict (organization, environment, run_id, item, repeat) do update set ms = evaluation_results.ms returning item`,
    [organization, environment, id, attempt, JSON.stringify(stored)],
  );
  return rows.length > 0;
}

const results = (ctx: Here, run: string) => select(ctx, "evaluation_results", "e").where("e.run_id", "=", run);
const inOrder = (ctx: Here, run: string) => results(ctx, run).orderBy("e.item").orderBy("e.repeat");

/** Which items a run has done, by `<repeat> <item>`, and what that has cost. */
export async function readDone(ctx: Here, run: string): Promise<{ done: Set<string>; costUsd: number }> {
  const rows = await all(ctx, results(ctx, run).select(["e.item", "e.repeat", "e.cost_usd"]));
  return {
    done: new Set(rows.map(({ item, repeat }) => `${repeat} ${item}`)),
    costUsd: rows.reduce((sum, row) => sum + row.cost_usd, 0),
  };
}

/** The results of a run, or those of some items, by item and repeat. */
export async function readResults(
  ctx: Here,
  run: string,
  items: readonly string[] | null = null,
): Promise<ItemOutcome[]> {
  const query = inOrder(ctx, run).$if(items !== null, (q) => q.where("e.item", "=", anyOf(items ?? [])));
  return (await all(ctx, query.select(columns))).map(toOutcome);
}

/** What the items of a run scored, by item, repeat by repeat. */
export async function readScores(ctx: Here, run: string): Promise<Map<string, Record<string, number>[]>> {
  const rows = await all(ctx, inOrder(ctx, run).select(["e.item", "e.scores"]));
  const items = Map.groupBy(rows, ({ item }) => item);
  return new Map([...items].map(([item, repeats]) => [item, repeats.map(({ scores }) => JSON.parse(scores))]));
}

/** The model's signals by item: those of its last repeat, with the mean probability of all. */
export async function readCases(ctx: Here, run: string): Promise<Map<string, TrustCase>> {
  const rows = await all(ctx, inOrder(ctx, run).select(["e.item", "e.signals"]).where("e.signals", "is not", null));
  return new Map(
    [...Map.groupBy(rows, ({ item }) => item)].map(([item, repeats]) => {
      const cases = repeats.map(({ signals }) => JSON.parse(signals ?? "{}") as TrustCase);
      const told = cases.flatMap(({ probability }) => probability ?? []);
      const last = cases.at(-1) ?? {};
      if (told.length === 0 || last.probability === undefined) return [item, last];
      return [item, { ...last, probability: told.reduce((sum, one) => sum + one, 0) / told.length }];
    }),
  );
}

/** All outputs of a version's runs over a dataset, as one run. */
export interface Pool {
  /** By item, in the order of the runs and their repeats. */
  readonly outcomes: ReadonlyMap<string, readonly ItemOutcome[]>;
  /** Repeats of the item that has the most; 0 without a run. */
  readonly repeats: number;
}

/**
 * Reads what a version put out in all its runs over a dataset, whatever their age and dataset version, of the items that are the same in the version of
 * `like`. Of each run it takes the repeats that all its items have: those that are still being added wait for the rest.
 */
export async function readPool(
  ctx: Here,
  versionId: string,
  like: Pick<RunRow, "dataset_id" | "dataset_version" | "skill">,
): Promise<Pool> {
  const rows = await ctx.db.query<ResultRow>(
    `with runs as (
       select r.organization, r.environment, r.id, r.dataset_version,
         (select min(n) from (select count(*)::int as n from evaluation_results c
            where c.organization = r.organization and c.environment = r.environment and c.run_id = r.id group by c.item) counts) as whole_repeats
       from evaluation_runs r
       where r.organization = $1 and r.environment = $2 and r.version_id = $3 and r.dataset_id = $4 and r.skill = $6 and r.whole)
     select ${columns.map((column) => `e.${column}`).join(", ")} from runs
     join evaluation_results e on e.organization = runs.organization and e.environment = runs.environment and e.run_id = runs.id
     join dataset_items i on i.organization = e.organization and i.dataset_id = $4 and i.name = e.item
       and i.since <= least($5, runs.dataset_version) and (i.until is null or i.until > greatest($5, runs.dataset_version))
     where e.repeat < runs.whole_repeats
     order by e.item, e.run_id, e.repeat`,
    [ctx.scope.organization, ctx.scope.environment, versionId, like.dataset_id, like.dataset_version, like.skill],
  );
  const outcomes = Map.groupBy(rows.map(toOutcome), ({ item }) => item);
  return { outcomes, repeats: Math.max(0, ...[...outcomes.values()].map((repeats) => repeats.length)) };
}
