import path from "node:path";
import type pg from "pg";
import { expect } from "vitest";
import { trustedKey, untilLogged, verifiedTwice, writeExport } from "../audit.ts";
import type { Client } from "../client.ts";
import type { Ledger } from "./kill-ledger.ts";

// What has to hold after every restart, by the clients' ledger and by the database alone.

/** Ids of tasks, or of records, for which a statement finds something wrong; the first few. */
async function wrong(pool: pg.Pool, text: string, values: unknown[] = []): Promise<unknown[]> {
  return (await pool.query(`${text} limit 5`, values)).rows;
}

/** What records say was done, each read once: `task`, `operation`, `replay`. */
const allowed = `allowed as materialized (
  select id, body::json ->> 'task_id' as task, body::json ->> 'operation' as operation, body::json #>> '{stages,1,reasons,0}' is not distinct from 'replay' as replay
  from audit_records where environment = 'development' and body::json ->> 'outcome' = 'allowed'),
  dispatched as materialized (select id, task from allowed where operation = 'agents.dispatchTask' and not replay)`;

/** Every acknowledged task and its record are there, once; the same call again is answered the same; a call without an answer is there wholly or not at all. */
export async function checkDispatches(
  pool: pg.Pool,
  ledger: Ledger,
  call: Client,
  resend: readonly Ledger["sent"][number][],
): Promise<void> {
  const acknowledged = ledger.acknowledged.map((one) => one.acknowledged as NonNullable<typeof one.acknowledged>);
  expect(new Set(acknowledged.map(({ taskId }) => taskId)).size).toBe(acknowledged.length);
  const lost = await wrong(
    pool,
    `with ${allowed}
     select a.task, a.answer, t.id, r.id as record from unnest($1::text[], $2::text[]) as a(task, answer)
     left join tasks t on t.environment = 'development' and t.id = a.task and t.answer::jsonb = a.answer::jsonb
     left join dispatched r on r.task = a.task and r.id = a.answer::json ->> 'audit_ref'
     where t.id is null or r.id is null`,
    [acknowledged.map(({ taskId }) => taskId), acknowledged.map(({ text }) => text)],
  );
  expect(lost).toEqual([]);
  await nothingInHalves(pool);
  for (const one of resend) {
    const before = one.acknowledged;
    const again = await ledger.send(call, one);
    expect([again?.status, again?.text]).toEqual([202, before?.text ?? again?.text]);
    if (before) expect(again?.headers.get("idempotent-replayed")).toBe("true");
  }
  await nothingInHalves(pool);
  const { rows } = await pool.query<{ tasks: number }>("select count(*)::int as tasks from tasks");
  expect(rows[0]?.tasks).toBe(ledger.sent.length);
}

/** No task without its record, no record of an accepted dispatch without its task, and neither without approval and events. */
async function nothingInHalves(pool: pg.Pool): Promise<void> {
  const halves = await wrong(
    pool,
    `with ${allowed} select t.id, r.id as record from tasks t full join dispatched r on r.task = t.id and r.id = t.audit_ref where t.id is null or r.id is null`,
  );
  expect(halves).toEqual([]);
  const incomplete = await wrong(
    pool,
    `with e as materialized (
       select task_id, count(*) filter (where type = 'task.created') as created, count(*) filter (where type = 'task.approval_required') as asked
       from events group by 1),
     a as materialized (select task_id, count(*) as n from approvals group by 1)
     select t.id, e.created, e.asked, a.n from tasks t left join e on e.task_id = t.id left join a on a.task_id = t.id
     where e.created is distinct from 1 or e.asked <> t.require_approval::int or coalesce(a.n, 0) <> t.require_approval::int`,
  );
  expect(incomplete).toEqual([]);
}

/** What people decided, and answers said, stands: each decision with its vote, its event and its record, once. */
export async function checkApprovals(pool: pg.Pool, ledger: Ledger): Promise<void> {
  const tasks = [...ledger.approved.keys()];
  const undone = await wrong(
    pool,
    `with v as materialized (select approval_id, count(*) as votes from approval_votes group by 1),
     e as materialized (select task_id, count(*) as approved from events where type = 'task.approved' group by 1)
     select a.task, p.status, v.votes, e.approved from unnest($1::text[]) as a(task)
     left join approvals p on p.task_id = a.task left join v on v.approval_id = p.id left join e on e.task_id = a.task
     where p.status is null or p.status <> all ('{approved,consumed}'::text[]) or v.votes is distinct from 1 or e.approved is distinct from 1`,
    [tasks],
  );
  expect(undone).toEqual([]);
  const references = [...ledger.approved.values(), ...ledger.read];
  const unrecorded = await wrong(
    pool,
    "select r.id from unnest($1::text[]) as r(id) where not exists (select 1 from audit_records a where a.environment = 'development' and a.id = r.id)",
    [references],
  );
  expect(unrecorded).toEqual([]);
}

/** The whole log verifies offline, and still contains the newest checkpoint that a client was given before the kill. Answers its number of records. */
export async function checkLog(pool: pg.Pool, ledger: Ledger, folder: string, kept: string): Promise<number> {
  await untilLogged(pool);
  const file = path.join(folder, "log.jsonl");
  await writeExport(pool, file);
  const report = await verifiedTwice(file, await trustedKey(pool), ledger.checkpoint === null ? undefined : kept);
  expect(report).toMatchObject({ verified: true, withoutRecord: 0, findingsTotal: 0 });
  return report.leaves;
}

/** Nothing that was approved, or needed no approval, is lost, and nothing was carried out twice. */
export async function checkExecutions(pool: pg.Pool, ledger: Ledger): Promise<number> {
  const free = ledger.acknowledged
    .filter(({ body }) => !body.require_approval)
    .map(({ acknowledged }) => acknowledged?.taskId);
  const due = [...ledger.approved.keys(), ...free];
  expect(await wrong(pool, "select id, status from tasks where id = any($1) and status <> 'completed'", [due])).toEqual(
    [],
  );
  const twice = await wrong(
    pool,
    `with ${allowed},
     r as materialized (
       select task, count(*) filter (where operation = 'tasks.completeTask') as completed, count(*) filter (where operation = 'tasks.requeueTask') as requeued
       from allowed group by 1),
     e as materialized (
       select task_id, count(*) filter (where type = 'task.completed') as completed, count(*) filter (where type = 'task.started') as started
       from events group by 1),
     s as materialized (
       select task_id, max(n) as n from (select task_id, number, count(*) as n from steps where state = 'finished' group by 1, 2) as finished group by 1)
     select t.id, r.*, e.*, s.n from tasks t left join r on r.task = t.id left join e on e.task_id = t.id left join s on s.task_id = t.id
     where t.status = 'completed'
       and (e.completed is distinct from 1 or r.completed is distinct from 1 or e.started > 1 + r.requeued or s.n is distinct from 1)`,
  );
  expect(twice).toEqual([]);
  const unasked = await wrong(
    pool,
    "select t.id from tasks t join approvals a on a.task_id = t.id where (t.status in ('running', 'completed')) <> (a.status = 'consumed')",
  );
  expect(unasked).toEqual([]);
  return due.length;
}
