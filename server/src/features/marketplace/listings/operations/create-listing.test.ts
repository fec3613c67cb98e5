import { keyIdOf, verifyBundle } from "@aos/bundle";
import { describe, expect, it } from "vitest";
import { useSharedApp } from "../../../../testing/shared-app.ts";
import {
  fillBase,
  ownAgent,
  ownPolicy,
  ownWorkflow,
  packedIn,
  setOwnGate,
  submissionOf,
} from "../../bundles/own-work.fixture.ts";
import { signedFile, smallFiles, withFile, withPermissions } from "../../marketplace.fixture.ts";
import type { ListingSource } from "../../schemas.ts";
import { newStranger } from "../listings.fixture.ts";

const app = useSharedApp();
const listings = "/v1/marketplace/listings";
const submit = (source: ListingSource, more: object = {}, options: object = {}) =>
  app.call("POST", listings, { ...options, body: submissionOf(source, more) });
/** Submits, and returns what was packed. */
const submitted = async (source: ListingSource, more: object = {}, options: object = {}) => {
  const { status, body, text } = await submit(source, more, options);
  expect(status, text).toBe(201);
  return { listing: body, ...(await packedIn(app, body.listing_id)) };
};

describe("own work", () => {
  it("packs an agent with what it learnt from, what measures it, its knowledge and its policies", async () => {
    const own = await ownAgent(app);
    await setOwnGate(app, own);
    await fillBase(app, own.base);
    const policy = await ownPolicy(app);
    const said = {
      readme: "# Sorter\n",
      business_function: "Service",
      license: "MIT",
      requires: ["A shop."],
      note: "Look.",
      data: { [own.dataset]: "Made up." },
    };
    const source: ListingSource = {
      kind: "agent",
      agent: own.name,
      version: 1,
      training: [own.training],
      knowledge: [own.base],
      policies: [policy],
    };
    const { contents, manifest, listing } = await submitted(source, said);
    expect(manifest).toMatchObject({
      kind: "agent",
      license: "MIT",
      requires: { connections: ["shop"], notes: ["A shop."] },
    });
    expect(contents.agent).toMatchObject({ agent: own.name, labels: ["notes"], knowledge: [own.base] });
    expect(contents.readme).toBe("# Sorter\n");
    expect(contents.training).toMatchObject([
      { skill: "sort_note", examples: [{ output: { topic: "billing" } }, { output: { topic: "delivery" } }] },
    ]);
    expect(contents.datasets).toMatchObject([
      { name: own.dataset, skill: "sort_note", description: "Notes.", data: "Made up." },
    ]);
    expect(contents.datasets[0]?.items).toEqual([
      { item: "one", input: { note: "Paid twice" }, expected: { topic: "billing" }, must_pass: true, labels: ["easy"] },
      { item: "item-1", input: { note: "Box was open" }, expected: { topic: "delivery" }, cluster: "boxes" },
      { item: "item-2", input: { note: "Hello" } },
    ]);
    expect(contents.gate).toMatchObject({
      datasets: [own.dataset],
      scorers: [{ scorer: own.scorer, floor: 0.5 }],
      floor: 0.4,
      repeats: 1,
    });
    expect(contents.scorers).toMatchObject([{ name: own.scorer, kind: "exact", pointer: "/topic" }]);
    expect(contents.bases).toMatchObject([
      {
        name: own.base,
        documents: [{ external_id: "billing", metadata: { team: "finance" } }],
      },
    ]);
    expect(contents.policies).toMatchObject([
      { policy: { effect: "deny", scope: { actions: ["task.dispatch"], agents: [own.name] } } },
    ]);
    expect(contents.scorecard).toBeNull();
    expect(listing).toMatchObject({
      origin: "own",
      state: "submitted",
      visibility: "private",
      business_function: "Service",
      publisher: { own: true },
    });
  });

  it("packs the documents alone that its submitter may read, and no word of who may", async () => {
    const own = await ownAgent(app);
    await fillBase(app, own.base);
    const source: ListingSource = { kind: "agent", agent: own.name, version: 1, knowledge: [own.base] };
    const { contents } = await submitted(source, {}, { key: "builder" });
    expect(contents.bases[0]?.documents).toEqual([
      { external_id: "billing", title: "Billing", text: "Invoices and payments.", metadata: { team: "finance" } },
    ]);
  });

  it("packs a workflow", async () => {
    const workflow = await ownWorkflow(app);
    const { contents } = await submitted({ kind: "workflow", workflow, version: 1 });
    expect(contents.workflow).toMatchObject({ workflow, steps: [{ id: "ask" }] });
  });

  it("packs some of an agent's tools", async () => {
    const own = await ownAgent(app);
    const { contents, manifest } = await submitted({
      kind: "tool_set",
      agent: own.name,
      version: 1,
      tools: ["read_order"],
    });
    expect(contents.tools.map(({ name }) => name)).toEqual(["read_order"]);
    expect(manifest.requires.connections).toEqual(["shop"]);
  });

  it("packs policies, in no environment and in no state", async () => {
    const policies = [
      await ownPolicy(app),
      await ownPolicy(app, { scope: { environments: ["development"] }, state: "draft" }),
    ];
    const { contents } = await submitted({ kind: "policy_pack", policies });
    expect(contents.policies).toHaveLength(2);
    for (const { policy } of contents.policies) {
      expect(policy).not.toHaveProperty("state");
      expect(policy.scope ?? {}).not.toHaveProperty("environments");
    }
  });

  it("packs datasets, and says where nobody said what data they are", async () => {
    const own = await ownAgent(app);
    const { contents } = await submitted({ kind: "dataset", datasets: [own.dataset] });
    expect(contents.datasets).toMatchObject([{ name: own.dataset, data: "Not said by its publisher." }]);
  });

  it("packs scorers", async () => {
    const own = await ownAgent(app);
    const { contents } = await submitted({ kind: "scorer", scorers: [own.scorer] });
    expect(contents.scorers).toMatchObject([{ name: own.scorer, samples: [{ score: 1 }] }]);
  });

  it("is signed by the organization's key, and lists the permissions that it amounts to", async () => {
    const own = await ownAgent(app);
    const { publisher, digest, manifest, listing } = await submitted({ kind: "agent", agent: own.name, version: 1 });
    const { body } = await app.call("GET", "/v1/marketplace/publishers/own");
    expect(publisher.publisher_id).toBe(body.publisher_id);
    expect(body.keys.find((key: { signs: boolean }) => key.signs)).toMatchObject({
      key_id: listing.signature.key_id,
      public_key: publisher.keys.at(-1)?.public_key,
    });
    expect(listing).toMatchObject({ digest: `sha256:${digest}`, signature: { verified: true } });
    const asked = listing.permissions.map(({ id, kind, value }: { id: string; kind: string; value: object }) => ({
      id,
      kind,
      value,
    }));
    expect(manifest.permissions).toEqual({ asks: asked });
  });

  it("tells that a listing was submitted", async () => {
    const own = await ownAgent(app);
    const { listing } = await submitted({ kind: "scorer", scorers: [own.scorer] });
    const { rows } = await app.pool.query(
      "select * from events where type = 'listing.submitted' and body::text like $1",
      [`%${listing.listing_id}%`],
    );
    expect(rows).toHaveLength(1);
  });
});

