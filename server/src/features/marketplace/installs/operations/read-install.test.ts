import { beforeAll, describe, expect, it } from "vitest";
import { useSharedApp } from "../../../../testing/shared-app.ts";
import { setVersionState } from "../../listings/listings.fixture.ts";
import { small, smallFiles } from "../../marketplace.fixture.ts";
import { installed } from "../installs.fixture.ts";
import type { Install } from "../schemas.ts";

const app = useSharedApp();
const read = async (id: string): Promise<Install> => (await app.call("GET", `/v1/marketplace/installs/${id}`)).body;
const drifted = ({ parts }: Install) =>
  parts.filter(({ drift }) => drift !== "none").map(({ kind, drift }) => [kind, drift]);

describe("an install of an agent", () => {
  let made: Awaited<ReturnType<typeof installed>>;
  const agent = () => made.install.agent as string;

  beforeAll(async () => {
    made = await installed(app);
  });

  it("shows each part as installed, with its room in the portal", async () => {
    const install = await read(made.install.install_id);
    expect([install.state, install.drift, drifted(install)]).toEqual(["installed", "none", []]);
    const links = install.parts.flatMap(({ link }) => (link ? [new URL(link).pathname] : []));
    expect(links).toContain(`/agents/${agent()}`);
    expect(links).toContain(`/knowledge/bases/${small.base}${made.suffix}`);
  });

  it("says what is left to do, in its order, with bodies as they are sent", async () => {
    const { next_steps } = await read(made.install.install_id);
    expect(next_steps.map(({ step, done, operation }) => [step, done, operation])).toEqual([
      ["measure", false, "evaluations.startRun"],
      ["gate", false, null],
      ["activate", false, "governance.replacePolicy"],
      ["deploy", false, "agents.deployVersion"],
      ["try", false, "agents.dispatchTask"],
    ]);
    expect(next_steps[0]?.body).toMatchObject({ dataset: small.dataset + made.suffix, version: 1 });
    expect(next_steps[4]?.body).toEqual({ task: small.skill, input: { note: "Two invoices" } });
  });

  it("finds an activated policy and a trained version as installed, and the step done", async () => {
    const activate = made.install.next_steps.find(({ step }) => step === "activate");
    const { params, body, if_match } = activate as Install["next_steps"][number];
    const headers = { "if-match": if_match as string };
    const { status, text } = await app.call("PUT", `/v1/governance/policies/${params.policy}`, { body, headers });
    expect(status, text).toBe(200);
    const install = await read(made.install.install_id);
    expect(drifted(install)).toEqual([]);
    expect(install.next_steps.find(({ step }) => step === "activate")?.done).toBe(true);
  });

  it("sees a changed draft, a document that was added, and a dataset with more items", async () => {
    await app.call("PATCH", `/v1/agents/${agent()}`, {
      body: { description: "Changed here." },
      headers: { "if-match": "*" },
    });
    await app.call("POST", `/v1/knowledge/bases/${small.base}${made.suffix}/documents/bulk`, {
      body: { documents: [{ external_id: "returns", title: "Returns", text: "Goods that come back." }] },
    });
    await app.call("POST", `/v1/evaluations/datasets/${small.dataset}${made.suffix}/items`, {
      body: { items: [{ input: { note: "Late again" }, expected: { topic: "delivery" } }] },
    });
    const install = await read(made.install.install_id);
    expect([install.drift, drifted(install)]).toEqual([
      "changed",
      [
        ["documents", "changed"],
        ["agent", "changed"],
        ["dataset", "changed"],
      ],
    ]);
  });

  it("misses what was archived, retired or deleted", async () => {
    const policy = made.install.parts.find(({ kind }) => kind === "policy")?.id;
    await app.call("DELETE", `/v1/governance/policies/${policy}`, { headers: { "if-match": "*" } });
    await app.call("DELETE", `/v1/agents/${agent()}`, { body: { reason: "Over." } });
    await app.call("DELETE", `/v1/knowledge/bases/${small.base}${made.suffix}`);
    const missing = drifted(await read(made.install.install_id)).filter(([, drift]) => drift === "missing");
    expect(missing.map(([kind]) => kind)).toEqual(["knowledge_base", "documents", "agent", "policy"]);
  });
});

it("names the recall that holds it", async () => {
  const { listing, install } = await installed(app);
  await setVersionState(app, listing, "recalled");
  await app.pool.query(
    `insert into marketplace_recalls (organization, id, kind, listing_id, versions, reason, by, at)
     values ('default', 'rcl_' || substr($1, 5), 'recall', $2, array['1.0.0'], 'Wrong team.', 'mbr_test', now())`,
    [install.install_id, listing.listing_id],
  );
  expect((await read(install.install_id)).recall).toMatchObject({ kind: "recall", reason: "Wrong team." });
});

it("joins the reasons of the gate to one sentence", async () => {
  const { install } = await installed(app);
  const version = install.parts.find(({ kind }) => kind === "agent_version")?.id;
  await app.pool.query(
    `insert into gate_verdicts (organization, environment, version_id, verdict, reasons, expires_at)
     values ('default', 'development', $1, 'failed', array['It is below the floor.', 'Two items must pass.'], now() + interval '1 day')`,
    [version],
  );
  const { next_steps } = await read(install.install_id);
  const title = "The gate of version 1 is closed: It is below the floor; Two items must pass";
  expect(next_steps.find(({ step }) => step === "gate")?.title).toBe(title);
});

it("is read although its stored bundle was damaged since, and unpacks a bundle once", async () => {
  const { listing, install } = await installed(app);
  await app.pool.query("update marketplace_versions set file = '' where digest = $1", [listing.digest]);
  expect((await read(install.install_id)).next_steps).toEqual(install.next_steps);
});

it.each([
  ["workflow", ["deploy"]],
  ["policy_pack", ["activate"]],
  ["scorer", ["gate"]],
] as const)("says what is left to do of a bundle of the kind %s", async (kind, steps) => {
  const { install } = await installed(app, smallFiles(kind));
  expect(install.next_steps.map(({ step }) => step)).toEqual(steps);
});
