import { expect, it } from "vitest";
import { useApp } from "../../../../testing/app.ts";

const app = useApp();
let bases = 0;
async function created(body: object = {}): Promise<string> {
  const name = `shelf-${++bases}`;
  expect((await app.call("POST", "/v1/knowledge/bases", { body: { name, ...body } })).status).toBe(201);
  return name;
}
const change = (base: string, body: object, options = {}) =>
  app.call("PATCH", `/v1/knowledge/bases/${base}`, { body, ...options });
const read = async (base: string) => (await app.call("GET", `/v1/knowledge/bases/${base}`)).body;

it("changes what is named, and says that nothing is indexed again", async () => {
  const base = await created({ description: "Before." });
  const before = await read(base);
  const { status, body } = await change(base, { review_days: 30, readers: ["role:builder"] });
  expect(status).toBe(200);
  expect(body).toMatchObject({ review_days: 30, readers: ["role:builder"], description: "Before.", reindex: "none" });
  expect(body.revision).toBe(before.revision + 1);
});

it("queues a new index for another language or chunk length, and serves the present one meanwhile", async () => {
  const base = await created({ language: "english" });
  await app.call("POST", `/v1/knowledge/bases/${base}/documents`, { body: { external_id: "a", text: "Leads wait." } });
  const { body } = await change(base, { language: "german", settings: { chunk_length: 500 } });
  expect(body).toMatchObject({ reindex: "queued", language: "german", settings: { chunk_length: 500 }, chunks: 1 });
  expect(body.health).toMatchObject({ state: "indexing", reindexing: true });
  const { rows } = await app.pool.query(
    "select id, language, next_language, generation, next_generation from knowledge_bases where name = $1",
    [base],
  );
  expect(rows).toMatchObject([{ language: "english", next_language: "german", generation: 1, next_generation: 2 }]);
  await app.call("POST", `/v1/knowledge/bases/${base}/documents`, { body: { external_id: "a", text: "Leads go." } });
  const chunks = await app.pool.query("select generation, text from chunks where base = $1 order by 1", [rows[0].id]);
  expect(chunks.rows).toEqual([
    { generation: 1, text: "Leads go." },
    { generation: 2, text: "Leads go." },
  ]);
  expect((await change(base, { language: "german" })).body.reindex).toBe("none");
});

it("cuts texts that come as its settings say", async () => {
  const base = await created({ settings: { chunk_length: 200 } });
  const text = Array.from({ length: 20 }, (_, at) => `Sentence number ${at} is about as long.`).join(" ");
  const { body } = await app.call("POST", `/v1/knowledge/bases/${base}/documents`, { body: { text } });
  expect(body.chunks).toBeGreaterThan(3);
});

it("keeps its name while agents refer to it, and takes none that another base has", async () => {
  const refused = await change("playbook", { name: "handbook" });
  expect([refused.status, refused.body.code, refused.body.agents]).toEqual([409, "knowledge_base_in_use", ["sales"]]);
  const base = await created();
  expect((await change(base, { name: "leads" })).body.code).toBe("knowledge_base_exists");
  expect((await change(base, { name: "renamed" })).body.name).toBe("renamed");
});

it("refuses a change that is based on another revision", async () => {
  const base = await created();
  const etag = (await app.call("GET", `/v1/knowledge/bases/${base}`)).headers.get("etag") as string;
  await change(base, { description: "First." });
  expect((await change(base, { description: "Second." }, { headers: { "if-match": etag } })).status).toBe(412);
});

it("shows who uses it and how its index stands", async () => {
  expect(await read("playbook")).toMatchObject({
    documents: 10,
    chunks: 10,
    agents: ["sales"],
    live_agents: ["sales"],
    health: { state: "ready", documents: { indexed: 10, failed: 0 }, reindexing: false, reindex_error: null, stale: 0 },
  });
  await app.pool.query("update documents set state = 'failed' where external_id = 'routing'");
  expect((await read("playbook")).health).toMatchObject({ state: "degraded", documents: { indexed: 9, failed: 1 } });
});
