import type { CallContext } from "../../kernel/context.ts";
import type { Reader } from "../../kernel/db.ts";
import type { Statements } from "../../kernel/machines.ts";
import type { TrustCase } from "../../kernel/trust/index.ts";
import { type HeldRun, type RunAddress, renewedLease } from "./run-store.ts";

type Here = Pick<CallContext, "scope"> & { readonly db: Pick<Reader, "query"> };

/** What one run of one item came to. */
export interface ItemOutcome {
  readonly item: string;
  /** From 0. */
  readonly repeat: number;
  /** Null where it failed. */
  readonly output: Readonly<Record<string, unknown>> | null;
  readonly failure: { readonly code: string; readonly detail: string } | null;
  /** What the model said of its output; left out where the item failed. */
  readonly features?: TrustCase;
  /** By scorer, from 0 to 1; a scorer that has nothing to say of the item is left out. */
  readonly scores: Readonly<Record<string, number>>;
  readonly steps: number;
  readonly tokens: number;
  readonly costUsd: number;
  readonly ms: number;
}

/** A result as it is stored. */
export interface ResultRow {
  item: string;
  repeat: number;
  output: string | null;
  failure: string | null;
  scores: string;
  steps: number;
  tokens: number;
  cost_usd: number;
  ms: number;
}

/** Writes what an item came to, and says with it that the attempt is at work; false, with nothing written, where it has lost the run. */
export async function insertResult(db: Statements, held: HeldRun, result: ItemOutcome): Promise<boolean> {
  const rows = await db.query(
    `with held as (${renewedLease(true)})
     insert into evaluation_results (organization, environment, run_id, item, repeat, output, failure, scores, steps, tokens, cost_usd, ms, signals)
     select $1, $2, $3, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14 from held
     on conflict (organization, environment, run_id, item, repeat) do update set ms = evaluation_results.ms returning item`,
    [
      held.organization,
      held.environment,
      held.id,
      held.attempt,
      result.item,
      result.repeat,
      result.output && JSON.stringify(result.output),
      result.failure && JSON.stringify(result.failure),
      JSON.stringify(result.scores),
      result.steps,
      result.tokens,
      result.costUsd,
      result.ms,
      result.features ? JSON.stringify(result.features) : null,
    ],
  );
  return rows.length > 0;
}

/** Which items a run has done, by `<repeat> <item>`, and what that has cost. */
export async function readDone(db: Statements, run: RunAddress): Promise<{ done: Set<string>; costUsd: number }> {
  const rows = await db.query<{ item: string; repeat: number; cost_usd: number }>(
    "select item, repeat, cost_usd from evaluation_results where organization = $1 and environment = $2 and run_id = $3",
    [run.organization, run.environment, run.id],
  );
  return {
    done: new Set(rows.map(({ item, repeat }) => `${repeat} ${item}`)),
    costUsd: rows.reduce((sum, row) => sum + row.cost_usd, 0),
  };
}

const columns = ["item", "repeat", "output", "failure", "scores", "steps", "tokens", "cost_usd", "ms"];
/** The columns of a {@link ResultRow} in a table of this alias. */
export const resultColumns = (alias: string): string => columns.map((column) => `${alias}.${column}`).join(", ");

export function toOutcome({ cost_usd, output, failure, scores, ...row }: ResultRow): ItemOutcome {
  return {
    ...row,
    costUsd: cost_usd,
    output: output === null ? null : JSON.parse(output),
    failure: failure === null ? null : JSON.parse(failure),
    scores: JSON.parse(scores),
  };
}

/** All results of a run, or those of some items, by item and repeat. */
export async function readResults(
  ctx: Here,
  run: string,
  items: readonly string[] | null = null,
): Promise<ItemOutcome[]> {
  const rows = await ctx.db.query<ResultRow>(
    `select ${resultColumns("e")} from evaluation_results e
     where organization = $1 and environment = $2 and run_id = $3 and ($4::text[] is null or item = any($4)) order by item, repeat`,
    [ctx.scope.organization, ctx.scope.environment, run, items],
  );
  return rows.map(toOutcome);
}

/** What the items of a run scored, by item, repeat by repeat. */
export async function readScores(ctx: Here, run: string): Promise<Map<string, Record<string, number>[]>> {
  const rows = await ctx.db.query<{ item: string; scores: string }>(
    "select item, scores from evaluation_results where organization = $1 and environment = $2 and run_id = $3 order by item, repeat",
    [ctx.scope.organization, ctx.scope.environment, run],
  );
  const items = new Map<string, Record<string, number>[]>();
  for (const { item, scores } of rows) {
    const list = items.get(item);
    if (list) list.push(JSON.parse(scores));
    else items.set(item, [JSON.parse(scores)]);
  }
  return items;
}

/** What the model said of its outputs, by item: of several repeats that of the last one, whose probability is the mean of all. */
export async function readCases(ctx: Here, run: string): Promise<Map<string, TrustCase>> {
  const rows = await ctx.db.query<{ item: string; signals: string }>(
    `select item, signals from evaluation_results
     where organization = $1 and environment = $2 and run_id = $3 and signals is not null order by item, repeat`,
    [ctx.scope.organization, ctx.scope.environment, run],
  );
  return new Map(
    [...Map.groupBy(rows, ({ item }) => item)].map(([item, repeats]) => {
      const cases = repeats.map(({ signals }) => JSON.parse(signals) as TrustCase);
      const told = cases.flatMap(({ probability }) => probability ?? []);
      const last = cases.at(-1) ?? {};
      if (told.length === 0 || last.probability === undefined) return [item, last];
      return [item, { ...last, probability: told.reduce((sum, one) => sum + one, 0) / told.length }];
    }),
  );
}
