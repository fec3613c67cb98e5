import { describe, expect, it } from "vitest";
import type { Statements } from "../../../../kernel/machines.ts";
import { useApp } from "../../../../testing/app.ts";
import { approvedListing, importedListing, setVersionState } from "../../listings/listings.fixture.ts";
import { small, smallFiles } from "../../marketplace.fixture.ts";
import { listTargets } from "../../recalls/store.ts";
import { installed, installIt, newSuffix } from "../installs.fixture.ts";

const app = useApp();
type Named = { kind: string; name: string; state?: string };
const read = async (path: string) => (await app.call("GET", path)).body;
const named = (parts: readonly Named[]) => parts.map(({ kind, name }) => `${kind} ${name}`);

describe("an install", () => {
  it("makes all parts of an agent as drafts under its suffix, and runs nothing", async () => {
    const { suffix, install } = await installed(app);
    expect([install.state, install.agent]).toEqual(["installed", `${small.agent}${suffix}`]);
    expect(named(install.parts)).toEqual([
      `knowledge_base ${small.base}${suffix}`,
      `documents ${small.base}${suffix}`,
      `agent ${small.agent}${suffix}`,
      `agent_version ${small.agent}${suffix}`,
      `dataset ${small.agent}${suffix}-sort-note-training`,
      `dataset ${small.dataset}${suffix}`,
      `scorer ${small.scorer}${suffix}`,
      `gate ${small.agent}${suffix}`,
      `policy ${small.policy}${suffix}`,
    ]);
    const { status, definition } = await read(`/v1/agents/${small.agent}${suffix}`);
    expect([status, definition.knowledge, definition.tools[0].bases]).toEqual([
      "draft",
      [small.base + suffix],
      [small.base + suffix],
    ]);
    const policy = install.parts.find(({ kind }) => kind === "policy");
    const { state, scope } = await read(`/v1/governance/policies/${policy?.id}`);
    expect([state, scope.agents]).toEqual(["draft", [small.agent + suffix]]);
    const gate = await read(`/v1/evaluations/gates/${small.agent}${suffix}`);
    expect(gate.rules.datasets.map(({ name }: { name: string }) => name)).toEqual([small.dataset + suffix]);
    expect((await app.pool.query("select from tasks where agent = $1", [small.agent + suffix])).rowCount).toBe(0);
  });

  it("makes each part by a call of its own in the name of who installs", async () => {
    const { install } = await installed(app);
    const { rows } = await app.pool.query(
      "select body::json ->> 'operation' as operation from audit_records where id = any($1) order by id",
      [install.parts.map(({ audit_ref }) => audit_ref)],
    );
    expect(rows.map(({ operation }) => operation)).toEqual([
      "knowledge.createBase",
      "knowledge.addDocuments",
      "agents.createAgent",
      "agents.freezeVersion",
      "evaluations.createDataset",
      "evaluations.createDataset",
      "evaluations.setScorer",
      "evaluations.setGate",
      "governance.createPolicy",
    ]);
  });

  it("pins the key of a publisher with the first consent", async () => {
    const { listing } = await installed(app);
    const { publisher_id } = listing.publisher.publisher;
    const { pinned } = await read(`/v1/marketplace/publishers/${publisher_id}`);
    expect(pinned.key_id).toBe(listing.publisher.publisher.keys[0]?.key_id);
  });

  it.each([
    ["workflow", `workflow ${small.workflow}`],
    ["policy_pack", `policy ${small.policy}`],
    ["scorer", `scorer ${small.scorer}`],
  ] as const)("makes the parts of a %s", async (kind, part) => {
    const { suffix, install } = await installed(app, smallFiles(kind));
    expect(named(install.parts)).toEqual([part + suffix]);
  });

  it.each(["tool_set", "dataset"] as const)("gives a %s to the agent that it names", async (kind) => {
    const { install: first } = await installed(app);
    const agent = first.agent as string;
    const { suffix, install } = await installed(app, smallFiles(kind), { agent });
    const part = kind === "dataset" ? `dataset ${small.dataset}${suffix}` : `tool ${small.tool}`;
    expect([named(install.parts), install.agent]).toEqual([[part], agent]);
    if (kind === "tool_set") {
      const { tools } = (await read(`/v1/agents/${agent}`)).definition;
      expect(tools.map(({ name }: { name: string }) => name)).toEqual(["find_topic", small.tool]);
    }
  });

  it.each([[{}], [{ agent: "nobody" }]])("refuses a tool set for no agent that is there: %j", async (more) => {
    const { status, body } = await installIt(app, await approvedListing(app, smallFiles("tool_set")), more);
    expect([status, body]).toMatchObject([422, { errors: [{ pointer: "/agent" }] }]);
  });

  it("keeps in a second environment what the organization has, and makes the rest", async () => {
    const { listing, suffix } = await installed(app);
    const { body, text } = await installIt(app, listing, { suffix }, { environment: "production" });
    expect(body.failed, text).toBe(0);
    const states = body.install?.parts.map(({ kind, state }) => `${kind} ${state}`);
    expect(states).toEqual([
      "knowledge_base made",
      "documents made",
      "agent kept",
      "agent_version kept",
      "dataset kept",
      "dataset kept",
      "scorer kept",
      "gate made",
      "policy made",
    ]);
  });
});

