import { beforeAll, describe, expect, it } from "vitest";
import { createReader } from "../../../db/reader.ts";
import { useApp } from "../../../testing/app.ts";
import { lookingUp } from "../../../testing/models.ts";
import { useWorkerProcess } from "../../../testing/worker.ts";
import { areOfAgents, readLeaves } from "../exports/store.ts";
import { untilSequenced } from "../testing.ts";
import { concernedAgents } from "./concerns.ts";
import { leafConditions } from "./store.ts";

const app = useApp();
const process = useWorkerProcess(app);
const auditRefs = new Map<string, string>();
const openRefs = new Map<string, string>();
let [own, foreign] = ["", ""];

const narrowed = async (agent: string): Promise<string> =>
  (await app.call("POST", "/v1/admin/keys", { body: { name: agent, role: "admin", agents: [agent] } })).body.key;
const call = async (method: string, path: string, body?: object, options: object = {}) => {
  const answered = await app.call(method as "GET", path, { ...(body && { body }), ...options });
  return { ...answered, ref: answered.headers.get("audit-ref") as string };
};
const made = async (kind: string, method: string, path: string, body?: object, options: object = {}) => {
  const answered = await call(method, path, body, options);
  expect(answered.status, `${kind}: ${answered.text}`).toBeLessThan(300);
  auditRefs.set(kind, answered.ref);
  return answered.body;
};
const refused = async (kind: string, path: string) => {
  const answered = await call("DELETE", path, { reason: "r" }, { key: "viewer" });
  expect(answered.status, `${kind}: ${answered.text}`).toBeGreaterThanOrEqual(400);
  auditRefs.set(kind, answered.ref);
};
const stop = (kind: string, target: string | undefined) =>
  call("POST", "/v1/governance/kill-switch", {
    kind,
    ...(target && { target }),
    mode: "drain",
    reason: "r",
    critical: true,
  });

async function evaluate(version: string): Promise<void> {
  const items = Array.from({ length: 6 }, (_, at) => ({
    item: `i${at}`,
    input: { lead_id: `ld_100${at}` },
    expected: { team: "enterprise" },
  }));
  await made("dataset", "POST", "/v1/evaluations/datasets", {
    name: "set",
    agent: "sales",
    skill: "route_lead",
    items,
  });
  const refusedItems = await call("POST", "/v1/evaluations/datasets/set/items", { items }, { key: "viewer" });
  expect(refusedItems.status).toBe(403);
  auditRefs.set("dataset by name", refusedItems.ref);
  const samples = [{ output: { team: "enterprise" }, expected: { team: "enterprise" }, score: 1 }];
  const scorer = await call("PUT", "/v1/evaluations/scorers/team", { kind: "exact", pointer: "/team", samples });
  openRefs.set("scorer", scorer.ref);
  await made("run", "POST", "/v1/evaluations/runs", { dataset: "set", version: 1, scorers: ["team"] });
  const gate = await made("gate read", "GET", "/v1/evaluations/gates/sales");
  expect(gate.agent).toBe("sales");
  process.say(lookingUp());
  const signal = new AbortController().signal;
  await process.skills.run({
    scope: app.scope,
    versionId: version,
    skill: "qualify_lead",
    seed: 7,
    signal,
    input: { lead_id: "ld_1001" },
  });
}

async function stopAndTrain(version: string): Promise<void> {
  for (const [kind, target] of [
    ["agent", "sales"],
    ["version", version],
    ["skill", "sales.route_lead"],
  ] as const) {
    const { status, body, ref } = await stop(kind, target);
    expect(status, body.detail).toBe(201);
    auditRefs.set(`stop of ${kind}`, ref);
    await app.pool.query("update kill_switches set released_at = now() where id = $1", [body.kill_switch_id]);
  }
  const everything = await call("POST", "/v1/governance/kill-switch", {
    kind: "tool",
    target: "get_lead",
    reason: "r",
  });
  openRefs.set("stop of a tool", everything.ref);
  const examples = Array.from({ length: 12 }, (_, at) => ({
    input: { lead_id: `ld_10${at}` },
    output: { team: at % 2 ? "partners" : "enterprise" },
  }));
  const training = await made("training", "POST", "/v1/agents/sales/training", { skill: "route_lead", examples });
  expect(training.job_id).toBeTruthy();
}

beforeAll(async () => {
  [own, foreign] = [await narrowed("sales"), await narrowed("support")];
  const { rows } = await app.pool.query("select id from agent_versions where agent = 'sales' and number = 1");
  const batch = { items: [{ agent: "sales", task: "qualify_lead", lead_id: "ld_1001", require_approval: true }] };
  const { results } = await made("batch", "POST", "/v1/tasks/batch", batch);
  await evaluate(rows[0].id);
  await stopAndTrain(rows[0].id);
  const task = results[0].body.task_id as string;
  const refusedTask = await call("POST", `/v1/tasks/${task}/cancel`, {}, { key: "viewer" });
  expect(refusedTask.status).toBe(403);
  auditRefs.set("task that was not loaded", refusedTask.ref);
  const { rows: approvals } = await app.pool.query("select id from approvals where task_id = $1", [task]);
  const refusedApproval = await call(
    "POST",
    `/v1/approvals/${approvals[0].id}/reject`,
    { reason: "r" },
    { key: "viewer" },
  );
  expect(refusedApproval.status).toBe(403);
  auditRefs.set("approval that was not loaded", refusedApproval.ref);
  const hook = { url: "https://hooks.example.com/aos", events: ["task.*"], agents: ["sales"] };
  await made("webhook", "POST", "/v1/webhooks", hook);
  await refused("deleted webhook", "/v1/webhooks/whk_01jd8x0000000000000000000a");
  openRefs.set("settings", (await call("GET", "/v1/admin/settings")).ref);
  const { rows: trials } = await app.pool.query(
    "select id, body::json ->> 'operation' as operation from audit_records where body like '%tasks.try%'",
  );
  for (const { id, operation } of trials) auditRefs.set(operation, id);
  for (const ref of [...auditRefs.values(), ...openRefs.values()]) await untilSequenced(app, ref);
});

