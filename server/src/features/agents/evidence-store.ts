import { defineAppendTable } from "../../kernel/append.ts";
import type { CallContext, GroupContext, WriteContext } from "../../kernel/context.ts";
import type { Channel } from "../../kernel/trust/index.ts";

/** One item of evidence about a skill of a version, in the environment of the call that won it. */
export interface EvidenceRow {
  readonly version_id: string;
  readonly skill: string;
  /** Of the task, the item of a test set or the approval that it comes from: within a channel, each counts once. */
  readonly id: string;
  readonly channel: Channel;
  /** How well it went, from 0 to 1. */
  readonly outcome: number;
  /** How far its source can be trusted, from 0 to 1: see `sourceQuality`. */
  readonly quality: number;
  /** When it was observed, in milliseconds since the epoch; now where it is left out. */
  readonly observed_at?: number;
}

function checkRanges(rows: readonly EvidenceRow[]): void {
  for (const { channel, id, outcome, quality } of rows) {
    if (!(outcome >= 0 && outcome <= 1 && quality >= 0 && quality <= 1))
      throw new RangeError(`the evidence ${channel} ${id}: outcome and quality lie in [0, 1]`);
  }
}

/** Arrays for `unnest`, in the order of {@link unnested}. */
function arraysOf(ctx: CallContext, rows: readonly EvidenceRow[]): unknown[] {
  checkRanges(rows);
  return [
    ctx.scope.organization,
    ctx.scope.environment,
    rows.map((row) => row.version_id),
    rows.map((row) => row.skill),
    rows.map((row) => row.id),
    rows.map((row) => row.channel),
    rows.map((row) => row.outcome),
    rows.map((row) => row.quality),
    rows.map((row) => new Date(row.observed_at ?? ctx.now)),
  ];
}

const unnested = `unnest($3::text[], $4::text[], $5::text[], $6::text[], $7::float8[], $8::float8[], $9::timestamptz[])
  as e(version_id, skill, id, channel, outcome, quality, observed_at)`;

const columns = "organization, environment, version_id, skill, id, channel, outcome, quality, observed_at";

/** What is there already, by its key, stays as it was. */
const insertFresh = (rows: string): string =>
  `insert into trust_evidence (${columns}) select ${columns} from ${rows} e order by version_id, skill, channel, id on conflict do nothing returning ${columns}`;
const insertNews = (fresh: string): string =>
  `insert into trust_evidence_new (organization, environment, version_id, skill, channel, items, successes, failures, observed_at)
   select organization, environment, version_id, skill, channel, 1, quality * outcome, quality * (1 - outcome), observed_at from ${fresh}`;

/**
 * Adds evidence in the call's transaction, in one statement however many rows there are. What is there already, by its key, stays as it was. Nothing that
 * calls share is written: the sweeper adds it to the sums, and scores see it some two seconds later.
 */
export async function recordEvidence(ctx: WriteContext, rows: readonly EvidenceRow[]): Promise<void> {
  if (rows.length === 0) return;
  const scoped = `(select $1 as organization, $2 as environment, e.* from ${unnested})`;
  await ctx.db.query(`with fresh as (${insertFresh(scoped)}) ${insertNews("fresh")}`, arraysOf(ctx, rows));
}

const evidence = defineAppendTable<{ [name in keyof Required<EvidenceRow>]: name extends "observed_at" ? Date : EvidenceRow[name] }>({
  table: "trust_evidence",
  columns: [
    ["organization", "text"],
    ["environment", "text"],
    ["version_id", "text"],
    ["skill", "text"],
    ["id", "text"],
    ["channel", "text"],
    ["outcome", "float8"],
    ["quality", "float8"],
    ["observed_at", "timestamptz"],
  ],
  write: insertFresh,
  also: insertNews,
});

/** The same, by a call that writes together with others. */
export function appendEvidence(ctx: GroupContext, rows: readonly EvidenceRow[]): void {
  checkRanges(rows);
  for (const row of rows) ctx.append(evidence, { ...row, observed_at: new Date(row.observed_at ?? ctx.now) });
}

/** Whose evidence an item takes the place of: its own version's, or that of every version of the agent $7. Either is read by the primary key. */
const ownVersion = "t.version_id = e.version_id";
const anyVersion = "t.version_id = any(array(select id from agent_versions where organization = $1 and agent = $7))";

/**
 * Puts each item in the place of what was recorded under its key, if anything: people may take back what they said, and what is measured again is not
 * counted twice. In two statements however many rows there are; a key stands in them once. `agent`: whose it is, where what another version of it has
 * under the same key goes as well.
 */
export async function replaceEvidence(ctx: WriteContext, rows: readonly EvidenceRow[], agent?: string): Promise<void> {
  if (rows.length === 0) return;
  checkRanges(rows);
  await ctx.db.query(
    `with gone as (
       delete from trust_evidence t using unnest($3::text[], $4::text[], $5::text[], $6::text[]) as e(version_id, skill, id, channel)
       where t.organization = $1 and t.environment = $2 and ${agent === undefined ? ownVersion : anyVersion}
         and t.skill = e.skill and t.channel = e.channel and t.id = e.id
       returning t.version_id, t.skill, t.channel, t.outcome, t.quality, t.observed_at)
     insert into trust_evidence_new (organization, environment, version_id, skill, channel, items, successes, failures, observed_at)
     select $1, $2, version_id, skill, channel, -1, -quality * outcome, -quality * (1 - outcome), observed_at from gone`,
    [...arraysOf(ctx, rows).slice(0, 6), ...(agent === undefined ? [] : [agent])],
  );
  await recordEvidence(ctx, rows);
}
