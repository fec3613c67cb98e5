import { vi } from "vitest";
import { createReader } from "../db/reader.ts";
import { openSecrets } from "../db/secrets.ts";
import { sealEarlierTasks } from "../features/tasks/index.ts";
import { insertStep } from "../features/tasks/steps/store.ts";
import { createSeals, type Seals } from "../kernel/seals.ts";
import type { Lease } from "../runtime/index.ts";
import type { TestApp } from "./app.ts";

// Looking at tasks in the database, and arranging what time would otherwise have to bring about.

export interface StoredTask {
  status: string;
  attempt: number;
  lease_owner: string | null;
  lease_until: Date | null;
  approval_id: string | null;
  failure: { code: string; detail: string } | null;
  output: Record<string, unknown> | null;
  tags: string[];
  started_at: Date | null;
  finished_at: Date | null;
  trust_score: number;
}

/** A task as it is stored. */
export async function taskRow(app: TestApp, id: string): Promise<StoredTask> {
  const { rows } = await app.pool.query<StoredTask>(
    `select status, attempt, lease_owner, lease_until, approval_id, failure::json as failure, output::json as output, tags, started_at, finished_at, trust_score
     from tasks where id = $1`,
    [id],
  );
  return rows[0] as StoredTask;
}

/** The seals of a test's service. */
export async function sealsOf(app: Pick<TestApp, "pool">): Promise<Seals> {
  const keySource = { secretKey: Buffer.alloc(32, 7).toString("base64"), dataDir: "" };
  return createSeals((await openSecrets({ pool: app.pool, keySource })).sealKey());
}

/** Seals what a test let tasks end with by SQL, as the service would have. */
export async function sealEnded(app: Pick<TestApp, "pool">): Promise<void> {
  await sealEarlierTasks(createReader(app.pool), await sealsOf(app));
}

/** The names of a task's events, in their order. */
export async function eventsOf(app: TestApp, id: string): Promise<string[]> {
  const { rows } = await app.pool.query<{ type: string; n: number }>(
    "select type, task_sequence as n from events where task_id = $1 order by task_sequence",
    [id],
  );
  if (rows.some((row, index) => row.n !== index + 1))
    throw new Error(`gaps in the events of ${id}: ${JSON.stringify(rows)}`);
  return rows.map((row) => row.type);
}

/** Operation and outcome of the records about a task that machines inside caused, in their order. */
export async function insideRecordsOf(app: TestApp, id: string): Promise<string[]> {
  const { rows } = await app.pool.query<{ body: string }>(
    "select body from audit_records where body like $1 order by xid, n",
    [`%"task_id":"${id}"%`],
  );
  const records = rows.map(({ body }) => JSON.parse(body) as { operation: string; outcome: string; principal: string });
  return records
    .filter(({ principal }) => principal.startsWith("system:"))
    .map(({ operation, outcome }) => `${operation} ${outcome}`);
}

/** Where the latest approval of a task stands. */
export async function approvalOf(app: TestApp, id: string): Promise<string> {
  const { rows } = await app.pool.query<{ status: string }>(
    "select a.status from tasks t join approvals a on a.id = t.approval_id where t.id = $1",
    [id],
  );
  return rows[0]?.status ?? "none";
}

/** A person other than the requester approves, who signed in personally. */
export async function approve(
  app: TestApp,
  id: string,
  environment: "development" | "staging" = "development",
): Promise<void> {
  const { secret } = await app.signedInMember("approver", environment);
  const shown = await app.call("GET", `/v1/approvals/${id}`, { key: secret });
  const answered = await app.call("POST", `/v1/approvals/${id}/approve`, {
    key: secret,
    body: { digest: shown.body.digest },
  });
  if (answered.status !== 200) throw new Error(`approve answered ${answered.status}: ${answered.text}`);
}

let claims = 0;

/** A claim on a task, by a name of its own. */
export function leaseOn(app: TestApp, task: string, environment: "development" | "staging" = "development"): Lease {
  return { scope: { ...app.scope, environment }, task, owner: `test-${++claims}` };
}

let begun = 0;

/** Writes down that a step begins, as a worker does before it makes it. Answers its id; null where the lease is lost. */
export async function beginStep(
  app: TestApp,
  lease: Lease,
  step: { number: number; kind: "model" | "tool"; name: string; input: unknown },
): Promise<string | null> {
  const id = `stp_test_${String(++begun).padStart(8, "0")}`;
  return (await insertStep(createReader(app.pool), lease, { id, ...step })) ? id : null;
}

/** The task's worker is gone: its lease ended a moment ago. */
export async function lapse(app: TestApp, id: string): Promise<void> {
  await app.pool.query("update tasks set lease_until = now() - interval '1 second' where id = $1", [id]);
}

/** How many jobs wait that would wake a worker for a task. */
export async function wakeUpsFor(app: TestApp, id: string): Promise<number> {
  const { rows } = await app.pool.query<{ n: number }>(
    "select count(*)::int as n from graphile_worker._private_jobs where payload::text like $1 and locked_at is null",
    [`%${id}%`],
  );
  return rows[0]?.n ?? 0;
}

/** Waits for what the service brings about by itself; patient, since machines of continuous integration stall. */
export function eventually<T>(look: () => Promise<T> | T): Promise<T> {
  return vi.waitFor(look, { timeout: 20_000, interval: 25 });
}
