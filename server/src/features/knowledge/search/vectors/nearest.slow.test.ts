import { readFile } from "node:fs/promises";
import { PGlite } from "@electric-sql/pglite";
import { vector } from "@electric-sql/pglite-pgvector";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { QueryContext } from "../../../../kernel/db.ts";
import { defaultOrganization, type Scope } from "../../../../kernel/principal.ts";
import { nearestChunks as nearest, type SearchedBase } from "./nearest.ts";
import { innerProduct, normalized, signsOf } from "./rules.ts";
import { indexVectors } from "./vector-store.ts";

const migration = new URL("../../../../db/migrations/0037_vectors.sql", import.meta.url);
/** What the migration finds there. */
const before = `
  create table knowledge_bases (organization text collate "C", environment text collate "C", id text collate "C", primary key (organization, environment, id));
  create table chunks (organization text collate "C", environment text collate "C", base text collate "C", document text, generation integer, number integer,
    place bigint generated always as identity, title text, text text, headings text[]);
  create table knowledge_questions (organization text collate "C", environment text collate "C", base text collate "C", at timestamptz)`;

const scope: Scope = { organization: defaultOrganization, environment: "development" };
const dimensions = 32;
const count = 1_200;

/** From 0 to below 1, the same ones in each run (mulberry32). */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}
const next = randomNumbers(5);
/** Texts lie around topics, as real ones do. */
const topics = Array.from({ length: 40 }, () => Array.from({ length: dimensions }, () => next() - 0.5));
const around = (topic: number): number[] =>
  normalized((topics[topic % topics.length] as number[]).map((x) => x + (next() - 0.5) * 0.6));
const vectors = Array.from({ length: count }, (_, at) => ({
  base: at % 5 === 0 ? "kb_b" : "kb_a",
  vector: around(at),
}));
const queries = Array.from({ length: 8 }, (_, at) => around(at * 3));

async function open(): Promise<{ pg: PGlite; ctx: QueryContext }> {
  const pg = await PGlite.create({ extensions: { vector } });
  await pg.exec(before);
  await pg.exec(await readFile(migration, "utf8"));
  const db = {
    query: async <R extends object>(text: string, values: readonly unknown[] = []) => {
      const { rows } = await pg.query<R>(text, values as unknown[]);
      return rows.map((row) =>
        "packed" in row ? { ...row, packed: Buffer.from(row.packed as Uint8Array) } : row,
      ) as R[];
    },
  };
  return { pg, ctx: { scope, db } };
}

async function fill(pg: PGlite): Promise<void> {
  await pg.query(
    `insert into chunk_vectors (organization, environment, base, place, generation, dimensions, vector, signs)
     select $1, $2, base, place, 1, ${dimensions}, vector::real[], signs::bit varying
     from unnest($3::text[], $4::bigint[], $5::text[], $6::text[]) as v(base, place, vector, signs)`,
    [
      scope.organization,
      scope.environment,
      vectors.map(({ base }) => base),
      vectors.map((_, at) => at + 1),
      vectors.map((one) => `{${one.vector.join(",")}}`),
      vectors.map((one) => signsOf(one.vector)),
    ],
  );
}

/** The places of the nearest. */
const nearestChunks = async (
  ctx: QueryContext,
  bases: readonly SearchedBase[],
  query: readonly number[],
  how: { limit: number; indexed: boolean },
) => {
  const found = await nearest(ctx, bases, query, how);
  for (const { place, likeness } of found)
    expect(likeness).toBeCloseTo(dot(query, vectors[place - 1]?.vector ?? []), 2);
  return found.map(({ place }) => place);
};
const dot = (a: readonly number[], b: readonly number[]) => a.reduce((sum, x, at) => sum + x * (b[at] as number), 0);
/** The places that are nearest in truth. */
const truth = (query: readonly number[], limit: number, base?: string): number[] =>
  vectors
    .map((one, at) => ({ place: at + 1, base: one.base, likeness: dot(query, one.vector) }))
    .filter((one) => base === undefined || one.base === base)
    .sort((a, b) => b.likeness - a.likeness)
    .slice(0, limit)
    .map(({ place }) => place);
