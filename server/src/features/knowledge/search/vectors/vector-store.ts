import type { QueryContext } from "../../../../kernel/db.ts";
import type { Embedded, EmbeddingModel } from "../../../../kernel/embedder.ts";
import { leaseEnd } from "../../../../kernel/lease.ts";
import type { Statements } from "../../../../kernel/machines.ts";
import type { Environment, Scope } from "../../../../kernel/principal.ts";
import { type Sight, visibleText } from "../../access.ts";
import { normalized, signsOf } from "./rules.ts";
import type { VectorHealth } from "./schemas.ts";

export interface BaseAddress extends Scope {
  readonly base: string;
}

export interface Unembedded {
  readonly place: number;
  readonly title: string;
  readonly headings: string[];
  readonly text: string;
}

const idsOf = ({ organization, environment, base }: BaseAddress) => [organization, environment, base];

export function listUnembedded(db: Statements, most: number): Promise<(BaseAddress & { environment: Environment })[]> {
  return db.query(
    `select e.organization, e.environment, e.base from base_embeddings e
     where (e.lease_until is null or e.lease_until < now()) and (e.retry_at is null or e.retry_at <= now())
       and exists (select from embedding_queue q
         where q.organization = e.organization and q.environment = e.environment and q.base = e.base and q.error is null)
     limit $1`,
    [most],
  );
}

/** Undefined: another worker has it, or it names no model. */
export async function claimBase(db: Statements, at: BaseAddress, held = false): Promise<EmbeddingModel | undefined> {
  const [row] = await db.query<{ embedding: EmbeddingModel }>(
    `update base_embeddings e set lease_until = ${leaseEnd} from knowledge_bases b
     where e.organization = $1 and e.environment = $2 and e.base = $3 and ($4 or e.lease_until is null or e.lease_until < now())
       and b.organization = $1 and b.environment = $2 and b.id = $3 and b.embedding is not null
     returning b.embedding`,
    [...idsOf(at), held],
  );
  return row?.embedding;
}

export async function renewBase(db: Statements, at: BaseAddress): Promise<void> {
  await db.query(
    `update base_embeddings set lease_until = ${leaseEnd} where organization = $1 and environment = $2 and base = $3 and lease_until > now()`,
    idsOf(at),
  );
}

export async function releaseBase(db: Statements, at: BaseAddress): Promise<void> {
  await db.query(
    "update base_embeddings set lease_until = null where organization = $1 and environment = $2 and base = $3",
    idsOf(at),
  );
}

/** 5 seconds, doubling up to 10 minutes, or as long as the provider asks. */
export async function pauseBase(
  db: Statements,
  at: BaseAddress,
  { code, detail, retryAfterMs }: { code: string; detail: string; retryAfterMs: number | null },
): Promise<void> {
  await db.query(
    `update base_embeddings set lease_until = null, failures = failures + 1, error = jsonb_build_object('code', $4::text, 'detail', $5::text, 'at', now()),
       retry_at = now() + make_interval(secs => greatest(least(600, 5 * 2 ^ least(failures, 10)), $6::float8 / 1000))
     where organization = $1 and environment = $2 and base = $3`,
    [...idsOf(at), code, detail, Math.min(retryAfterMs ?? 0, 3_600_000)],
  );
}

export function nextUnembedded(db: Statements, at: BaseAddress, most: number): Promise<Unembedded[]> {
  return db.query(
    `select p.place, p.title, p.headings, p.text from embedding_queue q
     join chunks p on p.organization = q.organization and p.environment = q.environment and p.base = q.base and p.place = q.place
     where q.organization = $1 and q.environment = $2 and q.base = $3 and q.error is null order by q.place limit $4`,
    [...idsOf(at), most],
  );
}

