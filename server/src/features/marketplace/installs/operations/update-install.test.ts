import type { BundleFiles } from "@aos/bundle";
import { describe, expect, it } from "vitest";
import { useSharedApp } from "../../../../testing/shared-app.ts";
import { approvedListing, importedListing, type MadeListing } from "../../listings/listings.fixture.ts";
import { small, smallFiles, withFile } from "../../marketplace.fixture.ts";
import { consentTo, installed } from "../installs.fixture.ts";
import type { Install, InstallResult } from "../schemas.ts";

const app = useSharedApp();

const edited = (files: BundleFiles, file: string, edit: (text: string) => string): BundleFiles =>
  withFile(files, file, edit(Buffer.from(files.get(file) ?? "").toString("utf8")));

/** The small agent in a version with another description, a policy with another message, and one item more. */
const newer = (): BundleFiles => {
  const files = edited(smallFiles("agent", { version: "1.1.0" }), "agent.yaml", (text) =>
    text.replace("Sorts short notes", "Sorts notes"),
  );
  const policy = edited(files, "policies/no-cards.json", (text) =>
    text.replace("No card numbers.", "Leave cards out."),
  );
  const item = JSON.stringify({ item: "case-9", input: { note: "Lost parcel" }, expected: { topic: "delivery" } });
  return edited(policy, `datasets/${small.dataset}.jsonl`, (text) => `${text}${item}\n`);
};
const another = ({ listing_id, publisher }: MadeListing, files = newer()) =>
  approvedListing(app, files, { listing: listing_id, publisher });

async function update(install: string, version: MadeListing, more: object = {}, query = "") {
  const body = { ...(await consentTo(app, version)), ...more };
  return app.call("POST", `/v1/marketplace/installs/${install}/update${query}`, { body });
}
const read = async (path: string) => (await app.call("GET", path)).body;
const readInstall = (id: string): Promise<Install> => read(`/v1/marketplace/installs/${id}`);
const told = ({ results }: InstallResult) => results.map(({ kind, action, status }) => `${kind} ${action} ${status}`);

describe("an update", () => {
  it("changes as drafts what the new version changes, and leaves the rest", async () => {
    const { listing, install, suffix } = await installed(app);
    const version = await another(listing);
    expect((await readInstall(install.install_id)).update).toMatchObject({ version: "1.1.0", asks_more: false });
    const { status, body, text } = await update(install.install_id, version);
    expect(status, text).toBe(207);
    expect(told(body)).toEqual([
      "agent change 200",
      "agent_version change 201",
      "dataset change 201",
      "policy change 200",
    ]);
    const after: Install = body.install;
    expect([after.version, after.state, after.drift, after.update]).toEqual(["1.1.0", "installed", "none", null]);
    expect((await read(`/v1/agents/${small.agent}${suffix}`)).definition.description).toContain("Sorts notes");
    const policy = after.parts.find(({ kind }) => kind === "policy");
    expect(await read(`/v1/governance/policies/${policy?.id}`)).toMatchObject({ state: "draft", version: 2 });
  });

  it("leaves an active policy in force beside the new draft, and what is deployed deployed under its gate", async () => {
    const { listing, install } = await installed(app);
    const [activate, agent] = [install.next_steps.find(({ step }) => step === "activate"), install.agent as string];
    await app.call("PUT", `/v1/governance/policies/${activate?.params.policy}`, {
      body: activate?.body,
      headers: { "if-match": "*" },
    });
    await app.call("POST", `/v1/agents/${agent}/deployments`, { body: { version: 1 } });
    const gate = await read(`/v1/evaluations/gates/${agent}`);
    const files = edited(newer(), "gate.json", (text) => text.replace("0.5", "0.6"));
    const { body } = await update(install.install_id, await another(listing, files));
    expect(body.failed).toBe(0);
    const policy = await read(`/v1/governance/policies/${activate?.params.policy}`);
    expect([policy.state, policy.in_force.active]).toEqual(["draft", 2]);
    expect((await read(`/v1/evaluations/gates/${agent}`)).revision).toBe(gate.revision);
    expect((await read(`/v1/agents/${agent}`)).deployment.version).toBe(1);
    expect(body.results.find(({ kind }: { kind: string }) => kind === "gate").note).toMatch(/live under it/);
    const steps = (body.install as Install).next_steps.filter(({ done }) => !done).map(({ operation }) => operation);
    expect(steps[0]).toBe("evaluations.setGate");
  });

  it("keeps what the new version has no more, and gives a dataset that lost items another name", async () => {
    const { listing, install, suffix } = await installed(app);
    const fewer = edited(smallFiles("agent", { version: "2.0.0" }), `datasets/${small.dataset}.jsonl`, (text) =>
      text.split("\n").slice(1).join("\n"),
    );
    const { body } = await update(
      install.install_id,
      await another(listing, withFile(fewer, "policies/no-cards.json", null)),
    );
    expect(told(body)).toEqual(["dataset create 201", "gate change 200", "dataset keep null", "policy keep null"]);
    const gate = await read(`/v1/evaluations/gates/${install.agent}`);
    expect(gate.rules.datasets.map(({ name }: { name: string }) => name)).toEqual([`${small.dataset}${suffix}-v2-0-0`]);
  });
});

