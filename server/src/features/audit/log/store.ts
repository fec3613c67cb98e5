import { namesOfObject, namesOfOperation } from "@aos/proof";
import {
  auditClosedLogRows,
  auditLeafRows,
  auditLogRows,
  auditRecordRows,
  auditTileRows,
} from "../../../audit-log/shared-rows.ts";
import type { ReadContext } from "../../../kernel/context.ts";
import { defineLoader } from "../../../kernel/db.ts";
import { isId } from "../../../kernel/ids.ts";
import type { PageRequest } from "../../../kernel/listing.ts";
import { type CreatedRange, createdWithin } from "../../../kernel/moment.ts";
import { taskRows } from "../../tasks/shared-rows.ts";
import type { SaltedRecord } from "../ports.ts";
import type { decisions, stageNames } from "../schemas.ts";
import { indexColumns, type StoredLeaf, saltColumns, saltOfRecord } from "./checks.ts";
import { concernsAlone } from "./concerns.ts";
import { installationLog, type LogName, readsInstallationLog } from "./logs.ts";
import { tasksWith } from "./words.ts";

export interface RecordRow extends Omit<LogRow, "leaf_index"> {
  /** Null: it is not in the log yet, and then nothing of the log is known of it. */
  leaf_index: number | null;
  log: LogName;
}

/** A record in the log: its text, what the search index says of it, and its hash as the log's tile has it. */
interface LogRow extends StoredLeaf, SaltedRecord {
  id: string;
  leaf_index: number;
  /** Null: the log has no hash of it. */
  leaf_hash: Buffer | null;
}
export type SequencedRow = LogRow;

/** Select list over `audit_leaves l` and `leafTile`. */
const leafMembers = `l.leaf_index, l.key_seq, ${indexColumns.map((name) => `l.${name}`).join(", ")},
  substr(t.data, ((l.leaf_index - o.first_leaf) % 256)::int * 32 + 1, 32) as leaf_hash, coalesce(o.closed, false) as closed`;
/** The tile of a leaf, in the tree of the origin that it belongs to: 256 hashes of 32 bytes (C2SP tlog-tiles). */
const leafTile = `left join lateral (
    select epoch, first_leaf, false as closed from ${auditLogRows} audit_logs where organization = $1 and environment = $2 and first_leaf <= l.leaf_index
    union all select epoch, first_leaf, true from ${auditClosedLogRows} audit_closed_logs where organization = $1 and environment = $2 and first_leaf <= l.leaf_index
    order by first_leaf desc limit 1) o on true
  left join ${auditTileRows} t on t.organization = $1 and t.environment = $2 and t.epoch = o.epoch and t.level = 0
    and t.index = (l.leaf_index - o.first_leaf) / 256`;

const recordById = defineLoader<Omit<RecordRow, "log">>(
  "audit record by id",
  `select r.id as loader_key, r.id, r.body, ${saltColumns}, ${leafMembers}
   from ${auditRecordRows} r
   ${saltOfRecord}
   left join ${auditLeafRows} l on l.organization = $1 and l.environment = $2 and l.record_id = r.id
   ${leafTile}
   where r.organization = $1 and r.environment = $2 and r.id = any($3::text[])`,
);

/** A record of the environment, or else of the installation's log where the call may read it; sequenced or not. */
export async function findRecord(ctx: ReadContext, auditRef: string): Promise<RecordRow | undefined> {
  if (!isId(auditRef, "aud")) return undefined;
  const row = await ctx.db.load(recordById, ctx.scope, auditRef);
  if (row) return { ...row, log: ctx.scope };
  if (!readsInstallationLog(ctx)) return undefined;
  const log = installationLog(ctx.scope);
  const ofNobody = await ctx.db.load(recordById, log, auditRef);
  return ofNobody && { ...ofNobody, log };
}

export interface EventFilter extends CreatedRange {
  readonly actor?: string;
  readonly action?: string;
  readonly object?: string;
  readonly task?: string;
  readonly key?: string;
  readonly key_seq?: number;
  readonly from_leaf?: number;
  readonly decision?: (typeof decisions)[number][];
  readonly stage?: (typeof stageNames)[number][];
  /** Only calls that read the log or export it. */
  readonly access?: boolean;
  /** Words of the records' tasks, of their approvals or their steps. */
  readonly text?: string;
}

/** Conditions over `audit_leaves l`, with the values of their parameters from `$1` on; the first two are the scope. */
export interface LeafConditions {
  readonly where: string[];
  readonly values: unknown[];
  /** Adds a condition; none where there is no value. */
  and(condition: (parameter: string) => string, value: unknown): void;
}

