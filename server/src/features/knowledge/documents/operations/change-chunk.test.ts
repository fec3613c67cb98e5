import { beforeAll, expect, it } from "vitest";
import { createReader } from "../../../../db/reader.ts";
import { useSharedApp } from "../../../../testing/shared-app.ts";
import { searchChunks } from "../../public.ts";
import { removeExpired } from "../version-store.ts";

const app = useSharedApp();
const base = "/v1/knowledge/bases/notes-corrected";
const add = async (body: object): Promise<string> =>
  (await app.call("POST", `${base}/documents`, { body })).body.document_id;
const change = (document: string, body: object, options = {}) =>
  app.call("PATCH", `${base}/documents/${document}/chunks/1`, { body, ...options });
const cited = async (citation: string) => (await app.call("GET", `/v1/knowledge/citations/${citation}`)).body;
const found = async (query: string) =>
  (await searchChunks({ scope: app.scope, db: createReader(app.pool) }, ["notes-corrected"], query, 5)).map(
    ({ text }) => text,
  );

beforeAll(async () => {
  expect(
    (await app.call("POST", "/v1/knowledge/bases", { body: { name: "notes-corrected", version_days: 10 } })).status,
  ).toBe(201);
});

it("corrects what searches find, keeps the former text for its citations, and finds data in the new one", async () => {
  const id = await add({ text: "Call the zebra desk." });
  const before = (await app.call("GET", `${base}/documents/${id}/chunks`)).body.data[0];
  const { status, body } = await change(id, { text: "Pay giraffes to DE89370400440532013000." });
  expect(status).toBe(200);
  expect(body).toMatchObject({ revision: 2, number: 1, version: 1, data_classes: expect.arrayContaining([]) });
  expect(body.data_classes.length).toBeGreaterThan(0);
  expect((await app.call("GET", `${base}/documents/${id}`)).body.data_classes).toEqual(body.data_classes);
  expect([await found("zebra"), await found("giraffes")]).toEqual([[], [body.text]]);
  expect(await cited(before.citation)).toMatchObject({ text: "Call the zebra desk.", revision: 1, current: false });
  expect(await cited(body.citation)).toMatchObject({ text: body.text, current: true, replaced_at: null });
});

it("counts who corrects a chunk several times once", async () => {
  const id = await add({ text: "A lynx." });
  await change(id, { text: "Two lynxes." });
  await change(id, { text: "Three lynxes." });
  const { rows } = await app.pool.query("select deciders from documents where id = $1", [id]);
  const correctors = rows[0].deciders.filter(({ of }: { of: string | null }) => of === `chunk:${id}#1`);
  expect(correctors).not.toHaveLength(0);
  expect(correctors).toHaveLength(new Set(correctors.map((one: { id: string }) => one.id)).size);
});

it("disables a chunk, which its citation says", async () => {
  const id = await add({ text: "A walrus." });
  const { body } = await change(id, { disabled: true });
  expect(body).toMatchObject({ disabled: true, revision: 1 });
  expect(await cited(body.citation)).toMatchObject({ text: "A walrus.", current: false });
  expect((await change(id, { disabled: false })).body.disabled).toBe(false);
});

it("refuses a correction of white space alone", async () => {
  const { status, body } = await change(await add({ text: "A marmot." }), { text: " \n" });
  expect([status, body.errors]).toMatchObject([422, [{ pointer: "/text", code: "blank" }]]);
});

it("refuses a change of what somebody corrected meanwhile, and of no chunk", async () => {
  const id = await add({ text: "An otter." });
  await change(id, { text: "Two otters." });
  expect((await change(id, { text: "Three." }, { headers: { "if-match": '"1.1-json"' } })).status).toBe(412);
  const none = await app.call("PATCH", `${base}/documents/${id}/chunks/9`, { body: { disabled: true } });
  expect(none.status).toBe(404);
});

it("removes former versions and what they said once the base no longer keeps them", async () => {
  const id = await add({ external_id: "old", text: "Old." });
  const { citation } = (await app.call("GET", `${base}/documents/${id}/chunks`)).body.data[0];
  await app.call("PUT", `${base}/documents/${id}`, { body: { text: "New." } });
  const db = {
    query: async <R>(text: string, values: readonly unknown[] = []) =>
      (await app.pool.query(text, [...values])).rows as R[],
  };
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000);
  expect(await removeExpired(db, inDays(9))).toBe(0);
  expect(await removeExpired(db, inDays(11))).toBe(1);
  expect((await app.call("GET", `${base}/documents/${id}/versions`)).body.data).toHaveLength(1);
  expect((await app.call("GET", `/v1/knowledge/citations/${citation}`)).status).toBe(404);
});