describe("an install is refused before its first call", () => {
  it.each([
    ["digest", { digest: `sha256:${"0".repeat(64)}` }],
    ["permissions", { consent: { permissions: "0".repeat(64), publisher_key: "" } }],
    ["publisher_key", { consent: { permissions: "", publisher_key: `sha256:${"0".repeat(64)}` } }],
  ])("where the consent is to another %s", async (_name, more) => {
    const listing = await approvedListing(app);
    const { rows } = await app.pool.query(
      "select permissions_digest as permissions, key_id as publisher_key from marketplace_versions where digest = $1",
      [listing.digest],
    );
    const given = Object.entries("consent" in more ? more.consent : {}).filter(([, value]) => value !== "");
    const asked = { ...more, ...("consent" in more && { consent: { ...rows[0], ...Object.fromEntries(given) } }) };
    const { status, body } = await installIt(app, listing, asked);
    expect([status, body]).toMatchObject([409, { code: "consent_missing" }]);
  });

  it("where the version waits, or was recalled", async () => {
    const listing = await importedListing(app);
    const waiting = await installIt(app, listing);
    await setVersionState(app, listing, "recalled");
    const recalled = await installIt(app, listing);
    expect([waiting.body, recalled.body]).toMatchObject([
      { code: "listing_state", detail: expect.stringContaining("submitted") },
      { code: "listing_state", detail: expect.stringContaining("recalled") },
    ]);
  });

  it("in staging and production, where nobody approved it who signed in personally", async () => {
    const listing = await approvedListing(app);
    await app.pool.query("update marketplace_versions set review_strict = false where digest = $1", [listing.digest]);
    const strict = await installIt(app, listing, {}, { environment: "production" });
    expect([strict.status, strict.body]).toMatchObject([409, { code: "listing_state" }]);
    expect((await installIt(app, listing, { suffix: newSuffix() })).status).toBe(207);
  });

  it("where the accepted key does not vouch for the one that signed", async () => {
    const { listing } = await installed(app);
    const { publisher_id } = listing.publisher.publisher;
    const other = `sha256:${"1".repeat(64)}`;
    await app.pool.query("update marketplace_publishers set pinned_key = $2 where id = $1", [publisher_id, other]);
    const { status, body } = await installIt(app, listing, { suffix: newSuffix() });
    expect([status, body]).toMatchObject([409, { code: "publisher_key_changed" }]);
  });

  it("where names are taken, and says which", async () => {
    const { listing, suffix } = await installed(app);
    const { status, body } = await installIt(app, listing, { suffix });
    expect([status, body]).toMatchObject([409, { code: "names_taken" }]);
    expect(body).toMatchObject({ names: expect.arrayContaining([{ kind: "agent", name: small.agent + suffix }]) });
  });

  it("where a policy pack is installed already", async () => {
    const { listing, suffix } = await installed(app, smallFiles("policy_pack"));
    expect((await installIt(app, listing, { suffix })).body).toMatchObject({ code: "names_taken" });
  });

  it("where the suffix makes a name too long", async () => {
    const files = smallFiles("scorer");
    const scorers = files
      .get("scorers.json")
      ?.toString()
      .replaceAll(small.scorer, `s${"x".repeat(60)}`) as string;
    const listing = await approvedListing(app, new Map([...files, ["scorers.json", Buffer.from(scorers)]]));
    const { status, body } = await installIt(app, listing, { suffix: "-longer" });
    expect([status, body]).toMatchObject([422, { errors: [{ pointer: "/suffix", code: "name_too_long" }] }]);
  });

  it("where the key lacks permissions that the parts need", async () => {
    const { secret } = await app.member("builder");
    const { status, body } = await installIt(app, await approvedListing(app), { suffix: newSuffix() }, { key: secret });
    const permissions = ["evaluations:write", "governance:write"];
    expect([status, body]).toMatchObject([403, { code: "parts_not_permitted", permissions }]);
  });

  it("where the stored file is not what was signed", async () => {
    const listing = await approvedListing(app);
    await app.pool.query(
      "update marketplace_versions set file = replace(file, 'Example', 'Exemple') where digest = $1",
      [listing.digest],
    );
    const { status, body } = await installIt(app, listing, { suffix: newSuffix() });
    expect([status, body]).toMatchObject([422, { code: "bundle_refused" }]);
  });
});

