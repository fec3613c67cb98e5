import { type AuditRecord, removals } from "@aos/proof";
import { auditLeafRows, auditLogRows, auditRecordRows } from "../../../audit-log/shared-rows.ts";
import { actorOfCall, storable as storableActor } from "../../../kernel/actor.ts";
import type { CallContext, ReadContext, WriteContext } from "../../../kernel/context.ts";
import type { Reader } from "../../../kernel/db.ts";
import { isId } from "../../../kernel/ids.ts";
import { leaseEnd } from "../../../kernel/lease.ts";
import type { Statements } from "../../../kernel/machines.ts";
import type { Scope } from "../../../kernel/principal.ts";
import { faultPauseSql, faultText, type Interrupted, mostFaults } from "../../../kernel/service-faults.ts";
import { indexColumns, saltColumns, saltOfRecord, storable } from "../log/checks.ts";
import { concernsAlone } from "../log/concerns.ts";
import type { SaltedRecord } from "../ports.ts";
import type { ExportFormat, exportStates, SignedFilter } from "../schemas.ts";
import type { LeafRow } from "./tree.ts";

export const mostAttempts = 5;

export interface ExportRow {
  id: string;
  format: ExportFormat;
  filter: SignedFilter;
  tree_size: number;
  state: (typeof exportStates)[number];
  attempt: number;
  rows: number | null;
  bytes: number | null;
  digest: string | null;
  manifest: string | null;
  failure: string | null;
  principal: string;
  actor: unknown;
  created_at: Date;
  finished_at: Date | null;
}

const columns =
  "id, format, filter, tree_size, state, attempt, rows, bytes, digest, manifest, failure, principal, actor, created_at, finished_at";

export interface ExportAddress extends Scope {
  readonly id: string;
}

const keyOf = ({ organization, environment, id }: ExportAddress): readonly string[] => [organization, environment, id];
const named = "organization = $1 and environment = $2 and id = $3";

export async function findExport(
  ctx: CallContext & { readonly db: Reader },
  id: string,
): Promise<ExportRow | undefined> {
  if (!isId(id, "exp")) return undefined;
  const rows = await ctx.db.query<ExportRow>(
    `select ${columns} from audit_exports where ${named}`,
    keyOf({ ...ctx.scope, id }),
  );
  return rows[0];
}

export interface NewExport {
  readonly id: string;
  readonly format: ExportFormat;
  readonly filter: SignedFilter;
  readonly treeSize: number;
}

export async function insertExport(ctx: WriteContext, { id, format, filter, treeSize }: NewExport): Promise<ExportRow> {
  const rows = await ctx.db.query<ExportRow>(
    `insert into audit_exports (organization, environment, id, format, filter, tree_size, principal, actor)
     values ($1, $2, $3, $4, $5, $6, $7, $8) returning ${columns}`,
    [
      ...keyOf({ ...ctx.scope, id }),
      format,
      JSON.stringify(filter),
      treeSize,
      ctx.principal.id,
      storableActor(actorOfCall(ctx)),
    ],
  );
  return rows[0] as ExportRow;
}

export async function readPart(ctx: ReadContext, id: string, n: number): Promise<Buffer | undefined> {
  const rows = await ctx.db.query<{ data: Buffer }>(
    "select data from audit_export_parts where organization = $1 and environment = $2 and export_id = $3 and n = $4",
    [...keyOf({ ...ctx.scope, id }), n],
  );
  return rows[0]?.data;
}

export type ExportEnding =
  | { readonly rows: number; readonly bytes: number; readonly digest: string; readonly manifest: string }
  | { readonly failure: string };

interface EndingAttempt {
  readonly id: string;
  readonly attempt: number;
  /** Only once its lease has lapsed. */
  readonly lapsed?: boolean | undefined;
}

/** Ends an export that this attempt still holds, else returns undefined. The parts of a failed one are deleted. */
export async function endExport(
  ctx: WriteContext,
  { id, attempt, lapsed }: EndingAttempt,
  ending: ExportEnding,
): Promise<ExportRow | undefined> {
  const key = keyOf({ ...ctx.scope, id });
  const failed = "failure" in ending;
  const values = failed
    ? [null, null, null, null, ending.failure]
    : [ending.rows, ending.bytes, ending.digest, ending.manifest, null];
  const rows = await ctx.db.query<ExportRow>(
    `update audit_exports set state = $5, rows = $6, bytes = $7, digest = $8, manifest = $9, failure = $10, lease_until = null, finished_at = now()
     where ${named} and attempt = $4 and state = 'running' ${lapsed ? "and lease_until <= now()" : ""} returning ${columns}`,
    [...key, attempt, failed ? "failed" : "completed", ...values],
  );
  if (failed && rows[0]) {
    await ctx.db.query(
      "delete from audit_export_parts where organization = $1 and environment = $2 and export_id = $3",
      key,
    );
  }
  return rows[0];
}

export interface HeldExport extends ExportAddress {
  readonly attempt: number;
}

/** Claims an export and deletes the parts of an earlier attempt. Undefined where it is finished, held by another worker, or out of attempts. */
export async function claimExport(db: Statements, address: ExportAddress): Promise<ExportRow | undefined> {
  const rows = await db.query<ExportRow>(
    `update audit_exports set state = 'running', attempt = attempt + 1, lease_until = ${leaseEnd}
     where ${named} and attempt - faults < $4 and faults < ${mostFaults} and (state = 'queued' or (state = 'running' and lease_until <= now())) returning ${columns}`,
    [...keyOf(address), mostAttempts],
  );
  if (rows[0]) {
    await db.query(
      "delete from audit_export_parts where organization = $1 and environment = $2 and export_id = $3",
      keyOf(address),
    );
  }
  return rows[0];
}

