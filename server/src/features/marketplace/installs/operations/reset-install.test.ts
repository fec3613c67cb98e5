import { describe, expect, it } from "vitest";
import { useSharedApp } from "../../../../testing/shared-app.ts";
import { setVersionState } from "../../listings/listings.fixture.ts";
import { small, smallFiles, withFile } from "../../marketplace.fixture.ts";
import { installed } from "../installs.fixture.ts";
import type { Install, InstallResult } from "../schemas.ts";

const app = useSharedApp();
const any = { headers: { "if-match": "*" } };
const reset = (id: string, body: object = {}) => app.call("POST", `/v1/marketplace/installs/${id}/reset`, { body });
const told = ({ results }: InstallResult) => results.map(({ kind, action, status }) => `${kind} ${action} ${status}`);
const base = JSON.parse(Buffer.from(smallFiles("agent").get(`knowledge/${small.base}.json`) ?? "").toString("utf8"));
const itemsOf = ({ name, coverage }: { name: string; coverage: { items: number } }) => [name, coverage.items];
const driftOf = async (id: string): Promise<Install["drift"]> =>
  (await app.call("GET", `/v1/marketplace/installs/${id}`)).body.drift;

it("brings changed drafts back to what the bundle says, and leaves the rest alone", async () => {
  const { install } = await installed(app);
  await app.call("PATCH", `/v1/agents/${install.agent}`, { ...any, body: { description: "Ours." } });
  const { body, text } = await reset(install.install_id);
  expect(told(body), text).toEqual(["agent change 200"]);
  expect(body.install.drift).toBe("none");
});

it("makes what is gone again, and restores an archived agent", async () => {
  const { install, suffix } = await installed(app);
  const policy = install.parts.find(({ kind }) => kind === "policy")?.id;
  await app.call("DELETE", `/v1/governance/policies/${policy}`, any);
  await app.call("DELETE", `/v1/agents/${install.agent}`, { body: { reason: "By mistake." } });
  await app.call("DELETE", `/v1/knowledge/bases/${small.base}${suffix}`);
  const { body, text } = await reset(install.install_id);
  expect(told(body), text).toEqual([
    "knowledge_base create 201",
    "documents create 207",
    "agent change 200",
    "agent change 200",
    "policy create 201",
  ]);
  expect([body.install.state, body.install.drift]).toEqual(["installed", "none"]);
});

it("leaves changed parts alone where it is to make only what is missing", async () => {
  const { install } = await installed(app);
  await app.call("PATCH", `/v1/agents/${install.agent}`, { ...any, body: { description: "Ours." } });
  const { body } = await reset(install.install_id, { only_missing: true });
  expect([told(body), await driftOf(install.install_id)]).toEqual([[], "changed"]);
});

describe("of a dataset and a base that were changed here", () => {
  const addItem = (dataset: string, items: object[]) =>
    app.call("POST", `/v1/evaluations/datasets/${dataset}/items`, { body: { items } });
  const addDocuments = (base: string, documents: object[]) =>
    app.call("POST", `/v1/knowledge/bases/${base}/documents/bulk`, { body: { documents } });
  const note = ({ results }: InstallResult, kind: string) =>
    results.filter((one) => one.kind === kind).map((one) => one.note);

  it("adds nothing that is there, and says that what was added here stays", async () => {
    const nameless = JSON.stringify({ ...base, documents: [...base.documents, { title: "More", text: "Nameless." }] });
    const { install, suffix } = await installed(
      app,
      withFile(smallFiles("agent"), `knowledge/${small.base}.json`, nameless),
    );
    const training = `${install.agent}-sort-note-training`;
    await addItem(training, [{ input: { note: "Where is it?" }, expected: { topic: "delivery" } }]);
    await addDocuments(small.base + suffix, [{ title: "Ours", text: "Of our own." }]);
    const { body, text } = await reset(install.install_id);
    expect(told(body), text).toEqual(["documents keep null", "dataset keep null"]);
    expect(note(body, "dataset")).toEqual(["1 item that was added here stays."]);
    expect(note(body, "documents")).toEqual(["1 document that was added here stays."]);
    expect((await app.call("GET", `/v1/evaluations/datasets?agent=${install.agent}`)).body.data.map(itemsOf)).toEqual(
      expect.arrayContaining([[training, 5]]),
    );
    expect((await app.call("GET", `/v1/knowledge/bases/${small.base}${suffix}/documents`)).body.data).toHaveLength(4);
    expect(body.install.drift).toBe("none");
  });

  it("brings back what was replaced or deleted, and only that", async () => {
    const { install, suffix } = await installed(app);
    await addItem(small.dataset + suffix, [
      { item: "case-1", input: { note: "Ours" }, expected: { topic: "billing" } },
    ]);
    await addDocuments(small.base + suffix, [{ delete: "billing" }]);
    const { body, text } = await reset(install.install_id);
    expect(told(body), text).toEqual(["documents change 207", "dataset change 201"]);
    const documents = (await app.call("GET", `/v1/knowledge/bases/${small.base}${suffix}/documents`)).body.data;
    expect(documents.map((one: { external_id: string }) => one.external_id).sort()).toEqual(["billing", "delivery"]);
    expect([body.install.drift, note(body, "dataset")]).toEqual(["none", [null]]);
  });
});

