import { cp, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { migrate } from "../../../db/migrate.ts";
import { useDatabase } from "../../../testing/database.ts";

const migrations = fileURLToPath(new URL("../../../db/migrations/", import.meta.url));
const database = useDatabase({ migrated: false });
const rows = async (text: string) => (await database.pool.query(text)).rows;

/** A folder with the migrations that came before it was known who is accountable. */
async function earlierMigrations(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), "aos-migrations-"));
  const names = (await readdir(migrations)).filter((name) => name < "0020");
  await Promise.all(names.map((name) => cp(path.join(migrations, name), path.join(folder, name))));
  return folder;
}

it("knows of an installation that is brought up to date who is accountable for its keys, and for what was asked, voted and handed on", async () => {
  const folder = await earlierMigrations();
  try {
    await migrate(database.pool, folder);
  } finally {
    await rm(folder, { recursive: true });
  }
  const key = (id: string, member: string, by: string, issuers: string) =>
    `('default', 'staging', '${id}', '\\x${Buffer.from(id).toString("hex")}', '-', '-', '${id}', '${member}', 'admin', '${by}', '${issuers}')`;
  await database.pool.query(
    `insert into organizations (organization) values ('default');
     insert into members (organization, id, kind, name, roles) values
       ('default', 'mbr_alice', 'person', 'Alice', '{"staging":"admin"}'), ('default', 'mbr_bob', 'person', 'Bob', '{"staging":"admin"}'),
       ('default', 'mbr_robot', 'service_account', 'robot', '{"staging":"admin"}');
     insert into keys (organization, environment, id, secret_hash, secret_start, secret_last_four, name, member_id, role, created_by, issuers) values
       ${key("key_first", "mbr_alice", "system:seed", "{}")}, ${key("key_cli", "mbr_bob", "system:cli", "{system:cli}")},
       ${key("key_own", "mbr_alice", "mbr_alice", "{}")}, ${key("key_robot", "mbr_robot", "mbr_alice", "{mbr_alice}")},
       ${key("key_next", "mbr_bob", "mbr_robot", "{mbr_robot,mbr_alice,system:cli}")}`,
  );
  const task = `insert into tasks (organization, environment, id, agent, version_id, version_number, skill, status, input, trust_score, trust, risk_level, risk,
      audit_ref, principal, key_id, subject, event_count)
    values ('default', 'staging', 'tsk_1', 'sales', 'ver_1', 1, 'do', 'awaiting_approval', '{}', 0.5, '{}', 'high', '{}', '-', 'mbr_robot', 'key_robot', '-', 1)`;
  await database.pool.query(task);
  await database.pool.query(
    `insert into approvals (organization, environment, id, task_id, agent, version_id, version_number, skill, action_digest, nonce, risk_level, summary, reasons,
       approvers, requester_allowed, requester, edited_by)
     values ('default', 'staging', 'apr_1', 'tsk_1', 'sales', 'ver_1', 1, 'do', '-', '-', 'high', '-', '[]', 2, false, 'mbr_robot', 'mbr_bob');
     insert into approval_votes (organization, environment, approval_id, voter, vote, action_digest, key_id)
     values ('default', 'staging', 'apr_1', 'mbr_bob', 'approve', '-', 'key_next');
     insert into approval_delegations (organization, environment, approval_id, from_member, to_member, reason)
     values ('default', 'staging', 'apr_1', 'mbr_alice', 'mbr_bob', '-');
     insert into stops (organization, environment, id, kind, mode, critical, reason, engaged_by, release_asked_by, release_asked_at, release_asked_to, release_asked_key)
     values ('default', 'staging', 'ksw_1', 'environment', 'pause', true, '-', 'mbr_bob', 'mbr_bob', now(), 'released', 'key_next')`,
  );
  await migrate(database.pool);
  const keys = await rows(
    "select id, personal, array(select i from unnest(issuers) i order by i) as issuers from keys order by id",
  );
  expect(keys).toEqual([
    { id: "key_cli", personal: false, issuers: ["host"] },
    { id: "key_first", personal: false, issuers: ["host"] },
    { id: "key_next", personal: false, issuers: ["host", "mbr_alice", "mbr_robot"] },
    { id: "key_own", personal: false, issuers: [] },
    { id: "key_robot", personal: false, issuers: ["mbr_alice"] },
  ]);
  expect(await rows("select requester_accountable, editor_accountable from approvals")).toEqual([
    { requester_accountable: ["mbr_robot", "mbr_alice"], editor_accountable: ["mbr_bob"] },
  ]);
  const [vote] = await rows("select accountable, personal from approval_votes");
  expect([vote.accountable.toSorted(), vote.personal]).toEqual([["host", "mbr_alice", "mbr_bob", "mbr_robot"], false]);
  expect(await rows("select accountable from approval_delegations")).toEqual([{ accountable: ["mbr_alice"] }]);
  const [stop] = await rows("select release_requested_accountable, release_requested_personal from kill_switches");
  expect([stop.release_requested_accountable.toSorted(), stop.release_requested_personal]).toEqual([
    ["host", "mbr_alice", "mbr_bob", "mbr_robot"],
    false,
  ]);
});
