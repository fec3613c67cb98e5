import { afterAll, beforeAll, expect, it, vi } from "vitest";
import type { WireServer } from "../../../../runtime/models/providers/testing.ts";
import { useApp } from "../../../../testing/app.ts";
import { startEmbeddings } from "../../search/vectors/embeddings.fixture.ts";

const app = useApp({ role: "all" });
let server: WireServer;
beforeAll(async () => {
  server = await startEmbeddings();
  const body = { name: "embeddings", kind: "openai-compatible", base_url: server.url };
  await app.call("POST", "/v1/admin/connections", { body });
});
afterAll(() => server.close());

const documents = [
  { external_id: "car", title: "Garage", text: "The automobile is in the garage." },
  { external_id: "refund", title: "Refunds", text: "A refund takes five days." },
  { external_id: "hours", title: "Hours", text: "The office opens at nine." },
];
const questions = [
  { question: "how long does a refund take", expected: [{ document: "refund", grade: 2 }, "hours"] },
  { question: "where did I leave my vehicle", expected: ["car"] },
  { question: "where is the garage", expected: ["gone"] },
];

async function newBase(name: string, embedding: object | null) {
  await app.call("POST", "/v1/knowledge/bases", { body: { name, embedding } });
  await app.call("POST", `/v1/knowledge/bases/${name}/documents/bulk`, { body: { documents } });
  return (body: object) => app.call("POST", `/v1/knowledge/bases/${name}/test`, { body });
}

it("scores questions by words, and lists misses with what stood at the top", async () => {
  const test = await newBase("by-words", null);
  const { status, body } = await test({ questions });
  expect(status).toBe(200);
  expect(body).toMatchObject({ questions: 3, asked: 3, difference: null });
  expect(body.figures.map(({ mode }: { mode: string }) => mode)).toEqual(["words"]);
  expect(body.results[0].scores[0]).toMatchObject({ recall_at_10: 0.5, reciprocal_rank: 1 });
  expect(body.results[0].scores[0].ndcg_at_10).toBeCloseTo(2 / (2 + 1 / Math.log2(3)), 10);
  expect(body.results[2].unknown).toEqual(["gone"]);
  expect(body.figures[0].figures.reciprocal_rank.mean).toBeCloseTo(1 / 3, 10);
  expect(body.misses.map(({ index }: { index: number }) => index)).toEqual([1, 2]);
  expect(body.misses[1].found[0]).toMatchObject({ external_id: "car", title: "Garage" });
});

it("compares words with words and vectors where the base has vectors, and asks for all of them at once", async () => {
  const test = await newBase("hybrid", { connection: "embeddings", model: "concepts-1" });
  await vi.waitFor(async () => {
    const { rows } = await app.pool.query("select from chunk_vectors");
    expect(rows).toHaveLength(documents.length);
  }, 20_000);
  const before = server.requests.length;
  const { body } = await test({ questions });
  expect(server.requests.length).toBe(before + 1);
  expect(body.figures.map(({ mode }: { mode: string }) => mode)).toEqual(["words", "hybrid"]);
  const [words, hybrid] = body.results[1].scores;
  expect([words.reciprocal_rank, hybrid.reciprocal_rank]).toEqual([0, 1]);
  expect(body.difference.ndcg_at_10).toBeGreaterThan(0);
  expect(body.misses.map(({ index }: { index: number }) => index)).toEqual([2]);
});

it("finds nothing for a caller who may not read what is expected", async () => {
  const test = await newBase("restricted", null);
  const { rows } = await app.pool.query(
    "update documents set readers = '{role:approver}' where external_id = 'refund' and base = (select id from knowledge_bases where name = 'restricted') returning id",
  );
  expect((await test({ questions: questions.slice(0, 1) })).body.results[0].unknown).toEqual([]);
  const asViewer = await app.call("POST", "/v1/knowledge/bases/restricted/test", {
    key: "viewer",
    body: { questions: questions.slice(0, 1) },
  });
  expect(asViewer.body.results[0].unknown).toEqual(["refund"]);
  expect(asViewer.text).not.toContain(rows[0]?.id);
});

it("refuses a third test of a process at a time", async () => {
  const test = await newBase("busy", null);
  const many = { questions: Array.from({ length: 60 }, () => questions[0]) };
  const answers = await Promise.all([1, 2, 3].map(() => test(many)));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 503]);
  expect(answers.find(({ status }) => status === 503)?.body.code).toBe("overloaded");
});
