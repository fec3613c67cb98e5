import { all, first, select, sql, update } from "../../../db/scoped.ts";
import { storedDeciders } from "../../../kernel/actor.ts";
import type { WriteContext } from "../../../kernel/context.ts";
import type { QueryContext } from "../../../kernel/db.ts";
import { refuse } from "../../../kernel/errors.ts";
import { leaseEnd, workLease } from "../../../kernel/lease.ts";
import type { Statements } from "../../../kernel/machines.ts";
import type { Scope } from "../../../kernel/principal.ts";
import { notFound } from "../../../kernel/problems.ts";
import { queuedFor } from "./ingest.ts";
import { ingestJob, type Pending } from "./rules.ts";

export interface ReindexedBase extends Scope {
  readonly id: string;
  readonly attempt: number;
  readonly language: string;
  readonly settings: { readonly chunk_length?: number };
  readonly generation: number;
  /** Null: complete; former generations are left to remove. */
  readonly next_generation: number | null;
  readonly after: string;
  /** In a row without progress, with this one. */
  readonly tries: number;
}

export type HeldBase = Scope & Pick<ReindexedBase, "id" | "attempt">;

export const mostReindexTries = 30;
const another = (base: string): string => `${base}.reindex_generation is distinct from ${base}.next_generation`;

export const reindexGaveUp = (base: string): string =>
  `(${base}.reindex_tries >= ${mostReindexTries} and not (${another(base)}) and (${base}.reindex_lease is null or ${base}.reindex_lease <= now()))`;
const keyOf = ({ organization, environment, id }: Scope & { id: string }): unknown[] => [organization, environment, id];

/** A different next generation starts at the first document. */
export async function claimReindex(
  db: Statements,
  address: Scope & { id: string },
): Promise<ReindexedBase | undefined> {
  const rows = await db.query<ReindexedBase>(
    `update knowledge_bases b set reindex_attempt = b.reindex_attempt + 1, reindex_lease = ${leaseEnd}, reindex_generation = b.next_generation,
       reindex_after = case when n.same then b.reindex_after else '' end, reindex_done = case when n.same then b.reindex_done else 0 end,
       reindex_tries = case when n.same then b.reindex_tries + 1 else 1 end,
       reindex_total = case when n.same then b.reindex_total else n.total end
     from (
       select not (${another("k")}) as same,
         (select count(*)::int from documents d where d.organization = $1 and d.environment = $2 and d.base = $3) as total
       from knowledge_bases k where k.organization = $1 and k.environment = $2 and k.id = $3
     ) n
     where b.organization = $1 and b.environment = $2 and b.id = $3
       and (b.next_generation is not null or b.reindex_lease is not null) and (b.reindex_lease is null or b.reindex_lease <= now())
       and not ${reindexGaveUp("b")}
     returning b.organization, b.environment, b.id, b.reindex_attempt as attempt, coalesce(b.next_language, b.language) as language, b.settings,
       b.generation, b.next_generation, b.reindex_after as after, b.reindex_tries as tries`,
    keyOf(address),
  );
  return rows[0];
}

/** Or lets it lapse. False: the attempt has lost the base. */
export async function renewReindex(
  db: Statements,
  held: HeldBase,
  seconds: number = workLease.seconds,
): Promise<boolean> {
  const rows = await db.query(
    `update knowledge_bases set reindex_lease = now() + $5 * interval '1 second'
     where organization = $1 and environment = $2 and id = $3 and reindex_attempt = $4 and reindex_lease is not null returning id`,
    [...keyOf(held), held.attempt, seconds],
  );
  return rows.length > 0;
}

/** Over all scopes. */
export function listIdleReindexes(db: Statements, most: number): Promise<(Scope & { id: string })[]> {
  return db.query(
    `select organization, environment, id from knowledge_bases b
     where (next_generation is not null or reindex_lease is not null) and (reindex_lease is null or reindex_lease <= now())
       and not ${reindexGaveUp("b")}
     order by reindex_lease nulls first limit $1`,
    [most],
  );
}

export function readToReindex(ctx: QueryContext, base: string, after: string, take: number) {
  return all(
    ctx,
    select(ctx, "documents", "d")
      .select(["d.id", "d.external_id", "d.title", "d.text", "d.version", "d.file_digest", "d.file_name"])
      .select(["d.media_type", sql<Record<string, unknown> | null>`d.fields`.as("fields")])
      .where("d.base", "=", base)
      .where("d.id", ">", after)
      .orderBy("d.id")
      .limit(take),
  );
}

export type ToReindex = Awaited<ReturnType<typeof readToReindex>>[number];

