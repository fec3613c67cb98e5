import { beforeAll, expect, it } from "vitest";
import { useDatabase } from "../../../../testing/database.ts";
import { claimBase, keepVectors, nextUnembedded, releaseBase } from "./vector-store.ts";

const database = useDatabase();
const at = { organization: "default", environment: "development", base: "kb_vectors" } as const;
const model = { connection: "embeddings", model: "concepts-1" };
const db = {
  query: async <R extends object>(text: string, values?: readonly unknown[]) =>
    (await database.pool.query(text, values as unknown[])).rows as R[],
};

beforeAll(async () => {
  await database.pool.query(
    `insert into knowledge_bases (organization, environment, id, name) values ('default', 'development', 'kb_vectors', 'vectors')`,
  );
  await database.pool.query("update knowledge_bases set embedding = $1 where id = 'kb_vectors'", [model]);
  await database.pool.query(
    `insert into documents (organization, environment, id, base, title, text) values ('default', 'development', 'doc_1', 'kb_vectors', '', '')`,
  );
  await database.pool.query(
    `insert into chunks (organization, environment, base, document, number, title, text, lexemes, stems)
     values ('default', 'development', 'kb_vectors', 'doc_1', 1, '', 'A boat.', to_tsvector('A boat.'), 1)`,
  );
});

it("keeps no vector of a text or by a model that changed meanwhile, and the others with length 1", async () => {
  const chunks = await nextUnembedded(db, at, 10);
  expect(chunks).toMatchObject([{ text: "A boat." }]);
  const kept = async (texts: typeof chunks, by: typeof model) => {
    await keepVectors(db, at, by, texts, { vectors: [[3, 4]], tokens: 1 }, 0);
    return (await db.query<{ vector: number[] }>("select vector from chunk_vectors")).map(({ vector }) => vector);
  };
  const former = chunks.map((one) => ({ ...one, text: "A ship." }));
  expect(await kept(former, model)).toEqual([]);
  expect(await kept(chunks, { ...model, model: "concepts-0" })).toEqual([]);
  expect(await nextUnembedded(db, at, 10)).toEqual(chunks);
  expect(await kept(chunks, model)).toEqual([[0.6, 0.8]]);
  expect(await nextUnembedded(db, at, 10)).toEqual([]);
});

it("gives a base to one worker at a time", async () => {
  expect(await claimBase(db, at)).toEqual(model);
  expect(await claimBase(db, at)).toBeUndefined();
  expect(await claimBase(db, at, true)).toEqual(model);
  await releaseBase(db, at);
  expect(await claimBase(db, at)).toEqual(model);
});
