import { copyFile, mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../testing/database.ts";
import { migrate, readMigrations } from "./migrate.ts";

// What the migration 0064 makes of writes that were begun before there were effects.

const migrations = path.join(import.meta.dirname, "migrations");
const idOf = (prefix: string, n: number): string => `${prefix}_01jd8x${"0".repeat(19)}${n}`;
let folder: string;
let database: TestDatabase;

/** A task of a step of the run `wfr_1`, or of none, with its run key. */
const task = (n: number, status: string, step: string | null, key: string | null): string =>
  `('org', 'production', '${idOf("tsk", n)}', 'a', 'ver_1', 1, 's', '${status}', '{}', 0.5, '{}', 'low', '{}', 'aud', 'mbr_1', 's', 1,
    ${step ? `'wfr_1', '${step}', 'w'` : "null, null, null"}, ${key ? `'${key}'` : "null"})`;
const step = (n: number, of: number, number: number, state: string): string =>
  `('org', 'production', '${idOf("stp", n)}', '${idOf("tsk", of)}', 1, ${number}, 'tool', 'send', '${state}', '{}', 'sealed ${n}')`;

const written = `
  insert into organizations (organization) values ('org');
  insert into agents (organization, name, owner, draft) values ('org', 'a', 'm', '{}');
  insert into agent_versions (organization, agent, number, id, definition, author) values ('org', 'a', 1, 'ver_1', '{}', 'm');
  insert into tasks (organization, environment, id, agent, version_id, version_number, skill, status, input, trust_score, trust, risk_level, risk, audit_ref,
    principal, subject, event_count, run_id, run_step, run_workflow, run_key)
  values ${task(1, "failed", "pay", null)}, ${task(2, "running", "pay", null)}, ${task(3, "failed", null, null)}, ${task(4, "running", "pay", "wfr_1 pay undo")},
    ${task(5, "completed", "pay", null)};
  insert into steps (organization, environment, id, task_id, attempt, number, kind, name, state, input, action)
  values ${step(1, 1, 1, "failed")}, ${step(2, 1, 1, "unknown")}, ${step(3, 2, 1, "started")}, ${step(4, 3, 1, "finished")}, ${step(5, 4, 1, "started")},
    ${step(6, 5, 1, "finished")};`;

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), "aos-effects-"));
  database = await testDatabase({ migrated: false });
  const all = (await readMigrations()).map(({ name }) => name);
  const copy = (names: readonly string[]) =>
    Promise.all(names.map((name) => copyFile(path.join(migrations, name), path.join(folder, name))));
  await copy(all.filter((name) => name < "0064"));
  await migrate(database.pool, folder);
  await database.pool.query(written);
  await copy(all.filter((name) => name >= "0064"));
  await migrate(database.pool, folder);
});
afterAll(async () => {
  await rm(folder, { recursive: true });
  await database.close();
});

it("keeps of each write the latest try, for its step where its attempt has ended, else for its task", async () => {
  const { rows } = await database.pool.query("select origin, step_id, outcome from effects order by step_id");
  expect(rows).toEqual([
    { origin: "wfr_1 pay", step_id: idOf("stp", 2), outcome: "unknown" },
    { origin: idOf("tsk", 2), step_id: idOf("stp", 3), outcome: "unknown" },
    { origin: idOf("tsk", 3), step_id: idOf("stp", 4), outcome: "done" },
    { origin: "wfr_1 pay !undo", step_id: idOf("stp", 5), outcome: "unknown" },
  ]);
});

it("names tasks by the origins of their effects, so that each is found under it", async () => {
  const { rows } = await database.pool.query(
    "select t.id from tasks t where t.status <> 'completed' and not exists (select from effects e where e.origin = coalesce(t.run_key, t.id))",
  );
  expect(rows).toEqual([]);
});
