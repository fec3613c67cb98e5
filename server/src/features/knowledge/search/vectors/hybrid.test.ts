import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { startWireServer, type WireServer } from "../../../../runtime/models/providers/testing.ts";
import { useApp } from "../../../../testing/app.ts";
import { startEmbeddings } from "./embeddings.fixture.ts";

const app = useApp({ role: "all" });
let server: WireServer;
beforeAll(async () => {
  server = await startEmbeddings();
  const connection = { name: "embeddings", kind: "openai-compatible", base_url: server.url };
  await app.call("POST", "/v1/admin/connections", { body: { ...connection, secret: "sk-loopback-0123456789" } });
  const embedding = { connection: "embeddings", model: "concepts-1", dimensions: 32 };
  await app.call("POST", "/v1/knowledge/bases", { body: { name: "garage", embedding } });
  const documents = [
    { title: "Public", text: "The automobile is in the garage." },
    { title: "Hidden", text: "An automobile of the head office.", readers: ["role:approver"] },
    { title: "Other", text: "A refund is paid at the garage, and a contract of the garage is cancelled there." },
  ];
  await app.call("POST", "/v1/knowledge/bases/garage/documents/bulk", { body: { documents } });
  await vi.waitFor(async () => {
    const { rows } = await app.pool.query("select place from chunk_vectors");
    expect(rows).toHaveLength(documents.length);
  }, 20_000);
});
afterAll(() => server.close());

interface Passage {
  readonly title: string;
  readonly score: number;
}
async function search(query: string, hybrid: string, key = "admin"): Promise<Passage[]> {
  return (await app.call("POST", "/v1/knowledge/search", { body: { query, hybrid }, key })).body.data;
}
const titles = (passages: readonly Passage[]) => passages.map(({ title }) => title);

it("finds by meaning what the caller may read, and nothing else", async () => {
  expect(
    titles(await search("my car", "vectors"))
      .slice(0, 2)
      .sort(),
  ).toEqual(["Hidden", "Public"]);
  for (const hybrid of ["vectors", "auto"])
    expect(titles(await search("my car", hybrid, "viewer")).sort()).toEqual(["Other", "Public"]);
});

it("scores each passage by its ranks among words and meanings", async () => {
  const query = "automobile garage";
  const lists = [titles(await search(query, "words")), titles(await search(query, "vectors"))];
  const fused = await search(query, "auto");
  expect(lists[0]).toHaveLength(3);
  for (const { title, score } of fused) {
    const parts = lists.map((list) => list.indexOf(title)).map((at) => (at < 0 ? 0 : 1 / (61 + at)));
    expect(score).toBeCloseTo(
      parts.reduce((sum, part) => sum + part),
      4,
    );
  }
});

it("orders the best passages by a reranker that all bases name, and says so; where it fails, the plain order stays", async () => {
  const asked = (name: string) => ({ body: { query: "automobile garage", bases: [name], hybrid: "words" } });
  const plain = (await app.call("POST", "/v1/knowledge/search", asked("garage"))).body;
  expect(plain.reranked).toBeNull();
  const order = titles(plain.data);
  let last = 1;
  const ranker = await startWireServer(({ body }) => {
    const { documents } = body as { documents: string[] };
    last = documents.length - 1;
    return { json: { results: documents.map((_text, index) => ({ index, relevance_score: index / 10 })) } };
  });
  try {
    const connection = {
      name: "ranker",
      kind: "openai-compatible",
      base_url: ranker.url,
      secret: "sk-loopback-0123456789",
    };
    await app.call("POST", "/v1/admin/connections", { body: connection });
    const body = { reranker: { connection: "ranker", model: "r-1" } };
    expect((await app.call("PATCH", "/v1/knowledge/bases/garage", { body })).status).toBe(200);
    const found = (await app.call("POST", "/v1/knowledge/search", asked("garage"))).body;
    expect([found.reranked, titles(found.data)]).toEqual([true, order.toReversed()]);
    expect(last).toBe(order.length - 1);
  } finally {
    await ranker.close();
  }
  const failed = (await app.call("POST", "/v1/knowledge/search", asked("garage"))).body;
  expect([failed.reranked, titles(failed.data)]).toEqual([false, order]);
  expect([plain.note, failed.note]).toEqual([null, "The reranker r-1 could not be reached in time."]);
});
