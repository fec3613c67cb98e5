import { cp, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { systemClock } from "../kernel/clock.ts";
import { createIds } from "../kernel/ids.ts";
import { useDatabase } from "../testing/database.ts";
import { migrate } from "./migrate.ts";

const migrations = fileURLToPath(new URL("./migrations/", import.meta.url));
const database = useDatabase({ migrated: false });

/** The migrations before persons were kept with what acts later. */
async function migrateBefore(): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), "aos-migrations-"));
  try {
    for (const name of (await readdir(migrations)).filter((one) => one < "0051"))
      await cp(path.join(migrations, name), path.join(folder, name));
    await migrate(database.pool, folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

const key = (id: string, member: string, issuers: string) =>
  `('default', 'staging', '${id}', '\\x${Buffer.from(id).toString("hex")}', '-', '-', '${id}', '${member}', 'builder', 'mbr_alice', '${issuers}')`;
const trigger = (id: string, workflow: string, origin: string, principal: string) =>
  `('default', 'staging', '${id}', '${workflow}', 'hook', '{}', '${origin}', '${principal}', now())`;
const release = (id: string, workflow: string, author: string) =>
  `('default', 'staging', '${id}', '${workflow}', 1, 'publish', '${author}', now())`;

const newId = createIds(systemClock);
const day = (n: number): string => `2026-03-${String(n).padStart(2, "0")}T12:00:00Z`;

/** A record's row in the log: who called what on which object, in which environment. */
const change = (
  n: number,
  principal: string,
  operation: string,
  object: string,
  more: Partial<Change> = {},
): Change => ({
  ...{
    id: newId("aud", Date.parse(day(n))),
    principal,
    operation,
    object,
    environment: "staging",
    decision: "allowed",
  },
  key: null,
  ...more,
});
interface Change {
  readonly id: string;
  readonly principal: string;
  readonly operation: string;
  readonly object: string;
  readonly environment: string;
  readonly decision: string;
  readonly key: string | null;
}

/** Bob's agent and workflow: frozen on the days 4, 6 (by training) and 8, and changed by others before, between and after. */
async function insertDrafts(): Promise<void> {
  const version = (number: number, at: number) =>
    `('default', 'pay', ${number}, 'ver_pay${number}', '{}', 'mbr_bob', '${day(at)}')`;
  const person = (name: string) => `('default', 'mbr_${name}', 'person', '${name}', '{"staging":"admin"}')`;
  await database.pool.query(
    `insert into members (organization, id, kind, name, roles) values ${["carol", "dave", "erin", "frank"].map(person).join()};
     insert into agents (organization, name, owner, draft) values ('default', 'pay', 'mbr_bob', '{}');
     insert into agent_versions (organization, agent, number, id, definition, author, created_at) values
       ${version(1, 4)}, ${version(2, 6)}, ${version(3, 8)};
     insert into training_jobs (organization, environment, id, agent, skill, method, base_version_id, base_number, version_id, version_number, request, examples, note, principal)
       values ('default', 'staging', 'trn_1', 'pay', 'settle', 'model', 'ver_pay1', 1, 'ver_pay2', 2, '{}', '[]', '', 'mbr_bob');
     insert into workflows (organization, name, owner, draft, created_at, updated_at, updated_by) values
       ('default', 'payout', 'mbr_bob', '{}', now(), now(), 'mbr_bob');
     insert into workflow_versions (organization, workflow, number, id, definition, digest, author, created_at) values
       ('default', 'payout', 1, 'wfv_3', '{}', '-', 'mbr_bob', '${day(4)}')`,
  );
  const changes = [
    change(1, "mbr_bob", "agents.createAgent", "agent:pay", { environment: "development" }),
    change(2, "mbr_carol", "agents.changeDraft", "agent:pay", { environment: "production" }),
    change(2, "mbr_frank", "agents.changeDraft", "agent:pay", { decision: "refused" }),
    change(2, "mbr_frank", "agents.readAgent", "agent:pay"),
    change(5, "mbr_robot", "agents.bindTool", "agent:pay", { key: "key_robot" }),
    change(7, "mbr_dave", "agents.unbindTool", "agent:pay"),
    change(9, "mbr_erin", "agents.changeDraft", "agent:pay"),
    change(3, "mbr_carol", "workflows.createWorkflow", "workflow:payout"),
    change(5, "mbr_dave", "workflows.replaceDraft", "workflow:payout", { environment: "development" }),
  ];
  for (const [index, { id, principal, operation, object, environment, decision, key: by }] of changes.entries())
    await database.pool.query(
      `insert into audit_leaves (organization, environment, record_id, leaf_index, key_id, principal, operation, object, decision, status)
       values ('default', $1, $2, $3, $4, $5, $6, $7, $8, 200)`,
      [environment, id, index, by, principal, operation, object, decision],
    );
}

beforeAll(async () => {
  await migrateBefore();
  await database.pool.query(
    `insert into organizations (organization) values ('default');
     insert into members (organization, id, kind, name, roles) values
       ('default', 'mbr_alice', 'person', 'Alice', '{"staging":"admin"}'), ('default', 'mbr_bob', 'person', 'Bob', '{"staging":"admin"}'),
       ('default', 'mbr_robot', 'service_account', 'robot', '{"staging":"builder"}'), ('default', 'mbr_orphan', 'service_account', 'orphan', '{"staging":"builder"}');
     insert into keys (organization, environment, id, secret_hash, secret_start, secret_last_four, name, member_id, role, created_by, issuers) values
       ${key("key_robot", "mbr_robot", "{mbr_alice,host}")};
     insert into workflows (organization, name, owner, draft, created_at, updated_at, updated_by) values
       ('default', 'refund', 'mbr_robot', '{}', now(), now(), 'mbr_bob'), ('default', 'lost', 'mbr_orphan', '{}', now(), now(), 'mbr_orphan');
     insert into workflow_versions (organization, workflow, number, id, definition, digest, author, created_at) values
       ('default', 'refund', 1, 'wfv_1', '{}', '-', 'mbr_robot', now()), ('default', 'lost', 1, 'wfv_2', '{}', '-', 'mbr_orphan', now());
     insert into workflow_releases (organization, environment, id, workflow, version_number, kind, author, created_at) values
       ${release("wrl_1", "refund", "mbr_robot")}, ${release("wrl_2", "lost", "mbr_orphan")};
     insert into workflow_triggers (organization, environment, id, workflow, kind, definition, origin, principal, created_at) values
       ${trigger("wtr_robot", "refund", "version", "mbr_robot")}, ${trigger("wtr_lost", "lost", "version", "mbr_orphan")};
     insert into agent_schedules (organization, environment, id, agent, definition, principal, author, next_at, created_at, updated_at) values
       ('default', 'staging', 'sch_1', 'sales', '{}', 'mbr_robot', 'mbr_bob', now(), now(), now());
     insert into workflow_hooks (organization, environment, name, secret, previous_secrets, previous_untils, author, created_at, updated_at) values
       ('default', 'staging', 'orders', '\\x00', array['\\x01'::bytea], array[now()], 'mbr_bob', now(), now());
     insert into tasks (organization, environment, id, agent, version_id, version_number, skill, input, trust_score, trust, risk_level, risk, audit_ref, principal, subject, event_count, status)
       values ('default', 'staging', 'tsk_1', 'sales', 'ver_1', 1, 'pay', '{}', 1, '{}', 'low', '{}', 'rec_1', 'mbr_bob', '-', 0, 'running');
     insert into steps (organization, environment, id, task_id, attempt, number, kind, name, state, input, answered_accountable) values
       ('default', 'staging', 'stp_1', 'tsk_1', 1, 1, 'model', 'builtin', 'finished', '{}', '{mbr_alice}');
     insert into workflow_runs (organization, environment, id, workflow, version_number, version_id, status, input, trigger, principal, key_id, audit_ref, created_at, updated_at, finished_at) values
       ('default', 'staging', 'run_1', 'refund', 1, 'wfv_1', 'completed', '{}', 'manual', 'mbr_robot', 'key_robot', 'rec_1', now(), now(), now());
     insert into chat_conversations (organization, environment, id, agent, principal, audit_ref, created_at, updated_at, state, closed_at) values
       ('default', 'staging', 'cnv_1', 'sales', 'mbr_bob', 'rec_1', now(), now(), 'closed', now())`,
  );
  await insertDrafts();
  await migrate(database.pool);
});

const one = async (text: string) => (await database.pool.query(text)).rows[0];
const ids = (persons: readonly { id: string }[]) => persons.map(({ id }) => id).sort();

describe("what was stored before persons were kept with it", () => {
  it("has the persons whom rows and the keys of its service account name", async () => {
    const { actor, stopped_reason } = await one(
      "select actor, stopped_reason from workflow_triggers where id = 'wtr_robot'",
    );
    expect(ids(actor.persons)).toEqual(["mbr_alice", "mbr_robot"]);
    expect(actor).toMatchObject({ owner: "mbr_robot", bounds: { environment: "staging" } });
    expect(stopped_reason).toBeNull();
    const schedule = await one("select actor, next_at from agent_schedules where id = 'sch_1'");
    expect(new Set(ids(schedule.actor.persons))).toEqual(new Set(["mbr_alice", "mbr_bob", "mbr_robot"]));
    expect(schedule.next_at).not.toBeNull();
    const hook = await one("select secret_deciders, previous_deciders from workflow_hooks");
    expect(ids(hook.secret_deciders)).toEqual(["mbr_bob"]);
    expect(hook.previous_deciders).toHaveLength(1);
    const { deciders } = await one("select deciders from workflow_versions where id = 'wfv_1'");
    expect(ids(deciders)).toEqual(["mbr_alice", "mbr_robot"]);
  });

  it("has who answered a question of a task that goes on", async () => {
    const { deciders } = await one("select deciders from tasks where id = 'tsk_1'");
    expect(deciders).toEqual([{ id: "mbr_alice", how: "answered", of: null, at: null }]);
  });

  it("has the persons of ended runs, which people repeat, and of closed conversations, which people fork", async () => {
    const { actor } = await one("select actor from workflow_runs where id = 'run_1'");
    expect(actor).toMatchObject({ owner: "mbr_robot", credential: { key: "key_robot" }, bounds: { role: "builder" } });
    expect(ids(actor.persons)).toEqual(["mbr_alice", "mbr_robot"]);
    const { deciders } = await one("select deciders from chat_conversations where id = 'cnv_1'");
    expect(ids(deciders)).toEqual(["mbr_bob"]);
  });

  it("has who changed a draft, in any environment, with the version that was frozen of it", async () => {
    const of = async (row: string) => ids((await one(`select deciders from ${row}`)).deciders);
    const agent = (number: number) => of(`agent_versions where agent = 'pay' and number = ${number}`);
    expect(await agent(1)).toEqual(["mbr_bob", "mbr_carol"]);
    expect(await agent(2)).toEqual(["mbr_bob"]);
    expect(await agent(3)).toEqual(["mbr_alice", "mbr_bob", "mbr_dave", "mbr_robot"]);
    expect(await of("workflow_versions where workflow = 'payout'")).toEqual(["mbr_bob", "mbr_carol"]);
  });

  it("has who changed a draft since its newest version, so that another's freezing does not hide them", async () => {
    const agent = await one("select draft_deciders from agents where name = 'pay'");
    expect(ids(agent.draft_deciders)).toEqual(["mbr_bob", "mbr_erin"]);
    expect(agent.draft_deciders[0]).toMatchObject({ how: "agent", of: "agent:pay" });
    const workflow = await one("select draft_deciders from workflows where name = 'payout'");
    expect(ids(workflow.draft_deciders)).toEqual(["mbr_bob", "mbr_dave"]);
  });

  it("stops in staging where no person is known, and says what to do", async () => {
    const { stopped_reason } = await one("select stopped_reason from workflow_triggers where id = 'wtr_lost'");
    expect(stopped_reason).toContain("Take it over");
  });
});
