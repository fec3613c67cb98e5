import type { QueryContext } from "../../../kernel/db.ts";
import { lowestId } from "../../../kernel/ids.ts";
import type { Statements } from "../../../kernel/machines.ts";
import type { Scope } from "../../../kernel/principal.ts";
import { approvalRows } from "../../approvals/shared-rows.ts";
import { violationRows } from "../../governance/shared-rows.ts";
import { taskRows } from "../../tasks/shared-rows.ts";
import { deliveryRows, webhookRows } from "../../webhooks/shared-rows.ts";
import type { FactMaker, Sources } from "./fact-maker.ts";
import type { Cell } from "./fact-values.ts";
import { cellsOfText, cellsText, writeFacts } from "./facts-store.ts";
import { factsFamily, families, type Kind, kinds, minuteMs, minuteOfSource, readLabelColumns } from "./families.ts";
import { type Bucket, Difference, larger, markUnmerged, writeParts } from "./parts-store.ts";

// A recount goes through time in steps of some minutes: their figures are thrown away and computed again from the tables' rows. A step is a transaction under
// the lock of the looks, so that between two of them everything is exact, and what changes meanwhile is taken up as always.

/** Sources that a step is to have at least, where there are so many; and minutes that it has at most. */
const sourcesAtOnce = 2_000;
const mostMinutes = 1_440;

const prefixes = { task: "tsk", approval: "apr", violation: "aud", delivery: "dlv" } as const;

interface Unfinished extends Scope {
  readonly starts: number;
  readonly ends: number;
  readonly done: number;
}

/** Recounts some more minutes of the environment that asked first. Returns whether there was anything to do. */
export async function rebuildStep(db: Statements, facts: FactMaker, now: number): Promise<boolean> {
  const [rebuild] = await db.query<Unfinished>(
    `select organization, environment, starts, ends, done from analytics_rebuilds where finished_at is null order by requested_at limit 1 for update`,
  );
  if (!rebuild) return false;
  const { organization, environment, done } = rebuild;
  const ctx = { db, scope: { organization, environment } };
  const end = await endOfStep(ctx, rebuild);
  const sources = await readSources(ctx, done, end);
  await countAnew(ctx, facts, { from: done, to: end, sources, now });
  const counted = kinds.reduce((sum, kind) => sum + sources[kind].length, 0);
  await db.query(
    `update analytics_rebuilds set done = $3, sources = sources + $4, finished_at = case when $3 >= ends then $5::timestamptz end
     where organization = $1 and environment = $2`,
    [organization, environment, end, counted, new Date(now)],
  );
  return true;
}

/** A step ends with the minute in which there are enough sources of a kind, of which deliveries are the most where there are any. */
async function endOfStep({ db, scope }: QueryContext, { done, ends }: Unfinished): Promise<number> {
  const [row] = await db.query<{ task: string | null; violation: string | null }>(
    `select (select id from ${taskRows} tasks where organization = $1 and environment = $2 and id >= $3 order by id offset $5 limit 1) as task,
       (select id from ${violationRows} violations where organization = $1 and environment = $2 and id >= $4 order by id offset $5 limit 1) as violation`,
    [
      scope.organization,
      scope.environment,
      lowestId("tsk", done * minuteMs),
      lowestId("aud", done * minuteMs),
      sourcesAtOnce,
    ],
  );
  const enough = [row?.task, row?.violation].flatMap((id) => (id ? [minuteOfSource(id) + 1] : []));
  return Math.min(ends, done + mostMinutes, ...enough);
}

const bounds = (kind: Kind, from: number, to: number): [string, string] => [
  lowestId(prefixes[kind], from * minuteMs),
  lowestId(prefixes[kind], to * minuteMs),
];

async function readSources({ db, scope }: QueryContext, from: number, to: number): Promise<Sources> {
  const read = async (kind: Kind, text: string): Promise<string[]> => {
    const rows = await db.query<{ key: string }>(text, [
      scope.organization,
      scope.environment,
      ...bounds(kind, from, to),
    ]);
    return rows.map(({ key }) => key);
  };
  const within = (alias: string) =>
    `${alias}.organization = $1 and ${alias}.environment = $2 and ${alias}.id >= $3 and ${alias}.id < $4`;
  return {
    task: await read("task", `select t.id as key from ${taskRows} t where ${within("t")}`),
    approval: await read("approval", `select a.id as key from ${approvalRows} a where ${within("a")}`),
    violation: await read(
      "violation",
      `select v.id || '/' || v.source as key from ${violationRows} v where ${within("v")}`,
    ),
    delivery: await read(
      "delivery",
      `select d.id || '/' || d.webhook_id as key from ${webhookRows} w join ${deliveryRows} d on ${within("d")} and d.webhook_id = w.id
       where w.organization = $1 and w.environment = $2`,
    ),
  };
}

interface Minutes {
  readonly from: number;
  readonly to: number;
  readonly sources: Sources;
  readonly now: number;
}

async function countAnew(ctx: QueryContext, facts: FactMaker, { from, to, sources, now }: Minutes): Promise<void> {
  const made = await facts.make(ctx, sources, now);
  const difference = new Difference((await readLabelColumns(ctx.db, ctx.scope)).length);
  for (const kind of kinds) {
    const former = await takeFacts(ctx, kind, from, to);
    // A task brings its approvals along, of which some stand in other minutes.
    const own = [...made[kind]].filter(([source]) => isWithin(source, from, to));
    const all = new Map<string, readonly Cell[]>([...former, ...own]);
    for (const [source, cells] of all) difference.add(minuteOfSource(source), cells, 1);
    await writeFacts(ctx, kind, new Map([...all].map(([source, cells]) => [source, cellsText(cells)])));
  }
  const { db, scope } = ctx;
  const removed = await db.query<Pick<Bucket, "family" | "bucket">>(
    `delete from analytics_blocks where organization = $1 and environment = $2 and family = any($3::text[]) and grain = 'minute' and bucket >= $4 and bucket < $5
     returning family, bucket`,
    [scope.organization, scope.environment, families, from, to],
  );
  const parts = difference.minutes().map(({ family, minute, block }) => ({
    family,
    grain: "minute" as const,
    bucket: minute,
    block,
  }));
  await writeParts(ctx, parts);
  await markUnmerged(ctx, largerBuckets([...removed, ...parts]));
}

const isWithin = (source: string, from: number, to: number): boolean => {
  const minute = minuteOfSource(source);
  return minute >= from && minute < to;
};

/** Takes the facts of some minutes away. Those whose rows are gone meanwhile, such as old deliveries, are the only witness and stay. */
async function takeFacts(
  { db, scope }: QueryContext,
  kind: Kind,
  from: number,
  to: number,
): Promise<Map<string, Cell[]>> {
  const rows = await db.query<{ source: string; body: string }>(
    `delete from analytics_facts where organization = $1 and environment = $2 and family = $3 and source >= $4 and source < $5 returning source, body`,
    [scope.organization, scope.environment, factsFamily[kind], ...bounds(kind, from, to)],
  );
  return new Map(rows.map(({ source, body }) => [source, cellsOfText(body)]));
}

function largerBuckets(minutes: readonly Pick<Bucket, "family" | "bucket">[]): Bucket[] {
  const all = minutes.flatMap(({ family, bucket }): Bucket[] =>
    larger.map(({ grain, of }) => ({ family, grain, bucket: of(bucket) })),
  );
  return [...new Map(all.map((one) => [`${one.family} ${one.grain} ${one.bucket}`, one])).values()];
}