/** A filter as conditions. A key that is narrowed to `agents` sees records that concern these alone, and those of its own calls by `ownKey`. */
export function leafConditions(
  scope: LogName,
  filter: EventFilter,
  agents: readonly string[] | null,
  ownKey: string | null = null,
): LeafConditions {
  const values: unknown[] = [scope.organization, scope.environment];
  const where = ["l.organization = $1", "l.environment = $2"];
  const and = (condition: (parameter: string) => string, value: unknown): void => {
    if (value === undefined || value === null) return;
    values.push(value);
    where.push(condition(`$${values.length}`));
  };
  const operations = filter.action === undefined ? undefined : namesOfOperation(filter.action);
  const objects = filter.object === undefined ? undefined : namesOfObject(filter.object);
  and((p) => `l.principal = ${p}`, filter.actor);
  and((p) => `l.operation = any(${p}::text[])`, operations);
  and((p) => `l.object = any(${p}::text[])`, objects);
  and((p) => `l.task_id = ${p}`, filter.task);
  and((p) => `l.key_id = ${p}`, filter.key);
  and((p) => `l.key_seq = ${p}`, filter.key_seq);
  and((p) => `l.decision = any(${p}::text[])`, filter.decision);
  and((p) => `l.stage = any(${p}::text[])`, filter.stage);
  and((p) => `l.leaf_index >= ${p}`, filter.from_leaf);
  createdWithin(and, ["aud", "l.record_id"], filter);
  and((p) => `l.task_id in ${tasksWith(p)}`, filter.text);
  if (filter.access === true) where.push("l.operation like 'audit.%'");
  if (filter.stage !== undefined) where.push("l.decision <> 'allowed'"); // follows from the stage, and lets the index over refusals serve
  if (agents !== null) {
    values.push(ownKey);
    const own = `$${values.length}`;
    and((p) => `(l.key_id = ${own}::text or ${concernsAlone("l.task_id", "l.object", p)})`, agents);
  }
  return { where, values, and };
}

const sequencedSql = (where: readonly string[], order: string, limit: number): string =>
  `select l.record_id as id, r.body, ${saltColumns}, ${leafMembers}
   from ${auditLeafRows} l
   join ${auditRecordRows} r on r.organization = l.organization and r.environment = l.environment and r.id = l.record_id
   ${saltOfRecord}
   ${leafTile}
   where ${where.join(" and ")} order by ${order} limit $${limit}`;

/** Records behind a place of the log, in its order, up to the place `until`. */
export async function listBehind(
  ctx: ReadContext,
  filter: EventFilter,
  after: number,
  take: number,
  until?: number,
): Promise<SequencedRow[]> {
  const { where, values, and } = leafConditions(ctx.scope, filter, ctx.principal.agents, ctx.principal.keyId);
  and((p) => `l.leaf_index > ${p}`, after);
  and((p) => `l.leaf_index <= ${p}`, until);
  values.push(take);
  return ctx.db.query<SequencedRow>(sequencedSql(where, "l.leaf_index", values.length), values);
}

/** The place of the newest record in the log; -1 where there is none. */
export async function newestLeaf({ db, scope }: ReadContext): Promise<number> {
  const rows = await db.query<{ newest: number }>(
    `select coalesce(max(leaf_index), -1)::float8 as newest from ${auditLeafRows} l where organization = $1 and environment = $2`,
    [scope.organization, scope.environment],
  );
  return rows[0]?.newest ?? -1;
}

/** A page of the log, newest first by place, so that paging neither loses nor repeats a record. */
export async function listRecords(
  ctx: ReadContext,
  log: LogName,
  filter: EventFilter,
  page: PageRequest,
): Promise<SequencedRow[]> {
  const { where, values, and } = leafConditions(log, filter, ctx.principal.agents, ctx.principal.keyId);
  // Within one key its numbers have the same order as places in the log, and an index of their own.
  const order = filter.key === undefined ? "l.leaf_index" : "l.key_seq";
  and((p) => `${order} < ${p}`, page.after?.keys[filter.key === undefined ? 0 : 1]);
  values.push(page.take);
  return ctx.db.query<SequencedRow>(sequencedSql(where, `${order} desc`, values.length), values);
}

/** The salt of a record's commitments; undefined once erased. Older records do not name it: theirs is that of the task's subject, else of the caller. */
export async function findSalt(
  ctx: ReadContext,
  { salt_id, log: { organization, environment } }: Pick<RecordRow, "salt_id" | "log">,
  record: { task_id: string | null; principal: string },
): Promise<Uint8Array | undefined> {
  const rows = await ctx.db.query<{ salt: Buffer }>(
    `select salt from audit_salts where organization = $1 and environment = $2 and id = coalesce($3,
       (select id from audit_salts where organization = $1 and environment = $2 and subject =
         coalesce((select subject from ${taskRows} tasks where organization = $1 and environment = $2 and id = $4), $5)))`,
    [organization, environment, salt_id, record.task_id, record.principal],
  );
  return rows[0]?.salt;
}
