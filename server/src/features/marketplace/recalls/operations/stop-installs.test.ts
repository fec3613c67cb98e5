import { describe, expect, it } from "vitest";
import { type Environment, environments } from "../../../../kernel/principal.ts";
import { useApp } from "../../../../testing/app.ts";
import { useWorkerProcess } from "../../../../testing/worker.ts";
import { approvedListing, type MadeListing } from "../../listings/listings.fixture.ts";
import { smallFiles } from "../../marketplace.fixture.ts";
import { recallSweep } from "../rules.ts";

const app = useApp();
const process = useWorkerProcess(app);

/** What the sweeper of a process does about once a second. */
const sweep = async (): Promise<void> => {
  await process.sweeperWith([recallSweep]).sweep();
  expect(process.faults).toEqual([]);
  await app.app.facts.refresh();
};
let made = 0;
/** An agent of the organization that nothing else has. */
const newAgent = async (): Promise<string> => {
  const name = `note-sorter-${++made}`;
  await app.pool.query(
    "insert into agents (organization, name, owner, draft) select organization, $1, owner, draft from agents where name = 'sales'",
    [name],
  );
  return name;
};
const listing = (): Promise<MadeListing> => approvedListing(app);
type Part = { kind: string; name: string; state?: string };
/** An install as its batch leaves it. */
const install = async (
  { listing_id: id, version, digest }: MadeListing,
  parts: Part[],
  { environment = "development", agent = null }: { environment?: Environment; agent?: string | null } = {},
): Promise<string> => {
  const install = app.app.newId("ins");
  await app.pool.query(
    `insert into marketplace_installs (organization, environment, id, listing_id, version, digest, suffix, agent, state, parts, consent, installed_by, created_at, updated_at)
     values ('default', $1, $2, $3, $4, $5, '', $6, 'installed', $7, '{}', 'mbr_test', now(), now())`,
    [
      environment,
      install,
      id,
      version,
      digest,
      agent,
      JSON.stringify(parts.map((part) => ({ state: "made", ...part }))),
    ],
  );
  return install;
};
const decide = async ({ listing_id: id, digest }: MadeListing, decision: string) => {
  const { secret } = await app.signedInMember("admin");
  const body = { decision, reason: "It leaks.", ...(decision === "approve" && { digest }) };
  const answered = await app.call("POST", `/v1/marketplace/listings/${id}/review`, { key: secret, body });
  expect(answered.status, answered.text).toBe(200);
};
const recallOf = async ({ listing_id: id }: MadeListing) =>
  (await app.call("GET", "/v1/marketplace/recalls")).body.data.find(
    ({ listing_id }: { listing_id: string }) => listing_id === id,
  );
const stopsOf = async (target: string) =>
  (
    await app.pool.query(
      "select environment, kind, reason, engaged_by, released_at from kill_switches where target = $1 order by environment, id",
      [target],
    )
  ).rows;
const eventsOf = async (install: string) =>
  (
    await app.pool.query("select environment, body::json as body from events where type = 'install.recalled'")
  ).rows.filter(({ body }) => body.install_id === install);

