import { sql } from "../../db/scoped.ts";
import type { WriteContext } from "../../kernel/context.ts";
import { type Refusal, refuse } from "../../kernel/errors.ts";
import { conflict } from "../../kernel/problems.ts";
import { lockTask, type TaskRow, type Transition, taskColumns, updateTask, updateTaskStatus } from "../tasks/public.ts";
import { leaseSeconds } from "./model.ts";

// Claims and leases inside calls. All times of leases are the database's, so that processes whose clocks differ agree.

/** When a worker was last at work: one that was lost has not renewed its lease since. */
const atWork = `case when lease_until < now() then lease_until - interval '${leaseSeconds} seconds' else now() end`;
/** How long the run has lasted with the claim that ends here, for a run that goes on later. Time without a worker does not count. */
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
     where organization = $1 and environment = $2 and id = $3 and status = 'queued' and approval_id is not distinct from $7
       and version_id = $8 and (not_before is null or not_before <= now())
     returning ${taskColumns}`,
    [
      ...[ctx.scope.organization, ctx.scope.environment, claim.id, claim.owner],
      ...[leaseSeconds, claim.tags, claim.approvalId, claim.versionId],
    ],
  );
  return rows[0];
}

/** The task, locked, if `owner` holds its lease. A worker that lost it is refused, whatever it wants to do. */
export async function lockLeased(ctx: WriteContext, id: string, owner: string): Promise<TaskRow> {
  const row = await lockTask(ctx, id);
  if (row?.status === "running" && row.lease_owner === owner) return row;
  throw leaseLost(row);
}

/** Ends a running task, if `owner` holds its lease. A worker that lost it is refused, whatever it wants to write. */
export async function endRun(
  ctx: WriteContext,
  owner: string,
  end: Omit<Transition, "from" | "events" | "owner">,
): Promise<TaskRow> {
  const row = await updateTaskStatus(ctx, { ...end, from: ["running"], events: 1, owner });
  if (row) return row;
  throw leaseLost(await lockTask(ctx, end.id));
}

/** Why a write that is bound to a lease came to nothing. */
export async function leaseLostOf(ctx: WriteContext, id: string): Promise<Refusal> {
  return leaseLost(await lockTask(ctx, id));
}

function leaseLost(row: TaskRow | undefined): Refusal {
  return refuse(
    conflict,
    `The lease is lost: the task is ${row?.status ?? "gone"}${row?.status === "running" ? " with another worker" : ""}.`,
  );
}

/** Puts a queued task before people, under a new approval, if its earlier one (null: none) is still the one that was looked at. */
export function awaitApproval(ctx: WriteContext, id: string, approvalId: string, earlier: string | null) {
  const asked = { approval_id: approvalId, run_approval_id: null, call_approval: false };
  const standing = { id, from: ["queued"], approval: earlier } as const;
  return updateTask(ctx, standing, { status: "awaiting_approval", ...asked, events: 1 });
}

const leaseGivenUp = {
  ran_ms: sql<number>`${sql.raw(ranOn)}`,
  lease_owner: null,
  lease_until: null,
};

/** Has a running task wait for an approval of one of its calls: the lease is given up, the approval of the task as a whole is kept beside it. */
export async function awaitCallApproval(
  ctx: WriteContext,
  { id, approval_id }: TaskRow,
  owner: string,
  approvalId: string,
): Promise<TaskRow> {
  const ofRun = sql<string | null>`case when call_approval then run_approval_id else approval_id end`;
  const asked = { approval_id: approvalId, run_approval_id: ofRun, call_approval: true };
  const standing = { id, from: ["running"], owner, approval: approval_id } as const;
  const row = await updateTask(ctx, standing, { status: "awaiting_approval", ...asked, ...leaseGivenUp, events: 1 });
  return row ?? Promise.reject(await leaseLostOf(ctx, id));
}

/** Has a running task wait for an answer of people, without a worker. */
export async function awaitInput(
  ctx: WriteContext,
  { task, owner }: { task: string; owner: string },
  question: string,
): Promise<TaskRow> {
  const standing = { id: task, from: ["running"], owner } as const;
  const row = await updateTask(ctx, standing, { status: "input_required", question, ...leaseGivenUp, events: 1 });
  return row ?? Promise.reject(await leaseLostOf(ctx, task));
}

/** Takes a running task's lease away and queues it again; it is locked. A lease given back in good order does not count as an attempt. Returns when, by the database's clock. */
export async function queueAgain(ctx: WriteContext, id: string, counted: boolean): Promise<Date> {
  const attempt = sql<number>`attempt - ${counted ? 0 : 1}::int`;
  const row = await updateTask(ctx, { id, from: ["running"] }, { status: "queued", ...leaseGivenUp, attempt });
  return (row as TaskRow).updated_at;
}

/** Whether a time has passed, by the database's clock. */
export async function isPast(ctx: WriteContext, time: Date | null): Promise<boolean> {
  const [found] = await ctx.db.query<{ past: boolean | null }>("select $1::timestamptz <= clock_timestamp() as past", [
    time,
  ]);
  return found?.past === true;
}