describe("an install of which something fails", () => {
  it("is incomplete, says what a policy refused, and does not try what needs it", async () => {
    const suffix = newSuffix();
    const scope = { actions: ["dataset.create"], agents: [small.agent + suffix] };
    await app.policy({ scope, when: "true", effect: "deny" });
    const { body, text } = await installIt(app, await approvedListing(app), { suffix });
    expect([body.install?.state, body.succeeded, body.failed], text).toEqual(["incomplete", 6, 3]);
    const failed = body.install?.parts.filter(({ state }) => state === "failed");
    expect(failed?.map(({ kind, problem }) => `${kind} ${problem?.code}`)).toEqual([
      "dataset policy_blocked",
      "dataset policy_blocked",
      "gate part_missing",
    ]);
  });

  it("is found by a recall that came while it was made", async () => {
    const listing = await approvedListing(app);
    const recall = [listing.listing_id, listing.version];
    await app.pool.query(
      `insert into marketplace_recalls (organization, id, kind, listing_id, versions, reason, by, at, done_at)
       values ('default', 'rcl_test', 'recall', $1, array[$2], 'Tested.', 'mbr_test', now(), now())`,
      recall,
    );
    await app.pool.query(
      `create function recalls() returns trigger language plpgsql as
         'begin update marketplace_versions set state = ''recalled'' where listing_id = ''${listing.listing_id}''; return new; end';
       create trigger recalls before insert on agents for each row execute function recalls()`,
    );
    const suffix = newSuffix();
    const { body } = await installIt(app, listing, { suffix });
    await app.pool.query("drop trigger recalls on agents; drop function recalls");
    expect(body.failed).toBe(0);
    const db = { query: async (text: string, values: unknown[]) => (await app.pool.query(text, values)).rows };
    const targets = await listTargets(db as unknown as Statements, "default", "rcl_test");
    expect(targets.map(({ kind, target }) => `${kind} ${target}`)).toContain(`agent ${small.agent}${suffix}`);
  });
});
