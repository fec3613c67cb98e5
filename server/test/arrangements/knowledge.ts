import type { Environment } from "../../src/kernel/principal.ts";
import type { TestApp } from "../../src/testing/app.ts";
import type { Arrange, Arranged, Arrangements } from "./arranged.ts";

let bases = 0;
const newName = (): string => `shelf-${++bases}`;
const record = { external_id: "ld_9001", title: "A lead", fields: { company: "Amber Looms", seats: 40 } };

/** A new base; answers its id. */
async function newBase(app: TestApp, environment: Environment): Promise<string> {
  const { status, body, text } = await app.call("POST", "/v1/knowledge/bases", {
    environment,
    body: { name: newName() },
  });
  if (status !== 201) throw new Error(`creating a base answered ${status}: ${text}`);
  return body.base_id;
}

/** A new base, and the body of the call. */
const inBase =
  (body?: object): Arrange =>
  async (app, environment) => ({ params: { base: await newBase(app, environment) }, ...(body && { body }) });

/** A new document of a new base, and the body of the call. */
const inDocument =
  (body?: object): Arrange =>
  async (app, environment) => {
    const base = await newBase(app, environment);
    const added = await app.call("POST", `/v1/knowledge/bases/${base}/documents`, { environment, body: record });
    return { params: { base, document: added.body.document_id }, ...(body && { body }) };
  };
const website = {
  name: "handbook",
  kind: "website",
  source: { url: "https://handbook.invalid/" },
  schedule: { cron: "0 3 * * *", time_zone: "Europe/Zurich" },
};

/** A new base with a connector. */
async function newConnector(app: TestApp, environment: Environment): Promise<{ base: string; connector: string }> {
  const base = await newBase(app, environment);
  const { body } = await app.call("POST", `/v1/knowledge/bases/${base}/connectors`, { environment, body: website });
  return { base, connector: body.connector_id };
}

const connected =
  (arranged: (params: { base: string; connector: string }) => Arranged): Arrange =>
  async (app, environment) =>
    arranged(await newConnector(app, environment));

export const arrange: Arrangements = {
  "knowledge.listBases": async () => ({ params: {} }),
  "knowledge.createBase": async () => ({
    params: {},
    body: { name: newName(), description: "Of the test.", language: "german" },
  }),
  "knowledge.addDocument": async (app, environment) => ({
    params: { base: await newBase(app, environment) },
    body: record,
  }),
  "knowledge.addDocuments": async (app, environment) => ({
    params: { base: await newBase(app, environment) },
    body: { documents: [record, { external_id: "ld_9002", text: "Wants to start this month." }] },
  }),
  "knowledge.readDocument": inDocument(),
  "knowledge.listDocuments": inBase(),
  "knowledge.readBase": inBase(),
  "knowledge.changeBase": inBase({ description: "Changed.", settings: { chunk_length: 600 } }),
  "knowledge.deleteBase": inBase({}),
  "knowledge.replaceDocument": inDocument({ title: "Another lead", fields: { company: "Basalt" } }),
  "knowledge.deleteDocument": inDocument({}),
  "knowledge.listChunks": inDocument(),
  "knowledge.changeChunk": async (app, environment) => {
    const { params } = await inDocument()(app, environment);
    return { params: { ...params, chunk: "1" }, body: { text: "company: Basalt", disabled: true } };
  },
  "knowledge.setAccess": inDocument({ readers: ["role:builder"] }),
  "knowledge.reviewDocument": inDocument({ review_at: "2030-01-01T00:00:00Z" }),
  "knowledge.listVersions": inDocument(),
  "knowledge.restoreVersion": async (app, environment) => {
    const { params } = await inDocument()(app, environment);
    const { base, document } = params as { base: string; document: string };
    const path = `/v1/knowledge/bases/${base}/documents/${document}`;
    await app.call("PUT", path, { environment, body: { text: "Another text." } });
    return { params, body: { version: 1 } };
  },
  "knowledge.listStale": inBase(),
  "knowledge.exportBase": inBase({}),
  "knowledge.readExport": inBase(),
  "knowledge.readCitation": async (app, environment) => {
    const { params } = await inDocument()(app, environment);
    const { base, document } = params as { base: string; document: string };
    const { body } = await app.call("GET", `/v1/knowledge/bases/${base}/documents/${document}/chunks`, { environment });
    return { params: { citation: body.data[0].citation } };
  },
  "knowledge.testBase": async (app, environment) => ({
    params: { base: await newBase(app, environment) },
    body: { questions: [{ question: "Who makes looms?", expected: ["ld_9001"] }] },
  }),
  "knowledge.listGaps": inBase(),
  "knowledge.createConnector": async (app, environment) => ({
    params: { base: await newBase(app, environment) },
    body: website,
  }),
  "knowledge.listConnectors": connected(({ base }) => ({ params: { base } })),
  "knowledge.changeConnector": connected((params) => ({ params, body: { schedule: null } })),
  "knowledge.removeConnector": connected((params) => ({ params })),
  "knowledge.startSync": connected(({ base }) => ({ params: { base }, body: { connector: website.name } })),
  "knowledge.listSyncs": connected(({ base }) => ({ params: { base } })),
  "knowledge.readSync": async (app, environment) => {
    const { base } = await newConnector(app, environment);
    const { body } = await app.call("POST", `/v1/knowledge/bases/${base}/sync`, { environment, body: {} });
    return { params: { base, sync: body.syncs[0].sync_id } };
  },
  "knowledge.search": async () => ({ params: {}, body: { query: "amber looms" } }),
  "knowledge.reindexDocument": inDocument({}),
};
