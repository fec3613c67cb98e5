import { cp, mkdtemp, readFile, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { generateKey, hashKey } from "../kernel/key-format.ts";
import { startTestApp, type TestApp } from "../testing/app.ts";
import { type TestDatabase, testDatabase } from "../testing/database.ts";
import { migrate, readMigrations } from "./migrate.ts";

// What the migration 0031 makes of rows that name actions, permissions and columns by their former names: the rows and the
// verdicts were dumped from commit 40bda75, whose newest migration is 0017.

interface Fixture {
  readonly verdicts: Record<string, { verdict: string; tags: string[]; policies: [string, string][] }>;
  readonly tables: Record<string, Record<string, unknown>[]>;
}

const renamed: Readonly<Record<string, string>> = {
  "stop.read": "kill_switch.read",
  "stop.engage": "kill_switch.engage",
  "stop.release": "kill_switch.release",
  "approval.batch": "approval.bulk",
  goes: "allow",
  waits: "require_approval",
  refused: "deny",
};
const secrets = { stopper: "", releaser: "" };
let database: TestDatabase;
let app: TestApp;
let fixture: Fixture;

beforeAll(async () => {
  fixture = JSON.parse(await readFile(path.join(import.meta.dirname, "field-terms.fixture.json"), "utf8"));
  const folder = await mkdtemp(path.join(os.tmpdir(), "aos-terms-"));
  database = await testDatabase({ migrated: false });
  try {
    for (const { name } of await readMigrations())
      if (name < "0018") await cp(path.join(import.meta.dirname, "migrations", name), path.join(folder, name));
    await migrate(database.pool, folder);
  } finally {
    await rm(folder, { recursive: true });
  }
  for (const [table, rows] of Object.entries(fixture.tables))
    await database.pool.query(`insert into ${table} select * from json_populate_recordset(null::${table}, $1)`, [
      JSON.stringify(rows),
    ]);
  await migrate(database.pool);
  for (const name of ["stopper", "releaser"] as const) {
    secrets[name] = generateKey("development", (count) => crypto.getRandomValues(Buffer.alloc(count)));
    await database.pool.query("update keys set secret_hash = $2 where name = $1", [name, hashKey(secrets[name])]);
  }
  app = await startTestApp({ connectionString: database.connectionString });
});

afterAll(async () => {
  await app?.close();
  await database.close();
});

it("gives the verdicts that the policies gave under the former names", async () => {
  for (const [action, { verdict, tags, policies }] of Object.entries(fixture.verdicts)) {
    const { body } = await app.call("POST", "/v1/governance/check", { body: { action: renamed[action] ?? action } });
    const outcomes = body.policies.map((one: { policy_id: string; outcome: string }) => [one.policy_id, one.outcome]);
    expect([action, body.verdict, body.tags, outcomes]).toEqual([action, renamed[verdict] ?? verdict, tags, policies]);
  }
});

it("blocks a call by a policy on its former action", async () => {
  const items = [{ approval: "apr_01jd8x0000000000000000000a", decision: "approve" }];
  const { status, body } = await app.call("POST", "/v1/approvals/bulk", { body: { items } });
  expect([status, body.code]).toEqual([403, "policy_blocked"]);
});

it("renames actions in scopes and in whole literals of conditions, and nothing else", async () => {
  const { body } = await app.call("GET", "/v1/governance/policies");
  const texts = new Map(
    body.data.map(({ name, scope, when }: { name: string; scope: { actions: string[] }; when: string }) => [
      name,
      [when, scope.actions],
    ]),
  );
  expect(Object.fromEntries(texts)).toEqual({
    no_bulk: ["true", ["approval.bulk"]],
    literal: [
      `action == "kill_switch.engage" || action in ['approval.bulk', "task.batch"]`,
      ["approval.bulk", "kill_switch.engage", "key.issue"],
    ],
    patterns: [
      `glob(action, "kill_switch.*") && action.startsWith("kill_switch.")`,
      ["kill_switch.read", "kill_switch.engage", "kill_switch.release", "key.issue"],
    ],
    text: [
      `action == 'task.dispatch' && has(input.task) && input.task == "stop.engaged"`,
      ["task.dispatch", "kill_switch.release"],
    ],
  });
});

it("lets keys do what their scopes named: one engages, the other releases, and neither does both", async () => {
  const { stopper: key, releaser } = secrets;
  const body = { kind: "tool", target: "get_lead", allow_unknown: true, reason: "A test." };
  const engaged = await app.call("POST", "/v1/governance/kill-switch", { key, body });
  expect([engaged.status, engaged.body.kind]).toEqual([201, "tool"]);
  const where = `/v1/governance/kill-switch/${engaged.body.kill_switch_id}`;
  const release = (secret: string) => app.call("DELETE", where, { key: secret, body: { reason: "It is mended." } });
  expect((await release(key)).status).toBe(403);
  expect((await release(releaser)).body.state).toBe("released");
  expect((await app.call("POST", "/v1/governance/kill-switch", { key: releaser, body })).status).toBe(403);
});

it("keeps kill switches, chunks, budgets and the filters of webhooks", async () => {
  const read = async (where: string) => (await app.call("GET", where)).body;
  const { data } = await read("/v1/governance/kill-switch?kind=tool");
  const [{ id, reason }] = fixture.tables.stops as [{ id: string; reason: string }];
  expect(data).toContainEqual(
    expect.objectContaining({ kill_switch_id: id, state: "engaged", critical: true, reason }),
  );
  expect((await read("/v1/knowledge/bases")).data).toMatchObject([{ name: "rules", documents: 1, chunks: 1 }]);
  expect((await read("/v1/governance/budgets/agent:sales")).limits).toMatchObject([{ unit: "tasks", hard: 20 }]);
  expect((await read("/v1/webhooks")).data).toMatchObject([{ events: ["kill_switch.*", "task.blocked"] }]);
});