const renewed = `update audit_exports set lease_until = ${leaseEnd} where ${named} and attempt = $4 and state = 'running' returning id`;

export async function renewExport(db: Statements, held: HeldExport): Promise<boolean> {
  return (await db.query(renewed, [...keyOf(held), held.attempt])).length > 0;
}

/** Gives an export back after an error of the service, for another attempt after a pause. It counts as no lost worker. */
export async function giveBackExport(db: Statements, held: HeldExport, error: unknown): Promise<void> {
  await db.query(
    `update audit_exports set faults = faults + 1, fault = $5, lease_until = now() + ${faultPauseSql("faults")}
     where ${named} and attempt = $4 and state = 'running'`,
    [...keyOf(held), held.attempt, faultText(error)],
  );
}

/** Appends to the file and renews the lease; false, with nothing written, where the attempt has lost the export. */
export async function appendPart(
  db: Statements,
  held: HeldExport,
  part: { n: number; rows: number; data: Buffer },
): Promise<boolean> {
  const written = await db.query(
    `with held as (${renewed})
     insert into audit_export_parts (organization, environment, export_id, n, rows, data) select $1, $2, $3, $5, $6, $7 from held returning n`,
    [...keyOf(held), held.attempt, part.n, part.rows, part.data],
  );
  return written.length > 0;
}

/** A leaf with its record's salt; without a record all of it is null. */
export type SaltedLeaf = LeafRow & Omit<SaltedRecord, "body">;

/** Leaves `from` up to, without, `end` of the open origin, unfiltered: the records themselves decide what is exported. No snapshot is held over pages. */
export async function readLeaves(db: Statements, scope: Scope, from: number, end: number): Promise<SaltedLeaf[]> {
  return db.query<SaltedLeaf>(
    `with page as materialized (
       select l.leaf_index - g.first_leaf as leaf_index, ${["key_seq", ...indexColumns].map((name) => `l.${name}`).join(", ")}
       from ${auditLogRows} g join ${auditLeafRows} l on l.organization = $1 and l.environment = $2
         and l.leaf_index >= g.first_leaf + $3 and l.leaf_index < g.first_leaf + $4
       where g.organization = $1 and g.environment = $2)
     select page.*, page.record_id as id, r.body, ${saltColumns}, false as closed from page
     left join ${auditRecordRows} r on r.organization = $1 and r.environment = $2 and r.id = page.record_id
     ${saltOfRecord} order by page.leaf_index`,
    [scope.organization, scope.environment, from, end],
  );
}

/** Places from `from` up to, without, `end` of records by which text of others was removed; the newest 100. */
export async function listRemovals(db: Statements, scope: Scope, from: number, end: number): Promise<number[]> {
  const rows = await db.query<{ place: number }>(
    `select (l.leaf_index - g.first_leaf)::float8 as place from ${auditLogRows} g join ${auditLeafRows} l on l.organization = $1 and l.environment = $2
       and l.leaf_index >= g.first_leaf + $3 and l.leaf_index < g.first_leaf + $4
     where g.organization = $1 and g.environment = $2 and l.operation = any($5::text[]) and l.decision = 'allowed'
     order by l.leaf_index desc limit 100`,
    [scope.organization, scope.environment, from, end, Object.keys(removals)],
  );
  return rows.map(({ place }) => place);
}

/** For each record whether it concerns these agents and no others. */
export async function areOfAgents(
  db: Statements,
  scope: Scope,
  agents: readonly string[],
  records: readonly Pick<AuditRecord, "task_id" | "object">[],
): Promise<boolean[]> {
  const rows = await db.query<{ seen: boolean }>(
    `select ${concernsAlone("c.task", "c.object", "$5")} as seen
     from unnest($3::text[], $4::text[]) with ordinality as c(task, object, place) order by place`,
    [
      scope.organization,
      scope.environment,
      records.map((r) => storable(r.task_id)),
      records.map((r) => storable(r.object)),
      agents,
    ],
  );
  return rows.map(({ seen }) => seen);
}

/** Exports whose worker is gone or whose wake-up was lost, oldest first. */
export async function listIdleExports(db: Statements, most: number): Promise<(HeldExport & Interrupted)[]> {
  return db.query(
    `select organization, environment, id, attempt, attempt - faults as lost, faults, fault from audit_exports
     where (state = 'running' and lease_until <= now()) or (state = 'queued' and created_at < now() - interval '5 seconds')
     order by created_at limit $1`,
    [most],
  );
}

const mostDeleted = 20;

/** Deletes exports that ended before a time, with their files, one at a time. One that cannot be deleted keeps no other: its error is thrown at the end. */
export async function deleteOldExports(db: Statements, scope: Scope, before: Date): Promise<void> {
  const old = await db.query<{ id: string }>(
    `select id from audit_exports where organization = $1 and environment = $2 and finished_at < $3 order by finished_at limit ${mostDeleted}`,
    [scope.organization, scope.environment, before],
  );
  const faults: unknown[] = [];
  for (const { id } of old) await deleteExport(db, { ...scope, id }).catch((error: unknown) => faults.push(error));
  if (faults.length > 0) throw new AggregateError(faults, `${faults.length} exports could not be deleted`);
}

async function deleteExport(db: Statements, address: ExportAddress): Promise<void> {
  await db.query(
    `with parts as (delete from audit_export_parts where organization = $1 and environment = $2 and export_id = $3)
     delete from audit_exports where ${named}`,
    keyOf(address),
  );
}
