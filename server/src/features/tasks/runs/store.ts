import { sql } from "../../../db/scoped.ts";
import type { WriteContext } from "../../../kernel/context.ts";
import { type Refusal, refuse } from "../../../kernel/errors.ts";
import { conflict, taskPaused } from "../../../kernel/problems.ts";
import { lockTask, type TaskRow, type Transition, taskColumns, updateTask, updateTaskStatus } from "../tasks/store.ts";
import { leaseSeconds } from "./rules.ts";

// Claims and leases inside calls. All times of leases are the database's, so that processes whose clocks differ agree.

/** When a worker was last at work: a dead one has not renewed its lease since. */
const atWork = `case when lease_until < now() then lease_until - interval '${leaseSeconds} seconds' else now() end`;
/** How long the run has lasted with the claim that ends here. Time without a worker does not count. */
const ranOn = `ran_ms + greatest(0, extract(epoch from ${atWork} - claimed_at) * 1000 - worker_gap_ms(claimed_at, ${atWork}))::bigint`;

/**
 * Gives a queued task to a worker, if its approval and its version are still those that were looked at: running, leased, one attempt more. `started_at` is set
 * at the first attempt of a run only: the journal begins there.
 */
export async function claimTask(
  ctx: WriteContext,
  claim: { id: string; owner: string; approvalId: string | null; versionId: string; tags: readonly string[] },
): Promise<TaskRow | undefined> {
  const rows = await ctx.db.query<TaskRow>(
    `update tasks set status = 'running', lease_owner = $4, lease_until = now() + make_interval(secs => $5), attempt = attempt + 1,
       started_at = coalesce(started_at, now()), claimed_at = now(), updated_at = now(), event_count = event_count + 1, failure = null,
       tags = tags || array(select t from unnest($6::text[]) as t where t <> all(tags))
     where organization = $1 and environment = $2 and id = $3 and status = 'queued' and paused_at is null and approval_id is not distinct from $7
       and version_id = $8 and (not_before is null or not_before <= now())
     returning ${taskColumns}`,
    [
      ctx.scope.organization,
      ctx.scope.environment,
      claim.id,
      claim.owner,
      leaseSeconds,
      claim.tags,
      claim.approvalId,
      claim.versionId,
    ],
  );
  return rows[0];
}

/** Locks the task. Throws if `owner` lost its lease. */
export async function lockLeased(ctx: WriteContext, id: string, owner: string): Promise<TaskRow> {
  const row = await lockTask(ctx, id);
  if (row?.status === "running" && row.lease_owner === owner) return row;
  throw leaseLost(row);
}

/** Ends a running task. Throws if `owner` lost its lease. */
export async function endRun(
  ctx: WriteContext,
  owner: string,
  end: Omit<Transition, "from" | "events" | "owner">,
): Promise<TaskRow> {
  const row = await updateTaskStatus(ctx, { ...end, from: ["running"], events: 1, owner });
  if (row) return row;
  throw leaseLost(await lockTask(ctx, end.id));
}

const pausedDetail = "People paused the task; it goes on where it stands once somebody resumes it.";

/** Locks the task. Throws `task_paused` while it is paused. */
export async function refusePaused(ctx: WriteContext, id: string): Promise<void> {
  if ((await lockTask(ctx, id))?.paused_at) throw refuse(taskPaused, pausedDetail);
}

/** Why a write under a lease failed. */
export async function leaseLostOf(ctx: WriteContext, id: string): Promise<Refusal> {
  return leaseLost(await lockTask(ctx, id));
}

function leaseLost(row: TaskRow | undefined): Refusal {
  if (row?.status === "running" && row.paused_at !== null) return refuse(taskPaused, pausedDetail);
  return refuse(
    conflict,
    `The lease is lost: the task is ${row?.status ?? "gone"}${row?.status === "running" ? " with another worker" : ""}.`,
  );
}

/** Makes a queued task wait for an approval, if its earlier one (null: none) is still the one that was read. */
export function awaitApproval(ctx: WriteContext, id: string, approvalId: string, earlier: string | null) {
  const asked = { approval_id: approvalId, run_approval_id: null, call_approval: false };
  const required = { id, from: ["queued"], approval: earlier } as const;
  return updateTask(ctx, required, { status: "awaiting_approval", ...asked, events: 1 });
}

const leaseGivenUp = {
  ran_ms: sql<number>`${sql.raw(ranOn)}`,
  lease_owner: null,
  lease_until: null,
};

/** Makes a running task wait for an approval of one of its calls: it gives up its lease, and keeps the approval of the task as a whole. */
export async function awaitCallApproval(
  ctx: WriteContext,
  { id, approval_id }: TaskRow,
  owner: string,
  approvalId: string,
): Promise<TaskRow> {
  const ofRun = sql<string | null>`case when call_approval then run_approval_id else approval_id end`;
  const asked = { approval_id: approvalId, run_approval_id: ofRun, call_approval: true };
  const required = { id, from: ["running"], owner, approval: approval_id } as const;
  const row = await updateTask(ctx, required, { status: "awaiting_approval", ...asked, ...leaseGivenUp, events: 1 });
  return row ?? Promise.reject(await leaseLostOf(ctx, id));
}

/** Makes a running task wait for an answer of people, without a worker. */
export async function awaitInput(
  ctx: WriteContext,
  { task, owner }: { task: string; owner: string },
  question: string,
  deadline: Date | null = null,
): Promise<TaskRow> {
  const required = { id: task, from: ["running"], owner } as const;
  const until = deadline === null ? {} : { deadline };
  const waiting = { status: "input_required", question, ...until, ...leaseGivenUp, events: 1 } as const;
  const row = await updateTask(ctx, required, waiting);
  return row ?? Promise.reject(await leaseLostOf(ctx, task));
}

/** Ends a running task's lease and queues it again; it is locked. A lease given back in order is no attempt. Returns when, by the database's clock. */
export async function queueAgain(ctx: WriteContext, id: string, counted: boolean): Promise<Date> {
  const attempt = sql<number>`attempt - ${counted ? 0 : 1}::int`;
  const row = await updateTask(ctx, { id, from: ["running"] }, { status: "queued", ...leaseGivenUp, attempt });
  return (row as TaskRow).updated_at;
}

export async function isPast(ctx: WriteContext, time: Date | null): Promise<boolean> {
  const [found] = await ctx.db.query<{ past: boolean | null }>("select $1::timestamptz <= clock_timestamp() as past", [
    time,
  ]);
  return found?.past === true;
}