describe("of an install that another call changes", () => {
  /** The call that changes it seems to have begun so many minutes ago. */
  const begun = (id: string, minutes: number) =>
    app.pool.query(
      `update marketplace_installs set state = 'installing', batch = 'bat_other', updated_at = now() - $2 * interval '1 minute' where id = $1`,
      [id, minutes],
    );

  it("is refused, and says until when", async () => {
    const { install } = await installed(app);
    await begun(install.install_id, 1);
    const { status, body } = await reset(install.install_id);
    expect([status, body]).toMatchObject([409, { code: "install_state", detail: expect.stringMatching(/after 2/) }]);
    expect((await app.call("DELETE", `/v1/marketplace/installs/${install.install_id}`)).body.code).toBe(
      "install_state",
    );
  });

  it("goes on where that one broke off: what it made is kept, once", async () => {
    const { install, suffix } = await installed(app);
    const { parts } = (
      await app.pool.query("select parts from marketplace_installs where id = $1", [install.install_id])
    ).rows[0];
    const cut = JSON.parse(parts).map((part: object) => ({
      ...part,
      state: "failed",
      id: null,
      stands: null,
      audit_ref: null,
      problem: { code: "interrupted", detail: "" },
    }));
    await app.pool.query("update marketplace_installs set parts = $2 where id = $1", [
      install.install_id,
      JSON.stringify(cut),
    ]);
    await begun(install.install_id, 11);
    const { body, text } = await reset(install.install_id);
    expect([body.install.state, body.install.drift, body.failed], text).toEqual(["installed", "none", 0]);
    const named = await app.pool.query("select distinct id from policies where name = $1", [small.policy + suffix]);
    expect(named.rowCount).toBe(1);
    const ids = ({ parts: all }: Install) => all.map(({ kind, name, id }) => `${kind} ${name} ${id}`).sort();
    expect(ids(body.install)).toEqual(ids(install));
  });
});

it("is refused where the stored bundle is not what was signed", async () => {
  const { listing, install } = await installed(app);
  await app.pool.query("update marketplace_versions set file = replace(file, 'Example', 'Exemple') where digest = $1", [
    listing.digest,
  ]);
  expect((await reset(install.install_id)).body.code).toBe("bundle_refused");
});

it("is refused where the key lacks permissions that the parts need", async () => {
  const { install } = await installed(app);
  const policy = install.parts.find(({ kind }) => kind === "policy")?.id;
  await app.call("DELETE", `/v1/governance/policies/${policy}`, any);
  const { secret: key } = await app.member("builder");
  const path = `/v1/marketplace/installs/${install.install_id}/reset`;
  const { status, body } = await app.call("POST", path, { key, body: {} });
  expect([status, body]).toMatchObject([403, { code: "parts_not_permitted", permissions: ["governance:write"] }]);
});

it("is refused while a recall holds the version, and after the removal", async () => {
  const { listing, install } = await installed(app);
  await setVersionState(app, listing, "recalled");
  expect((await reset(install.install_id)).body.code).toBe("install_state");
  await app.call("DELETE", `/v1/marketplace/installs/${install.install_id}`);
  expect((await reset(install.install_id)).body.code).toBe("install_state");
});
