import { copyFile, mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../testing/database.ts";
import { migrate, readMigrations } from "./migrate.ts";

// What the migration 0066 makes of what was spent before there was a ledger.

const migrations = path.join(import.meta.dirname, "migrations");
const task = `tsk_01jd8x${"0".repeat(20)}`;
let folder: string;
let database: TestDatabase;

const used = `
  insert into organizations (organization) values ('org');
  insert into agents (organization, name, owner, draft) values ('org', 'a', 'm', '{}');
  insert into agent_versions (organization, agent, number, id, definition, author) values ('org', 'a', 1, 'ver_1', '{}', 'm');
  insert into tasks (organization, environment, id, agent, version_id, version_number, skill, status, input, trust_score, trust, risk_level, risk, audit_ref,
    principal, key_id, subject, event_count, cost_usd)
  values ('org', 'production', '${task}', 'a', 'ver_1', 1, 's', 'running', '{}', 0.5, '{}', 'low', '{}', 'aud', 'mbr_1', 'key_1', 's', 1, 0.0300004);
  insert into steps (organization, environment, id, task_id, attempt, number, kind, name, state, input, cost_usd, tokens)
  select 'org', 'production', 'stp_01jd8x000000000000000000' || n || '0', '${task}', 1, n, kind, name, 'finished', '{}', usd, tokens
  from (values (1, 'model', 'gpt', 0.0200004, 40), (2, 'tool', 'crm', 0.01, 0), (3, 'model', 'gpt', 0, 7)) as s(n, kind, name, usd, tokens);`;

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), "aos-ledger-"));
  database = await testDatabase({ migrated: false });
  const all = (await readMigrations()).map(({ name }) => name);
  const copy = (names: readonly string[]) =>
    Promise.all(names.map((name) => copyFile(path.join(migrations, name), path.join(folder, name))));
  await copy(all.filter((name) => name < "0066"));
  await migrate(database.pool, folder);
  await database.pool.query(used);
  await database.pool.query("truncate analytics_pending");
  await copy(all.filter((name) => name >= "0066"));
  await migrate(database.pool, folder);
});
afterAll(async () => {
  await rm(folder, { recursive: true });
  await database.close();
});

it("takes over what steps had cost, rounded up to a millionth, as counted by budgets already", async () => {
  const { rows } = await database.pool.query(
    "select operation, object, agent, principal, key_id, task_id, spent::int, reserved::int, released::int, tokens::int, counted from ledger_entries order by id",
  );
  const paid = { agent: "a", principal: "mbr_1", key_id: "key_1", task_id: task, released: 0, counted: true };
  expect(rows).toEqual([
    { operation: "tasks.callModel", object: "model:gpt", spent: 20_001, reserved: 20_001, tokens: 40, ...paid },
    { operation: "tasks.callTool", object: "tool:crm", spent: 10_000, reserved: 10_000, tokens: 0, ...paid },
  ]);
});

it("has what open tasks have cost counted by the figures", async () => {
  const noted = await database.pool.query("select kind, id from analytics_pending");
  expect(noted.rows).toEqual([{ kind: "task", id: task }]);
});
