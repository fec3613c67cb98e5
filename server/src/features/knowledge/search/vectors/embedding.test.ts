import { afterAll, beforeAll, expect, it, vi } from "vitest";
import type { WireServer } from "../../../../runtime/models/providers/testing.ts";
import { type TestApp, useApp } from "../../../../testing/app.ts";
import { type Failing, startEmbeddings } from "./embeddings.fixture.ts";
import { vectorCandidates } from "./nearest.ts";
import { vectorHealth } from "./vector-store.ts";

const app = useApp({ role: "all" });
let failing: Failing = () => null;
let server: WireServer;
beforeAll(async () => {
  server = await startEmbeddings((request, n) => failing(request, n));
  const body = {
    name: "embeddings",
    kind: "openai-compatible",
    base_url: server.url,
    secret: "sk-loopback-0123456789",
  };
  expect((await app.call("POST", "/v1/admin/connections", { body })).status).toBe(201);
});
afterAll(() => server.close());

const embedding = { connection: "embeddings", model: "concepts-1", dimensions: 32 };
let bases = 0;

async function newBase(texts: readonly string[], settings: object | null = embedding) {
  const name = `meanings-${++bases}`;
  const { body } = await app.call("POST", "/v1/knowledge/bases", { body: { name, embedding: settings } });
  const documents = texts.map((text, at) => ({ external_id: `t${at}`, text }));
  const added = await app.call("POST", `/v1/knowledge/bases/${name}/documents/bulk`, { body: { documents } });
  expect(added.status).toBe(207);
  return body.base_id as string;
}

const contextOf = (one: TestApp) => ({
  scope: one.scope,
  facts: one.app.facts,
  port: one.app.port,
  db: {
    query: async <R extends object>(text: string, values?: readonly unknown[]) =>
      (await one.pool.query(text, values as unknown[])).rows as R[],
    load: () => Promise.reject(new Error("loads nothing")),
  },
});

const health = async (base: string) => (await vectorHealth(contextOf(app), [base])).get(base);
const embedded = (base: string, count: number) =>
  vi.waitFor(async () => expect(await health(base)).toMatchObject({ embedded: count, of: count, error: null }), 20_000);

/** The texts found, best first. */
async function search(base: string, query: string, generation = 1): Promise<string[]> {
  const found = await vectorCandidates(contextOf(app), [{ id: base, generation }], query, 3);
  expect(found.map(({ rank }) => rank)).toEqual(found.map((_, at) => at + 1));
  const { rows } = await app.pool.query<{ place: string; text: string }>("select place, text from chunks");
  return found.map(({ place }) => rows.find((row) => Number(row.place) === place)?.text ?? "");
}

const texts = [
  "How to cancel a contract.",
  "The automobile is in the garage.",
  "A refund takes five days.",
  "Shipment is late.",
];

it("finds chunks by what they mean once the job has embedded them", async () => {
  const base = await newBase(texts);
  await embedded(base, texts.length);
  expect((await search(base, "my car"))[0]).toBe(texts[1]);
  expect((await search(base, "package overdue"))[0]).toBe(texts[3]);
  expect(await search(base, "my car", 2)).toEqual([]);
  expect(await health(base)).toMatchObject({ failing: 0, dimensions: 32, indexed: false, tokens: 28 });
  const [request] = server.requests;
  expect(request).toMatchObject({
    method: "POST",
    path: "/v1/embeddings",
    body: { model: "concepts-1", dimensions: 32 },
  });
  expect(request?.headers.authorization).toBe("Bearer sk-loopback-0123456789");
});

it("sends neither personal data of a text nor of a question", async () => {
  const before = server.requests.length;
  const base = await newBase(["Write to ann@example.com for a refund."]);
  await embedded(base, 1);
  await search(base, "did bob@example.com get a refund?");
  const sent = JSON.stringify(server.requests.slice(before).map(({ body }) => body));
  expect(sent).toContain("[email_1]");
  expect(sent).not.toContain("example.com");
});

it("asks once for a question that is asked again", async () => {
  const base = await newBase(["A refund takes five days."]);
  await embedded(base, 1);
  const before = server.requests.length;
  await Promise.all([search(base, "money back"), search(base, "money back")]);
  await search(base, "money back");
  expect(server.requests.length).toBe(before + 1);
});

it("forgets the vectors of a document that is replaced or deleted", async () => {
  const base = await newBase(["The automobile is in the garage."]);
  await embedded(base, 1);
  const document = { external_id: "t0", text: "Nothing about that any more." };
  await app.call("POST", `/v1/knowledge/bases/${base}/documents`, { body: document });
  await embedded(base, 1);
  await app.pool.query("delete from chunks where base = $1", [base]);
  const { rows } = await app.pool.query(
    "select place from chunk_vectors where base = $1 union all select place from embedding_queue where base = $1",
    [base],
  );
  expect(rows).toEqual([]);
});

it("makes all vectors again for another model, and none without one", async () => {
  const base = await newBase(texts);
  await embedded(base, texts.length);
  const set = (value: object | null) =>
    app.pool.query("update knowledge_bases set embedding = $2 where id = $1", [base, value && JSON.stringify(value)]);
  await set({ ...embedding, dimensions: 16 });
  await vi.waitFor(async () => expect(await health(base)).toMatchObject({ embedded: 4, dimensions: 16 }), 20_000);
  expect((await search(base, "my car"))[0]).toBe(texts[1]);
  await set(null);
  expect(await health(base)).toBeUndefined();
  expect(await search(base, "my car")).toEqual([]);
});

it("puts a text aside that the provider refuses, and embeds the others", async () => {
  failing = ({ body }) =>
    body.input.some((text: string) => text.includes("unbearable"))
      ? { status: 400, message: "too many input tokens" }
      : null;
  const base = await newBase([...texts, "An unbearable text."]);
  await vi.waitFor(
    async () => expect(await health(base)).toMatchObject({ embedded: 4, of: 5, failing: 1, error: null }),
    20_000,
  );
  failing = () => null;
});

it("says why it does not go on, and works without vectors meanwhile", async () => {
  const base = await newBase(texts, { ...embedding, connection: "not-there" });
  await vi.waitFor(async () => {
    expect((await health(base))?.error).toMatchObject({ code: "provider_not_configured" });
  }, 20_000);
  expect(await search(base, "my car")).toEqual([]);
});

it("is charged to the environment's budgets, and waits where one is used up", async () => {
  const key = [app.scope.organization, app.scope.environment];
  const change = async (text: string) => {
    await app.pool.query(text, key);
    await app.pool.query(
      "insert into fact_epochs (topic, epoch) values ('budgets', 1) on conflict (topic) do update set epoch = fact_epochs.epoch + 1",
    );
    await app.app.facts.refresh();
  };
  await change(
    "insert into budgets (organization, environment, scope, unit, period, hard, author) values ($1, $2, 'environment', 'tokens', 'total', 1, 'test')",
  );
  try {
    const before = server.requests.length;
    const base = await newBase(texts);
    const paused = async () => expect((await health(base))?.error).toMatchObject({ code: "budget_exhausted" });
    await vi.waitFor(paused, 20_000);
    expect(server.requests.length).toBe(before);
  } finally {
    await change("delete from budgets where organization = $1 and environment = $2");
  }
});
