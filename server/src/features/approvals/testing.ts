import { randomBytes } from "node:crypto";
import { systemClock } from "../../kernel/clock.ts";
import { createIds } from "../../kernel/ids.ts";
import { generateKey, hashKey, startAndLastFour } from "../../kernel/key-format.ts";
import type { Role } from "../../kernel/principal.ts";
import type { TestApp } from "../../testing/app.ts";

// Arranging and looking, for the tests of this slice.

const newId = createIds(systemClock);

/** Dispatches a task that waits for one approval, by default at medium risk, whatever trust the sample gets. Returns its id. */
export async function ask(
  app: TestApp,
  more: Parameters<typeof demand>[2] = {},
  body: Record<string, unknown> = {},
): Promise<string> {
  const { task_id } = await app.dispatch(body);
  await demand(app, task_id, { approvers: 1, requester_allowed: true, risk_level: "medium", ...more });
  return task_id;
}

/** Makes the latest approval of a task ask for more than the sample's would. */
export async function demand(
  app: TestApp,
  taskId: string,
  more: { approvers?: number; requester_allowed?: boolean; risk_level?: string },
): Promise<void> {
  await app.pool.query(
    `update approvals set approvers = coalesce($2, approvers), requester_allowed = coalesce($3, requester_allowed), risk_level = coalesce($4, risk_level)
     where task_id = $1`,
    [taskId, more.approvers ?? null, more.requester_allowed ?? null, more.risk_level ?? null],
  );
}

export async function serviceAccount(app: TestApp, role: string): Promise<string> {
  const secret = generateKey("development", randomBytes);
  const { start, last_four } = startAndLastFour(secret);
  const memberId = newId("mbr");
  await app.pool.query(
    "insert into members (organization, id, kind, name, roles) values ('default', $1, 'service_account', $2, $3)",
    [memberId, `bot ${memberId.slice(-4)}`, JSON.stringify({ development: role })],
  );
  await app.pool.query(
    `insert into keys (organization, environment, id, secret_hash, secret_start, secret_last_four, name, member_id, role, created_by)
     values ('default', 'development', $1, $2, $3, $4, 'bot', $5, $6, 'test')`,
    [newId("key"), hashKey(secret), start, last_four, memberId, role],
  );
  return secret;
}

/** Narrows the key with this secret to scopes or agents; call it before the key is used for the first time. */
export async function narrowedKey(app: TestApp, narrowing: { scopes?: string[]; agents?: string[] }): Promise<string> {
  const { secret, keyId } = await app.member("admin");
  await app.pool.query("update keys set scopes = $2, agents = $3 where id = $1", [
    keyId,
    narrowing.scopes ?? null,
    narrowing.agents ?? null,
  ]);
  await app.pool.query("update fact_epochs set epoch = epoch + 1 where topic = 'keys'");
  await app.app.facts.refresh();
  return secret;
}

/** A person with a key that another person issued, by the interface itself. `by` is the secret of an admin key. */
export async function personWithKeyFrom(
  app: TestApp,
  by: string,
  role = "approver",
  own: Role = "approver",
): Promise<{ secret: string; memberId: string }> {
  const { memberId } = await app.member(own);
  const { status, body, text } = await app.call("POST", "/v1/admin/keys", {
    key: by,
    body: { name: "issued", role, for: { member: memberId } },
  });
  if (status !== 201) throw new Error(`issuing answered ${status}: ${text}`);
  return { secret: body.key, memberId };
}

export async function endAt(
  app: TestApp,
  taskId: string,
  at: Date,
  onExpiry: "reject" | "escalate",
  createdAt?: Date,
): Promise<void> {
  await app.pool.query(
    `update approvals a set expires_at = $2, on_expiry = $3, created_at = coalesce($4, a.created_at) from tasks t where t.id = $1 and a.id = t.approval_id`,
    [taskId, at, onExpiry, createdAt ?? null],
  );
}

export async function roundsOf(app: TestApp, taskId: string): Promise<StoredRound[]> {
  const { rows } = await app.pool.query<StoredRound>(
    `select id, status, round, previous_id, arguments::json as arguments, revision, action_digest, decided_by, reason from approvals where task_id = $1 order by round`,
    [taskId],
  );
  return rows;
}

export interface StoredRound {
  id: string;
  status: string;
  round: number;
  previous_id: string | null;
  arguments: Record<string, unknown> | null;
  revision: number;
  action_digest: string;
  decided_by: string | null;
  reason: string | null;
}

export async function eventsAbout(app: TestApp, type: string, taskId: string): Promise<Record<string, unknown>[]> {
  const { rows } = await app.pool.query<{ body: string }>("select body from events where type = $1 order by xid, n", [
    type,
  ]);
  return rows.map(({ body }) => JSON.parse(body) as Record<string, unknown>).filter((body) => body.task_id === taskId);
}

export interface TaskState {
  status: string;
  trust_score: number;
  event_count: number;
  failure: string | null;
  finished_at: Date | null;
  approval: string;
  votes: number;
  events: string[];
  jobs: number;
}

/** Where a task and its approval stand in the database, its events in order, and the jobs that would wake a worker for it. */
export async function stateOf(app: TestApp, taskId: string): Promise<TaskState> {
  const { rows } = await app.pool.query<TaskState>(
    `select t.status, t.trust_score, t.event_count, t.failure, t.finished_at, a.status as approval,
       (select count(*)::int from approval_votes v where v.approval_id = a.id) as votes,
       (select array_agg(e.type order by e.task_sequence) from events e where e.task_id = t.id) as events,
       (select count(*)::int from graphile_worker._private_jobs j where j.payload::text like '%' || t.id || '%') as jobs
     from tasks t join approvals a on a.id = t.approval_id where t.id = $1`,
    [taskId],
  );
  return rows[0] as TaskState;
}

export function decisionsOf(app: TestApp, taskId: string): Promise<Record<string, unknown>[]> {
  return eventsAbout(app, "approval.decided", taskId);
}
