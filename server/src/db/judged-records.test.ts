import { copyFile, mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../testing/database.ts";
import { migrate, readMigrations } from "./migrate.ts";

// What the migration 0027 makes of the evidence and labels of a database that has been in use.

const migrations = path.join(import.meta.dirname, "migrations");
let folder: string;
let database: TestDatabase;

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), "aos-judged-"));
  database = await testDatabase({ migrated: false });
  const all = (await readMigrations()).map(({ name }) => name);
  const copy = (names: readonly string[]) =>
    Promise.all(names.map((name) => copyFile(path.join(migrations, name), path.join(folder, name))));
  await copy(all.filter((name) => name < "0027"));
  await migrate(database.pool, folder);
  await database.pool.query(used);
  await copy(all.filter((name) => name >= "0027"));
  await migrate(database.pool, folder);
});

afterAll(async () => {
  await rm(folder, { recursive: true });
  await database.close();
});

const scope = "'org', 'production'";
const task = (id: string, parts: object) =>
  `insert into tasks (organization, environment, id, agent, version_id, version_number, skill, status, input, trust_score, trust, risk_level, risk, audit_ref,
     principal, subject, event_count, finished_at)
   values (${scope}, '${id}', 'a', 'ver_1', 1, 's', 'completed', '{}', 0.5, '${JSON.stringify({ parts })}', 'low', '{}', 'aud', 'm', 's', 1, '2026-11-01T00:00:00Z');`;
const evidence = (id: string, channel: string, outcome: number) =>
  `insert into trust_evidence (organization, environment, version_id, skill, id, channel, outcome) values (${scope}, 'ver_1', 's', '${id}', '${channel}', ${outcome});`;
const label = (id: string, outcome: number) =>
  `insert into trust_labels (organization, environment, task_id, agent, version_id, skill, z, score, outcome)
   values (${scope}, '${id}', 'a', 'ver_1', 's', 0, 0.5, ${outcome}); ${evidence(id, "approvals", outcome)}`;
const approval = (id: string, of: string) =>
  `insert into approvals (organization, environment, id, task_id, agent, version_id, version_number, skill, arguments, action_digest, nonce, risk_level, approvers,
     requester_allowed, requester, summary, reasons, status)
   values (${scope}, '${id}', '${of}', 'a', 'ver_1', 1, 's', '{}', 'd', 'n', 'low', 1, true, 'm', 'x', '[]', 'approved');`;

const used = `
  insert into organizations (organization) values ('org');
  insert into agents (organization, name, owner, draft) values ('org', 'a', 'm', '{}');
  insert into agent_versions (organization, agent, number, id, definition, author) values ('org', 'a', 1, 'ver_1', '{}', 'm');
  ${task("tsk_sure", { base: 0, uncertainty: -0.4, ungrounded: -0.25 })} ${label("tsk_sure", 1)} ${evidence("tsk_sure", "runs", 1)}
  ${evidence("tsk_sure", "groundedness", 0.75)}
  ${task("tsk_unlearnt", { base: 0, uncertainty: -1.2, ungrounded: -0.3 })} ${label("tsk_unlearnt", 0)} ${evidence("tsk_unlearnt", "runs", 0)}
  ${task("tsk_called", {})} ${approval("apr_1", "tsk_called")} ${approval("apr_2", "tsk_called")}
  ${evidence("apr_1", "approvals", 1)} ${evidence("apr_2", "approvals", 0)}
  ${evidence("tsk_failed", "runs", 0)} ${evidence("tsk_done", "runs", 1)} ${evidence("ds_1/x", "evaluations", 0.5)}`;

it("keeps every label once, with the probability that the model told, and drops what nobody judged", async () => {
  const { rows } = await database.pool.query(
    "select id, source, origin, outcome::float8, signals::json as signals from trust_judgements order by id",
  );
  const volunteered = { origin: "volunteered" };
  expect(rows).toEqual([
    { id: "ds_1/x", source: "evaluation", origin: "evaluation", outcome: 0.5, signals: {} },
    { id: "tsk_called", source: "approval", ...volunteered, outcome: 0, signals: {} },
    { id: "tsk_failed", source: "run", ...volunteered, outcome: 0, signals: {} },
    {
      id: "tsk_sure",
      source: "feedback",
      ...volunteered,
      outcome: 1,
      signals: { probability: 0.9, probability_source: "trained", ungrounded: 0.25 },
    },
    { id: "tsk_unlearnt", source: "feedback", ...volunteered, outcome: 0, signals: { ungrounded: 0.3 } },
  ]);
});

it("dates a label by the end of its task, and asks for a fit of each skill", async () => {
  const { rows } = await database.pool.query("select observed_at from trust_judgements where id = 'tsk_sure'");
  expect(rows).toEqual([{ observed_at: new Date("2026-11-01T00:00:00Z") }]);
  expect((await database.pool.query("select agent, skill from trust_refits")).rows).toEqual([
    { agent: "a", skill: "s" },
  ]);
});