export function lockReindexed(
  ctx: QueryContext,
  { base, attempt, next }: { readonly base: string; readonly attempt: number; readonly next: number | null },
) {
  return first(
    ctx,
    select(ctx, "knowledge_bases", "b")
      .select(["b.id", "b.name", "b.language", "b.generation", "b.next_generation", "b.next_language"])
      .where("b.id", "=", base)
      .where("b.reindex_attempt", "=", attempt)
      .where("b.reindex_lease", "is not", null)
      .where(sql<boolean>`b.next_generation is not distinct from ${next}::int`)
      .forUpdate(),
  );
}

export async function stillOfVersion(
  ctx: QueryContext,
  documents: readonly { readonly id: string; readonly version: number }[],
): Promise<Set<string>> {
  const ids = documents.map(({ id }) => id);
  const rows = await all(
    ctx,
    select(ctx, "documents", "d").select(["d.id", "d.version"]).where(sql<boolean>`d.id = any(${ids}::text[])`),
  );
  const present = new Map(rows.map(({ id, version }) => [id, version]));
  return new Set(documents.filter(({ id, version }) => present.get(id) === version).map(({ id }) => id));
}

export async function noteReindexed(ctx: QueryContext, base: string, after: string, documents: number): Promise<void> {
  await first(
    ctx,
    update(ctx, "knowledge_bases")
      .set((of) => ({
        reindex_after: after,
        reindex_done: of("reindex_done", "+", documents),
        reindex_lease: sql<Date>`${sql.raw(leaseEnd)}`,
        reindex_tries: 0,
      }))
      .where("id", "=", base),
  );
}

export async function flipGeneration(ctx: QueryContext, base: string): Promise<void> {
  await first(
    ctx,
    update(ctx, "knowledge_bases")
      .set({
        generation: sql<number>`next_generation`,
        language: sql<string>`coalesce(next_language, language)`,
        next_generation: null,
        next_language: null,
        reindex_generation: null,
        reindex_after: "",
        reindex_tries: 0,
      })
      .where("id", "=", base),
  );
}

export async function noteRemoved(ctx: QueryContext, base: string, done: boolean): Promise<void> {
  const set = { reindex_tries: 0, ...(done && { reindex_lease: null }) };
  await first(ctx, update(ctx, "knowledge_bases").set(set).where("id", "=", base));
}

export async function listFormer(
  { scope, db }: QueryContext,
  base: string,
  generation: number,
  { after, take }: { after: string; take: number },
): Promise<string[]> {
  const rows = await db.query<{ document: string }>(
    `select document from chunks where organization = $1 and environment = $2 and base = $3 and document > $4 and generation < $5
     group by document order by document limit $6`,
    [scope.organization, scope.environment, base, after, generation, take],
  );
  return rows.map(({ document }) => document);
}

export async function formerGenerations(
  { scope, db }: QueryContext,
  base: string,
  generation: number,
  documents: readonly string[],
): Promise<number[]> {
  const rows = await db.query<{ generation: number }>(
    `select distinct generation from chunks where organization = $1 and environment = $2 and base = $3 and document = any($4::text[]) and generation < $5`,
    [scope.organization, scope.environment, base, documents, generation],
  );
  return rows.map((row) => row.generation);
}

const working: readonly string[] = ["queued", "parsing", "indexing"];

/** Failed contents are tried again; served ones are cut again. Returns the row. */
export async function queueReindex(ctx: QueryContext & Pick<WriteContext, "now" | "enqueue">, id: string) {
  const row = await first(
    ctx,
    select(ctx, "documents", "d")
      .select(["d.id", "d.state", "d.version", "d.attempt", "d.pending", "d.digest", "d.author", "d.source"])
      .select(["d.file_name", "d.media_type", "d.size", "d.file_digest", "d.url", "d.deciders"])
      .where("d.id", "=", id)
      .forUpdate(),
  );
  if (!row) throw refuse(notFound, "The document was just deleted.");
  if (working.includes(row.state)) return row;
  const { version, digest, author, source, file_name, media_type, size, file_digest, url } = row;
  const deciders = storedDeciders(row.deciders);
  const served = { version, digest, author, source, file_name, media_type, size, file_digest, url, deciders };
  const waiting = row.state === "failed" ? (row.pending as Pending | null) : null;
  const pending = { ...(waiting ?? { what: "chunks", title: null, ...served }), after: row.attempt + 1 };
  const lease_until = new Date(ctx.now + queuedFor);
  const queued = { state: "queued", progress: 0, error: null, attempt: row.attempt + 1, lease_until } as const;
  await first(
    ctx,
    update(ctx, "documents")
      .set({ ...queued, pending: JSON.stringify(pending) })
      .where("id", "=", id),
  );
  ctx.enqueue(ingestJob(ctx.scope, id));
  return { ...row, state: queued.state };
}