describe("what is refused", () => {
  it.each([
    [{ kind: "agent", agent: "nobody", version: 1 }, "/source/agent", "unknown_agent"],
    [{ kind: "agent", agent: "sales", version: 99 }, "/source/version", "unknown_version"],
    [{ kind: "agent", agent: "sales", version: 1, datasets: ["none"] }, "/source/datasets/0", "unknown_dataset"],
    [{ kind: "agent", agent: "sales", version: 1, training: ["none"] }, "/source/training/0", "unknown_dataset"],
    [{ kind: "agent", agent: "sales", version: 1, knowledge: ["none"] }, "/source/knowledge/0", "unknown_base"],
    [{ kind: "agent", agent: "sales", version: 1, policies: ["pol_none"] }, "/source/policies/0", "unknown_policy"],
    [{ kind: "workflow", workflow: "none", version: 1 }, "/source/version", "unknown_version"],
    [{ kind: "tool_set", agent: "sales", version: 1, tools: ["none"] }, "/source/tools/0", "unknown_tool"],
    [{ kind: "dataset", datasets: ["none"] }, "/source/datasets/0", "unknown_dataset"],
    [{ kind: "scorer", scorers: ["none"] }, "/source/scorers/0", "unknown_scorer"],
  ] as const)("names the place of what is not there: %j", async (source, pointer, code) => {
    const { status, body } = await submit(source as unknown as ListingSource);
    expect([status, body.errors]).toMatchObject([422, [{ pointer, code }]]);
  });

  it("names a dataset of another agent, and words about data that do not go along", async () => {
    const [own, other] = [await ownAgent(app), await ownAgent(app)];
    const foreign = await submit({ kind: "agent", agent: own.name, version: 1, datasets: [other.dataset] });
    expect(foreign.body.errors).toMatchObject([{ pointer: "/source/datasets/0", code: "foreign_dataset" }]);
    const words = await submit({ kind: "agent", agent: own.name, version: 1 }, { data: { other: "X." } });
    expect(words.body.errors).toMatchObject([{ pointer: "/data/other", code: "not_packed" }]);
  });

  it.each([
    [{}, ["/source"]],
    [{ source: { kind: "scorer", scorers: ["s"] } }, ["/name", "/version", "/title", "/summary", "/limits"]],
    [{ file: "{}", title: "T", source: { kind: "scorer", scorers: ["s"] } }, ["/title", "/source"]],
  ])("asks for a source with all that goes with it, or for a file alone: %j", async (body, pointers) => {
    const refused = await app.call("POST", listings, { body });
    expect(refused.status).toBe(422);
    expect(refused.body.errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual(pointers);
  });

  it("asks a narrowed key for the scopes of what it packs", async () => {
    const own = await ownAgent(app);
    const issue = { name: "narrow", role: "builder", scopes: ["marketplace:write"] };
    const { body: issued } = await app.call("POST", "/v1/admin/keys", { body: issue });
    const { status, body } = await submit({ kind: "scorer", scorers: [own.scorer] }, {}, { key: issued.key });
    expect([status, body.missing_scope]).toEqual([403, "evaluations:read"]);
  });

  it("takes a name once", async () => {
    const own = await ownAgent(app);
    const body = submissionOf({ kind: "scorer", scorers: [own.scorer] });
    const first = await app.call("POST", listings, { body });
    const second = await app.call("POST", listings, { body: { ...body, version: "2.0.0" } });
    expect([second.status, second.body]).toMatchObject([
      409,
      { code: "listing_exists", listing_id: first.body.listing_id },
    ]);
  });
});

describe("a file", () => {
  it("goes on from the organization that packed it, and verifies there", async () => {
    const own = await ownAgent(app);
    const { listing } = await submitted({ kind: "scorer", scorers: [own.scorer] });
    const { rows } = await app.pool.query("select file from marketplace_versions where listing_id = $1", [
      listing.listing_id,
    ]);
    const { publisher } = verifyBundle(rows[0].file);
    expect(keyIdOf(Buffer.from(publisher.keys[0]?.public_key ?? "", "base64"))).toBe(listing.signature.key_id);
    const again = await app.call("POST", listings, { body: { file: rows[0].file } });
    expect([again.status, again.body]).toMatchObject([409, { code: "listing_exists", listing_id: listing.listing_id }]);
  });

  it("is refused with a policy whose condition does not compile", async () => {
    const policy = { name: "P", when: "weather == 'rain'", effect: "deny", reason_code: "p", message: "P." };
    const files = withFile(smallFiles("policy_pack"), "policies/no-cards.json", JSON.stringify(policy));
    const { status, body } = await app.call("POST", listings, {
      body: { file: signedFile(withPermissions(files), newStranger()) },
    });
    expect([status, body]).toMatchObject([
      422,
      { code: "bundle_refused", place: { part: "policies/no-cards.json", at: "/when" } },
    ]);
  });

  it("is refused where it was changed on the way", async () => {
    const file = signedFile(withPermissions(smallFiles("scorer")), newStranger());
    const { status, body } = await app.call("POST", listings, { body: { file: file.replace("Example", "Exmaple") } });
    expect([status, body]).toMatchObject([422, { code: "bundle_refused", fault: "publisher_differs" }]);
  });

  it("may have more than a mebibyte, and is refused beyond its bound", async () => {
    const large = await app.call("POST", listings, { body: { file: " ".repeat(7_900_000) } });
    expect([large.status, large.body]).toMatchObject([422, { code: "bundle_refused" }]);
    const larger = await app.call("POST", listings, { body: { file: " ".repeat(8_000_001) } });
    expect([larger.status, larger.body.errors]).toMatchObject([422, [{ pointer: "/file" }]]);
    const largest = await app.call("POST", listings, { body: { file: " ".repeat(9_500_000) } });
    expect([largest.status, largest.body]).toMatchObject([
      413,
      { code: "body_too_large", limit_bytes: 9 * 1024 * 1024 },
    ]);
  });
});
