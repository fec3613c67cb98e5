import { copyFile, mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../testing/database.ts";
import { migrate, readMigrations } from "./migrate.ts";

// What the migration 0014 makes of a database that has been in use.

const migrations = path.join(import.meta.dirname, "migrations");
let folder: string;
let database: TestDatabase;
const rows = async (sql: string) => (await database.pool.query(sql)).rows;

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), "aos-upgrade-"));
  database = await testDatabase({ migrated: false });
  const all = (await readMigrations()).map(({ name }) => name);
  const copy = (names: readonly string[]) =>
    Promise.all(names.map((name) => copyFile(path.join(migrations, name), path.join(folder, name))));
  await copy(all.filter((name) => name < "0014"));
  await migrate(database.pool, folder);
  await database.pool.query(used);
  await copy(all.filter((name) => name >= "0014" && name < "0027"));
  await migrate(database.pool, folder);
});

afterAll(async () => {
  await rm(folder, { recursive: true });
  await database.close();
});

const scope = "'org', 'production'";
const days = (n: number) => `now() - interval '${n} days'`;
const run = (id: string, finished: string, more: { look?: number; quiet?: boolean } = {}) =>
  `insert into evaluation_runs (organization, environment, id, agent, skill, version_id, version_number, dataset_id, dataset_name, dataset_version, scorers, repeats,
     seed, total, state, whole, look, quiet, principal, finished_at)
   values (${scope}, '${id}', 'a', 's', 'ver_2', 2, 'ds_1', 'set', 1, '[]', 1, 1, 1, 'completed', true, ${more.look ?? 1}, ${more.quiet ?? false}, 'm', ${finished});`;
const evidence = (id: string, channel: string, outcome: number, at: string) =>
  `insert into trust_evidence (organization, environment, version_id, skill, id, channel, outcome, observed_at)
   values (${scope}, 'ver_2', 's', '${id}', '${channel}', ${outcome}, ${at});`;
const verdict = (version: string, at: string) =>
  `insert into gate_verdicts (organization, environment, version_id, verdict, decided_at, expires_at)
   values (${scope}, '${version}', 'open', ${at}, now() + interval '1 day');`;
const gate = (agent: string, repeats: number, most: number) =>
  `insert into gates (organization, environment, agent, definition, author)
   values (${scope}, '${agent}', '{"repeats": ${repeats}, "max_repeats": ${most}}', 'm');`;

const used = `
  insert into organizations (organization) values ('org');
  insert into agents (organization, name, owner, draft) values ('org', 'a', 'm', '{}'), ('org', 'b', 'm', '{}');
  insert into agent_versions (organization, agent, number, id, definition, author)
  select 'org', 'a', n, 'ver_' || n, '{}', 'm' from generate_series(1, 3) n;
  insert into deployments (organization, environment, id, agent, version_number, state, author, created_at, ended_at) values
    (${scope}, 'dep_1', 'a', 1, 'replaced', 'm', ${days(20)}, ${days(10)}), (${scope}, 'dep_2', 'a', 2, 'live', 'm', ${days(10)}, null);
  ${verdict("ver_1", days(30))} ${verdict("ver_2", days(15))} ${verdict("ver_3", days(5))}
  ${gate("a", 3, 1)} ${gate("b", 2, 5)}
  ${run("run_1", days(9))} ${run("run_2", days(2), { look: 3 })}
  insert into evaluation_results (organization, environment, run_id, item, repeat, scores, steps, tokens, cost_usd, ms, finished_at) values
    (${scope}, 'run_2', 'x', 0, '{}', 1, 1, 0, 1, ${days(6)}), (${scope}, 'run_2', 'x', 1, '{}', 1, 1, 0, 1, ${days(2)});
  ${evidence("run_1/x", "evaluations", 1, days(9))} ${evidence("run_2/x", "evaluations", 0.25, days(2))} ${evidence("run_1/y/z", "evaluations", 1, days(9))}
  ${evidence("tsk_1", "approvals", 1, days(1))} ${evidence("trn_1/x", "evaluations", 1, days(1))}`;

it("gives each verdict the version that was live when it was drawn, and none where none was", async () => {
  expect(await rows("select version_id, against from gate_verdicts order by 1")).toEqual([
    { version_id: "ver_1", against: null },
    { version_id: "ver_2", against: "ver_1" },
    { version_id: "ver_3", against: "ver_2" },
  ]);
});

it("counts the age of a run from its first repeat where a gate had added some, and else from its end", async () => {
  const age = "round(extract(epoch from now() - measured_at) / 86400)::int";
  expect(await rows(`select id, ${age} as days from evaluation_runs order by 1`)).toEqual([
    { id: "run_1", days: 9 },
    { id: "run_2", days: 6 },
  ]);
});

it("lets gates whose repeats at most lay below their repeats judge again", async () => {
  expect(await rows("select definition from gates order by agent")).toEqual([
    { definition: { repeats: 3, max_repeats: 3 } },
    { definition: { repeats: 2, max_repeats: 5 } },
  ]);
});

it("keeps the newest evidence of each item of a set, takes the older one out of the sums, and touches no other", async () => {
  expect(await rows("select id, outcome from trust_evidence order by 1")).toEqual([
    { id: "ds_1/x", outcome: 0.25 },
    { id: "ds_1/y/z", outcome: 1 },
    { id: "trn_1/x", outcome: 1 },
    { id: "tsk_1", outcome: 1 },
  ]);
  expect(await rows("select version_id, skill, channel, items, successes, failures from trust_evidence_new")).toEqual([
    { version_id: "ver_2", skill: "s", channel: "evaluations", items: -1, successes: -1, failures: -0 },
  ]);
});