describe("a recall", () => {
  it("stops the agent in every environment, and tells where it is installed", async () => {
    const [of, agent] = [await listing(), await newAgent()];
    const id = await install(of, [{ kind: "agent", name: agent }]);
    await decide(of, "recall");
    await sweep();
    const reason = expect.stringContaining("It leaks.");
    const [first] = await stopsOf(agent);
    expect(await stopsOf(agent)).toMatchObject(
      [...environments]
        .sort()
        .map((environment) => ({ environment, kind: "agent", reason, engaged_by: first.engaged_by })),
    );
    expect(await recallOf(of)).toMatchObject({
      kind: "recall",
      done: true,
      installs: 1,
      lifted_at: null,
      reason: "It leaks.",
      stopped: environments.map(() => ({ install_id: id, kind: "agent", target: agent, tasks_ended: 0 })),
    });
    expect(await eventsOf(id)).toMatchObject([
      { environment: "development", body: { kind: "recall", stopped: [{ kind: "agent", target: agent }] } },
    ]);
  });

  it("stops workflows too, and leaves out what was removed or never came to be", async () => {
    const [of, agent] = [await listing(), await newAgent()];
    await app.pool.query("update agents set archived_at = now() where name = $1", [agent]);
    await app.pool.query(
      "insert into workflows (organization, name, owner, draft, created_at, updated_at, updated_by) values ('default', 'note-round', 'mbr_test', '{}', now(), now(), 'mbr_test')",
    );
    await install(of, [
      { kind: "workflow", name: "note-round" },
      { kind: "agent", name: agent, state: "removed" },
      { kind: "agent", name: "never-made", state: "failed" },
      { kind: "dataset", name: "note-samples" },
    ]);
    await decide(of, "recall");
    await sweep();
    const { stopped } = await recallOf(of);
    expect(new Set(stopped.map(({ target }: { target: string }) => target))).toEqual(new Set(["note-round"]));
    expect(await stopsOf(agent)).toEqual([]);
  });

  it("takes over a kill switch that is engaged already", async () => {
    const [of, agent] = [await listing(), "sales"];
    const engaged = await app.call("POST", "/v1/governance/kill-switch", {
      body: { kind: "agent", target: agent, reason: "It looks odd." },
    });
    await install(of, [{ kind: "agent", name: agent }]);
    await decide(of, "recall");
    await sweep();
    const { stopped } = await recallOf(of);
    expect(stopped).toContainEqual(
      expect.objectContaining({ environment: "development", kill_switch_id: engaged.body.kill_switch_id }),
    );
    expect(await stopsOf(agent)).toHaveLength(environments.length);
  });

  it("reaches an install that ends after it, and never stops again what people released", async () => {
    const [of, first, second] = [await listing(), await newAgent(), await newAgent()];
    await install(of, [{ kind: "agent", name: first }]);
    await decide(of, "recall");
    await sweep();
    await app.pool.query("update kill_switches set released_at = now(), released_by = 'test' where target = $1", [
      first,
    ]);
    await install(of, [{ kind: "agent", name: second }], { environment: "staging" });
    await sweep();
    expect(await stopsOf(second)).toHaveLength(environments.length);
    expect((await stopsOf(first)).filter(({ released_at }) => released_at === null)).toEqual([]);
  });

  it("stops tools where they are installed, and where the agent that got them is deployed later", async () => {
    const [of, tool] = [await listing(), `find_order_${++made}`];
    await install(of, [{ kind: "tool", name: tool }], { environment: "production", agent: "sales" });
    await decide(of, "recall");
    await sweep();
    const places = async () => (await stopsOf(tool)).map(({ environment }) => environment);
    expect(await places()).toEqual(["development", "production"]); // the sample is live in development
    await app.deploy("staging");
    await sweep();
    expect(await places()).toEqual(["development", "production", "staging"]);
    expect((await stopsOf(tool))[0].reason).toContain("are stopped as well");
  });

  it("stops an agent that was restored after its install was removed", async () => {
    const [of, agent] = [await listing(), await newAgent()];
    await app.pool.query("update agents set archived_at = now() where name = $1", [agent]);
    await install(of, [{ kind: "agent", name: agent, state: "removed" }]);
    await decide(of, "recall");
    await sweep();
    expect(await stopsOf(agent)).toEqual([]);
    await app.pool.query("update agents set archived_at = null where name = $1", [agent]);
    await sweep();
    expect(await stopsOf(agent)).toHaveLength(environments.length);
  });

  it("stops a tool of a removed install where the live version of the agent still has it", async () => {
    const of = await listing();
    const { rows } = await app.pool.query(
      "select definition->'tools'->0->>'name' as tool from agent_versions where agent = 'sales' order by number desc limit 1",
    );
    const parts = [rows[0].tool, "find_nothing"].map((name) => ({ kind: "tool", name, state: "removed" }));
    await install(of, parts, { environment: "production", agent: "sales" });
    await decide(of, "recall");
    await sweep();
    const places = (await stopsOf(rows[0].tool)).map(({ environment }) => environment);
    expect([places, await stopsOf("find_nothing")]).toEqual([expect.arrayContaining(["development"]), []]);
    expect(places).not.toContain("production");
  });

  it("touches no install of another version", async () => {
    const [of, agent] = [await listing(), await newAgent()];
    const next = await approvedListing(app, smallFiles("agent", { version: "1.1.0" }), {
      publisher: of.publisher,
      listing: of.listing_id,
    });
    await install(next, [{ kind: "agent", name: agent }]);
    const { secret } = await app.signedInMember("admin");
    const body = { decision: "recall", version: "1.0.0", reason: "It leaks." };
    await app.call("POST", `/v1/marketplace/listings/${of.listing_id}/review`, { key: secret, body });
    await sweep();
    expect(await recallOf(of)).toMatchObject({ done: true, installs: 0, stopped: [] });
    expect(await stopsOf(agent)).toEqual([]);
  });
});

describe("a quarantine that ended", () => {
  it("lets new installs be, and leaves the kill switches to people", async () => {
    const [of, first, second] = [await listing(), await newAgent(), await newAgent()];
    await install(of, [{ kind: "agent", name: first }]);
    await decide(of, "quarantine");
    await sweep();
    await decide(of, "approve");
    await install(of, [{ kind: "agent", name: second }]);
    await sweep();
    expect((await stopsOf(first)).map(({ released_at }) => released_at)).toEqual([null, null, null]);
    expect(await stopsOf(second)).toEqual([]);
    expect(await recallOf(of)).toMatchObject({ kind: "quarantine", lifted_at: expect.any(String) });
  });

  it("holds installs of a version no longer that is approved again before the others", async () => {
    const first = await listing();
    const next = await approvedListing(app, smallFiles("agent", { version: "1.1.0" }), {
      publisher: first.publisher,
      listing: first.listing_id,
    });
    const installs = [await install(first, []), await install(next, [])];
    await decide(first, "quarantine");
    await decide(first, "approve");
    const { data } = (await app.call("GET", "/v1/marketplace/installs")).body;
    const heldBy = (id: string) =>
      data.find(({ install_id }: { install_id: string }) => install_id === id).recall?.kind ?? null;
    expect(installs.map(heldBy)).toEqual([null, "quarantine"]);
  });
});