describe("an update is refused", () => {
  it("where it would overwrite what was changed here, until that is given up", async () => {
    const { listing, install } = await installed(app);
    await app.call("PATCH", `/v1/agents/${install.agent}`, {
      body: { description: "Ours." },
      headers: { "if-match": "*" },
    });
    const version = await another(listing);
    const refused = await update(install.install_id, version);
    expect([refused.status, refused.body.code]).toEqual([409, "local_changes"]);
    expect(refused.body.parts).toEqual([{ kind: "agent", name: install.agent }]);
    const { status, body } = await update(install.install_id, version, { discard_local_changes: true });
    expect([status, body.install.drift]).toEqual([207, "none"]);
  });

  it("onto the same version, an older one, and by an install that was removed", async () => {
    const { listing, install } = await installed(app);
    const version = await another(listing);
    expect((await update(install.install_id, listing)).body.code).toBe("install_state");
    await update(install.install_id, version);
    expect((await update(install.install_id, listing)).body.code).toBe("install_state");
    await app.call("DELETE", `/v1/marketplace/installs/${install.install_id}`);
    expect((await update(install.install_id, version)).body.code).toBe("install_state");
  });

  it("without the consent to this version, and onto a version of another listing", async () => {
    const { listing, install } = await installed(app);
    const version = await another(listing);
    const consent = { permissions: "0".repeat(64), publisher_key: `sha256:${"0".repeat(64)}` };
    expect((await update(install.install_id, version, { consent })).body.code).toBe("consent_missing");
    expect((await update(install.install_id, await approvedListing(app))).body.code).toBe("consent_missing");
  });

  it("onto a version that waits for review", async () => {
    const { listing, install } = await installed(app);
    const { listing_id, publisher } = listing;
    const waiting = await importedListing(app, newer(), { listing: listing_id, publisher });
    expect((await update(install.install_id, waiting)).body.code).toBe("listing_state");
  });

  it("where a part that it brings has a name that is taken", async () => {
    const { listing, install, suffix } = await installed(app);
    const base = {
      name: "note-more",
      description: "More.",
      language: "english",
      documents: [{ title: "A", text: "B." }],
    };
    const version = await another(listing, withFile(newer(), "knowledge/note-more.json", JSON.stringify(base)));
    await app.call("POST", "/v1/knowledge/bases", { body: { name: `note-more${suffix}`, description: "Ours." } });
    const { status, body } = await update(install.install_id, version);
    const names = [{ kind: "knowledge_base", name: `note-more${suffix}` }];
    expect([status, body]).toMatchObject([409, { code: "names_taken", names }]);
  });

  it("where the accepted key does not vouch for the one that signed the version", async () => {
    const { listing, install } = await installed(app);
    const version = await another(listing);
    const other = `sha256:${"1".repeat(64)}`;
    const { publisher_id } = listing.publisher.publisher;
    await app.pool.query("update marketplace_publishers set pinned_key = $2 where id = $1", [publisher_id, other]);
    expect((await update(install.install_id, version)).body.code).toBe("publisher_key_changed");
  });

  it("where the key lacks permissions that the changes need", async () => {
    const { listing, install } = await installed(app);
    const body = await consentTo(app, await another(listing));
    const { secret: key } = await app.member("builder");
    const path = `/v1/marketplace/installs/${install.install_id}/update`;
    const refused = await app.call("POST", path, { key, body });
    const permissions = ["evaluations:write", "governance:write"];
    expect([refused.status, refused.body]).toMatchObject([403, { code: "parts_not_permitted", permissions }]);
  });

  it("where the stored bundle is not what was signed", async () => {
    const { listing, install } = await installed(app);
    const version = await another(listing);
    await app.pool.query(
      "update marketplace_versions set file = replace(file, 'Example', 'Exemple') where digest = $1",
      [version.digest],
    );
    expect((await update(install.install_id, version)).body.code).toBe("bundle_refused");
  });

  it("while another call changes the install", async () => {
    const { listing, install } = await installed(app);
    const version = await another(listing);
    const ended = await Promise.all([1, 2, 3].map(() => update(install.install_id, version)));
    expect(ended.map(({ status }) => status).sort()).toEqual([207, 409, 409]);
    expect(ended.filter(({ status }) => status === 409).map(({ body }) => body.code)).toEqual(
      Array(2).fill("install_state"),
    );
    expect((await readInstall(install.install_id)).state).toBe("installed");
  });
});

it("adds only what is new to a dataset and a base that got more here", async () => {
  const { listing, install, suffix } = await installed(app);
  await app.call("POST", `/v1/evaluations/datasets/${small.dataset}${suffix}/items`, {
    body: { items: [{ item: "case-9", input: { note: "Lost parcel" }, expected: { topic: "delivery" } }] },
  });
  const { body } = await update(install.install_id, await another(listing), { discard_local_changes: true });
  expect(told(body)).toEqual(["agent change 200", "agent_version change 201", "policy change 200"]);
  expect(body.install.drift).toBe("none");
});