const shared = (found: readonly number[], expected: readonly number[]) =>
  found.filter((place) => expected.includes(place)).length / expected.length;

const both = [
  { id: "kb_a", generation: 1 },
  { id: "kb_b", generation: 1 },
];

let opened: Awaited<ReturnType<typeof open>>;
beforeAll(async () => {
  opened = await open();
  expect(await indexVectors(opened.ctx.db, dimensions)).toBe(true);
  await fill(opened.pg);
  await opened.pg.exec("analyze chunk_vectors");
});
afterAll(() => opened.pg.close());

describe("without an index", () => {
  it("finds exactly the nearest", async () => {
    for (const query of queries)
      expect(await nearestChunks(opened.ctx, both, query, { limit: 20, indexed: false })).toEqual(truth(query, 20));
  });

  it("searches the bases and generations that are asked for alone", async () => {
    const [query] = queries as [number[]];
    const within = (id: string, generation: number) =>
      nearestChunks(opened.ctx, [{ id, generation }], query, { limit: 10, indexed: false });
    expect(await within("kb_b", 1)).toEqual(truth(query, 10, "kb_b"));
    expect(await within("kb_b", 2)).toEqual([]);
    const elsewhere = { ...opened.ctx, scope: { ...scope, environment: "production" } as Scope };
    expect(await nearestChunks(elsewhere, both, query, { limit: 10, indexed: false })).toEqual([]);
  });
});

describe("with pgvector", () => {
  it("finds nearly all of what the exact search finds, by its index", async () => {
    const found = await Promise.all(
      queries.map((query) => nearestChunks(opened.ctx, both, query, { limit: 20, indexed: true })),
    );
    const recall = found.map((places, at) => shared(places, truth(queries[at] as number[], 20)));
    expect(recall.reduce((sum, one) => sum + one) / recall.length).toBeGreaterThan(0.95);
    const { rows } = await opened.pg.query<{ "QUERY PLAN": string }>(
      `explain select place from chunk_vectors where dimensions = ${dimensions} order by vector::halfvec(${dimensions}) <=> '{${queries[0]}}'::real[]::halfvec(${dimensions}) limit 20`,
    );
    expect(JSON.stringify(rows)).toContain(`chunk_vectors_hnsw_${dimensions}`);
  });

  it("fills its limit from a small base among others", async () => {
    for (const query of queries.slice(0, 5)) {
      const found = await nearestChunks(opened.ctx, [{ id: "kb_b", generation: 1 }], query, {
        limit: 20,
        indexed: true,
      });
      expect(found).toHaveLength(20);
      expect(shared(found, truth(query, 20, "kb_b"))).toBeGreaterThan(0.9);
    }
  });

  it("indexes what was there when it is turned on later", async () => {
    await opened.pg.exec("drop extension vector cascade");
    expect(await indexVectors(opened.ctx.db, dimensions)).toBe(false);
    await opened.pg.exec("select enable_vector_index()");
    const [query] = queries as [number[]];
    const found = await nearestChunks(opened.ctx, both, query, { limit: 10, indexed: true });
    expect(shared(found, truth(query, 10))).toBeGreaterThan(0.8);
  });
});

it("reads a packed array as PostgreSQL writes it, and none of other dimensions", () => {
  fc.assert(
    fc.property(fc.array(fc.float({ noNaN: true, min: -1, max: 1 }), { minLength: 1, maxLength: 20 }), (numbers) => {
      const packed = Buffer.alloc(20 + numbers.length * 8);
      for (const [at, x] of numbers.entries()) packed.writeFloatBE(x, 24 + at * 8);
      expect(innerProduct(numbers, packed)).toBeCloseTo(dot(numbers, numbers), 5);
      expect(innerProduct([...numbers, 1], packed)).toBeNull();
    }),
  );
});