/** Unless chunk, text or model changed meanwhile. */
export async function keepVectors(
  db: Statements,
  at: BaseAddress,
  model: EmbeddingModel,
  chunks: readonly Unembedded[],
  { vectors, tokens }: Embedded,
  usd: number,
): Promise<void> {
  const unit = vectors.map(normalized);
  await db.query(
    `with base as (
       select id from knowledge_bases where organization = $1 and environment = $2 and id = $3 and embedding = $4::jsonb for share
     ),
     made as (
       select p.place, p.generation, n.vector::real[] as vector, n.signs::bit varying as signs
       from unnest($5::bigint[], $6::text[], $7::text[], $8::text[]) as n(place, text, vector, signs)
       join chunks p on p.organization = $1 and p.environment = $2 and p.base = $3 and p.place = n.place and p.text = n.text
       where exists (select from base) for key share of p
     ),
     kept as (
       insert into chunk_vectors (organization, environment, base, place, generation, dimensions, vector, signs)
       select $1, $2, $3, place, generation, cardinality(vector), vector, signs from made
       on conflict (organization, environment, base, place)
         do update set generation = excluded.generation, dimensions = excluded.dimensions, vector = excluded.vector, signs = excluded.signs
       returning place, dimensions
     ),
     done as (
       delete from embedding_queue q using kept k where q.organization = $1 and q.environment = $2 and q.base = $3 and q.place = k.place
     )
     update base_embeddings set failures = 0, retry_at = null, error = null, tokens = tokens + $9, usd = usd + $10,
       dimensions = coalesce((select max(k.dimensions) from kept k), dimensions)
     where organization = $1 and environment = $2 and base = $3`,
    [
      ...idsOf(at),
      JSON.stringify(model),
      chunks.map(({ place }) => place),
      chunks.map(({ text }) => text),
      unit.map((one) => `{${one.join(",")}}`),
      unit.map(signsOf),
      tokens,
      usd,
    ],
  );
}

export async function refuseChunk(db: Statements, at: BaseAddress, place: number, error: string): Promise<void> {
  await db.query(
    "update embedding_queue set error = $5 where organization = $1 and environment = $2 and base = $3 and place = $4",
    [...idsOf(at), place, error],
  );
}

/** Where the database has the extension. */
export async function indexVectors(db: Statements, dimensions: number): Promise<boolean> {
  const [row] = await db.query<{ made: boolean }>("select index_vectors($1) as made", [dimensions]);
  return row?.made ?? false;
}

/** Within sight; without those that name no model. */
export async function vectorHealth(
  { scope, db }: QueryContext,
  bases: readonly string[],
  sight: Sight = [],
): Promise<Map<string, VectorHealth>> {
  const values: unknown[] = [scope.organization, scope.environment, bases];
  const shown = visibleText(sight, ["d.readers"], (value) => `$${values.push(value)}`);
  const seen = (of: string): string =>
    shown === "true"
      ? "true"
      : `exists (select from chunks c join documents d on d.organization = $1 and d.environment = $2 and d.id = c.document
           where c.place = ${of}.place and ${shown})`;
  const rows = await db.query<VectorHealth & { base: string }>(
    `select e.base, e.dimensions, e.tokens, e.usd, e.error,
       to_regclass('chunk_vectors_hnsw_' || e.dimensions) is not null as indexed,
       (select count(*)::int from chunk_vectors v where v.organization = $1 and v.environment = $2 and v.base = b.id and v.generation = b.generation and ${seen("v")}) as embedded,
       (select count(*)::int from chunks p where p.organization = $1 and p.environment = $2 and p.base = b.id and p.generation = b.generation and ${seen("p")}) as of,
       (select count(*)::int from embedding_queue q where q.organization = $1 and q.environment = $2 and q.base = b.id and q.error is not null and ${seen("q")}) as failing
     from base_embeddings e join knowledge_bases b on b.organization = $1 and b.environment = $2 and b.id = e.base
     where e.organization = $1 and e.environment = $2 and e.base = any($3::text[])`,
    values,
  );
  return new Map(rows.map(({ base, ...health }) => [base, health]));
}
