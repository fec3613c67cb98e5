import type { Environment } from "../../src/kernel/principal.ts";
import type { TestApp } from "../../src/testing/app.ts";
import type { Arrangements } from "./arranged.ts";

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
  "knowledge.readDocument": async (app, environment) => {
    const base = await newBase(app, environment);
    const { body } = await app.call("POST", `/v1/knowledge/bases/${base}/documents`, { environment, body: record });
    return { params: { base, document: body.document_id } };
  },
  "knowledge.search": async () => ({ params: {}, body: { query: "amber looms" } }),
};
