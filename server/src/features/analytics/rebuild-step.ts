import { lowestId } from "../../kernel/ids.ts";
import type { Statements } from "../../kernel/machines.ts";
import type { Scope } from "../../kernel/principal.ts";
import type { FactMaker, Sources } from "./fact-make.ts";
import type { Looking } from "./fact-sources.ts";
import { cellsOfText, cellsText, writeFacts } from "./fact-store.ts";
import type { Cell } from "./fact-values.ts";
import { factsFamily, families, type Kind, kinds, minuteMs, minuteOfSource } from "./families.ts";
import { readLabelColumns } from "./labels.ts";
import { type Bucket, Difference, larger, markUnmerged, writeParts } from "./roll-write.ts";

// Counting anew goes through time in steps of some minutes: what stands in them is thrown away and made of the tables' rows again. A step is a transaction under
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

/** Counts some more minutes anew, of the environment that asked first. Returns whether there was anything to do. */
export async function rebuildStep(db: Statements, facts: FactMaker, now: number): Promise<boolean> {
  const [rebuild] = await db.query<Unfinished>(
    `select organization, environment, starts, ends, done from analytics_rebuilds where finished_at is null order by requested_at limit 1 for update`,
  );
  if (!rebuild) return false;
  const { organization, environment, done } = rebuild;
  const looking = { db, scope: { organization, environment } };
  const end = await endOfStep(looking, rebuild);
  const sources = await readSources(looking, done, end);
  await countAnew(looking, facts, { from: done, to: end, sources, now });
  const counted = kinds.reduce((sum, kind) => sum + sources[kind].length, 0);
  await db.query(
    `update analytics_rebuilds set done = $3, sources = sources + $4, finished_at = case when $3 >= ends then $5::timestamptz end
     where organization = $1 and environment = $2`,
    [organization, environment, end, counted, new Date(now)],
  );
  return true;
}

/** A step ends with the minute in which there are enough sources of a kind, of which deliveries are the most where there are any. */
async function endOfStep({ db, scope }: Looking, { done, ends }: Unfinished): Promise<number> {
  const [row] = await db.query<{ task: string | null; violation: string | null }>(
    `select (select id from tasks where organization = $1 and environment = $2 and id >= $3 order by id offset $5 limit 1) as task,
       (select id from violations where organization = $1 and environment = $2 and id >= $4 order by id offset $5 limit 1) as violation`,
    [
      ...[scope.organization, scope.environment],
      ...[lowestId("tsk", done * minuteMs), lowestId("aud", done * minuteMs), sourcesAtOnce],
    ],
  );
  const enough = [row?.task, row?.violation].flatMap((id) => (id ? [minuteOfSource(id) + 1] : []));
  return Math.min(ends, done + mostMinutes, ...enough);
}

const bounds = (kind: Kind, from: number, to: number): [string, string] => [
  lowestId(prefixes[kind], from * minuteMs),
  lowestId(prefixes[kind], to * minuteMs),
];

/** What stands in some minutes, of the tables. */
async function readSources({ db, scope }: Looking, from: number, to: number): Promise<Sources> {
  const read = async (kind: Kind, text: string): Promise<string[]> => {
    const rows = await db.query<{ key: string }>(text, [
      ...[scope.organization, scope.environment],
      ...bounds(kind, from, to),
    ]);
    return rows.map(({ key }) => key);
  };
  const within = (alias: string) =>
    `${alias}.organization = $1 and ${alias}.environment = $2 and ${alias}.id >= $3 and ${alias}.id < $4`;
  return {
    task: await read("task", `select t.id as key from tasks t where ${within("t")}`),
    approval: await read("approval", `select a.id as key from approvals a where ${within("a")}`),
    violation: await read("violation", `select v.id || '/' || v.source as key from violations v where ${within("v")}`),
    delivery: await read(
      "delivery",
      `select d.id || '/' || d.webhook_id as key from webhooks w join deliveries d on ${within("d")} and d.webhook_id = w.id
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

async function countAnew(looking: Looking, facts: FactMaker, { from, to, sources, now }: Minutes): Promise<void> {
  const made = await facts.make(looking, sources, now);
  const difference = new Difference((await readLabelColumns(looking.db, looking.scope)).length);
  for (const kind of kinds) {
    const former = await takeFacts(looking, kind, from, to);
    // A task brings its approvals along, of which some stand in other minutes.
    const own = [...made[kind]].filter(([source]) => isWithin(source, from, to));
    const all = new Map<string, readonly Cell[]>([...former, ...own]);
    for (const [source, cells] of all) difference.add(minuteOfSource(source), cells, 1);
    await writeFacts(looking, kind, new Map([...all].map(([source, cells]) => [source, cellsText(cells)])));
  }
  const { db, scope } = looking;
  const removed = await db.query<Pick<Bucket, "family" | "bucket">>(
    `delete from analytics_blocks where organization = $1 and environment = $2 and family = any($3::text[]) and grain = 'minute' and bucket >= $4 and bucket < $5
     returning family, bucket`,
    [scope.organization, scope.environment, families, from, to],
  );
  const parts = difference.minutes().map(({ family, minute, block }) => ({
    ...{ family, grain: "minute" as const, bucket: minute, block },
  }));
  await writeParts(looking, parts);
  await markUnmerged(looking, largerBuckets([...removed, ...parts]));
}

const isWithin = (source: string, from: number, to: number): boolean => {
  const minute = minuteOfSource(source);
  return minute >= from && minute < to;
};

/** Takes the facts of some minutes away. Those whose rows are gone meanwhile, such as old deliveries, are the only witness and stay. */
async function takeFacts({ db, scope }: Looking, kind: Kind, from: number, to: number): Promise<Map<string, Cell[]>> {
  const rows = await db.query<{ source: string; body: string }>(
    `delete from analytics_facts where organization = $1 and environment = $2 and family = $3 and source >= $4 and source < $5 returning source, body`,
    [scope.organization, scope.environment, factsFamily[kind], ...bounds(kind, from, to)],
  );
  return new Map(rows.map(({ source, body }) => [source, cellsOfText(body)]));
}

/** The quarters, hours and days of some minutes, each once. */
function largerBuckets(minutes: readonly Pick<Bucket, "family" | "bucket">[]): Bucket[] {
  const all = minutes.flatMap(({ family, bucket }): Bucket[] =>
    larger.map(({ grain, of }) => ({ family, grain, bucket: of(bucket) })),
  );
  return [...new Map(all.map((one) => [`${one.family} ${one.grain} ${one.bucket}`, one])).values()];
}