/** All that a key's list shows. */
async function listed(key: string): Promise<string[]> {
  const seen: string[] = [];
  for (let cursor = ""; ; ) {
    const { body } = await app.call("GET", `/v1/audit/events?limit=100${cursor}`, { key });
    seen.push(...body.data.map(({ audit_ref }: { audit_ref: string }) => audit_ref));
    if (body.next_cursor === null) return seen;
    cursor = `&cursor=${body.next_cursor}`;
  }
}
const exported = async (agent: string): Promise<string[]> => {
  const db = createReader(app.pool);
  const records = (await readLeaves(db, app.scope, 0, 10_000)).map(({ body }) => JSON.parse(body as string));
  const seen = await areOfAgents(db, app.scope, [agent], records);
  return records.filter((_record, i) => seen[i]).map(({ id }) => id);
};
const namesIn = (refs: ReadonlyMap<string, string>, seen: readonly string[]): string[] =>
  [...refs].flatMap(([name, ref]) => (seen.includes(ref) ? [name] : []));
const trials = ["tasks.tryModel", "tasks.tryTool"];
const nobodys = [...trials, "deleted webhook"];

describe("a record of a call about what belongs to one agent", () => {
  it("is neither listed for, nor exported to, nor shown to a key that is narrowed to another agent", async () => {
    expect([...auditRefs.keys()]).toEqual(expect.arrayContaining(trials));
    expect(namesIn(auditRefs, await listed(foreign))).toEqual([]);
    expect(namesIn(auditRefs, await exported("support"))).toEqual([]);
    for (const [name, ref] of auditRefs) {
      for (const path of ["", "/proof"]) {
        const { status, body } = await app.call("GET", `/v1/audit/events/${ref}${path}`, { key: foreign });
        expect([name, status, body.missing_scope]).toEqual([
          name,
          403,
          nobodys.includes(name) ? "agent:*" : "agent:sales",
        ]);
      }
    }
  });

  it("is listed for, exported to and shown to a key that is narrowed to that agent", async () => {
    const names = [...auditRefs.keys()].filter((name) => !nobodys.includes(name));
    expect(namesIn(auditRefs, await listed(own))).toEqual(names);
    expect(namesIn(auditRefs, await exported("sales"))).toEqual(names);
    for (const name of names) {
      expect([name, (await app.call("GET", `/v1/audit/events/${auditRefs.get(name)}`, { key: own })).status]).toEqual([
        name,
        200,
      ]);
    }
  });

  it("is hidden from every narrowed key where nothing says which agent it belongs to", async () => {
    for (const name of nobodys) {
      const { status, body } = await app.call("GET", `/v1/audit/events/${auditRefs.get(name)}`, { key: own });
      expect([name, status, body.missing_scope]).toEqual([name, 403, "agent:*"]);
      expect((await app.call("GET", `/v1/audit/events/${auditRefs.get(name)}`)).status).toBe(200);
    }
  });
});

describe("a record of a call about what belongs to no agent", () => {
  it("is for auditors whose key is not narrowed, and for the key that made the call", async () => {
    for (const key of [own, foreign]) expect(namesIn(openRefs, await listed(key))).toEqual([]);
    expect(namesIn(openRefs, await exported("sales"))).toEqual([]);
    for (const ref of openRefs.values()) {
      const statusFor = async (key: string) => (await app.call("GET", `/v1/audit/events/${ref}`, { key })).status;
      expect([await statusFor(own), await statusFor(foreign), await statusFor("auditor")]).toEqual([403, 403, 200]);
    }
    const mine = await call("GET", "/v1/evaluations/scorers", undefined, { key: foreign });
    await untilSequenced(app, mine.ref);
    expect(await listed(foreign)).toContain(mine.ref);
  });
});

describe("records from before operations and objects were renamed", () => {
  it("are found by today's names", () => {
    const filter = { action: "governance.engageKillSwitch", object: "kill_switch:ksw_1" };
    const { values } = leafConditions({ organization: "o", environment: "development" }, filter, null);
    expect(values.slice(2)).toEqual([
      ["governance.engageKillSwitch", "governance.engageStop"],
      ["kill_switch:ksw_1", "stop:ksw_1"],
    ]);
  });

  it("concern the agent of their kill switch", async () => {
    const { rows } = await app.pool.query("select id from kill_switches where kind = 'agent'");
    const query = `select ${concernedAgents("null::text", "$3::text")} as agents`;
    const found = await app.pool.query(query, ["default", "development", `stop:${rows[0].id}`]);
    expect(found.rows).toEqual([{ agents: ["sales"] }]);
  });
});
