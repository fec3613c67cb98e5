import { defineAppendTable } from "../../kernel/append.ts";
import type { ReadContext, WriteContext } from "../../kernel/context.ts";
import { defineLoader } from "../../kernel/db.ts";
import { keptFor } from "../../kernel/idempotency.ts";
import { isId, lowestId } from "../../kernel/ids.ts";
import { endSeal } from "./result.ts";
import type { TaskState } from "./schemas.ts";
import { isFinal } from "./states.ts";
import type { TaskRow } from "./task-row.ts";

export type { TaskRow } from "./task-row.ts";

export const taskColumns = `id, agent, version_id, version_number, skill, title, status, input, require_approval, priority, deadline, labels, tags, trust_score,
  trust, risk_level, risk, audit_ref, approval_id, principal, key_id, subject, attempt, event_count, lease_owner, lease_until, cancel_requested_at, output, predictions,
  failure, cost_usd, tokens, not_before, batch_id, run_limits, kill_switch_id, question, run_approval_id, call_approval, ran_ms, attempts_before, tokens_before, cost_before_usd,
  retry_step, result_ref, result_seal, updated_at, started_at, finished_at`;

const taskById = defineLoader<TaskRow>(
  "task by id",
  `select id as loader_key, ${taskColumns} from tasks where organization = $1 and environment = $2 and id = any($3::text[])`,
);

/** One task of the call's environment. */
export async function findTask(ctx: ReadContext | WriteContext, id: string): Promise<TaskRow | undefined> {
  return isId(id, "tsk") ? ctx.db.load(taskById, ctx.scope, id) : undefined;
}

/** The task, locked until the transaction ends. */
export async function lockTask(ctx: WriteContext, id: string): Promise<TaskRow | undefined> {
  const rows = await ctx.db.query<TaskRow>(
    `select ${taskColumns} from tasks where organization = $1 and environment = $2 and id = $3 for update`,
    [ctx.scope.organization, ctx.scope.environment, id],
  );
  return rows[0];
}

/** A new task, as dispatch appends it. The idempotency key is a column of the row: one index, no table of its own. */
export interface NewTaskRow extends Record<string, unknown> {
  id: string;
  agent: string;
  version_id: string;
  version_number: number;
  skill: string;
  title: string | null;
  status: "queued" | "awaiting_approval";
  input: string;
  require_approval: boolean;
  priority: number;
  deadline: string | null;
  labels: string;
  tags: string;
  trust_score: number;
  trust: string;
  risk_level: string;
  risk: string;
  audit_ref: string;
  approval_id: string | null;
  principal: string;
  key_id: string | null;
  subject: string;
  event_count: number;
  not_before: string | null;
  batch_id: string | null;
  run_limits: string | null;
  idempotency_hash: string | null;
  request_digest: string | null;
  answer: string | null;
  /** W3C `traceparent` of the dispatch; null where nothing is traced. */
  traceparent: string | null;
}

export const newTasks = defineAppendTable<NewTaskRow>({
  table: "tasks",
  columns: [
    ["organization", "text"],
    ["environment", "text"],
    ["id", "text"],
    ["agent", "text"],
    ["version_id", "text"],
    ["version_number", "int"],
    ["skill", "text"],
    ["title", "text"],
    ["status", "text"],
    ["input", "text"],
    ["require_approval", "boolean"],
    ["priority", "smallint"],
    ["deadline", "timestamptz"],
    ["labels", "text", "text[]"],
    ["tags", "text", "text[]"],
    ["trust_score", "float8"],
    ["trust", "text"],
    ["risk_level", "text"],
    ["risk", "text"],
    ["audit_ref", "text"],
    ["approval_id", "text"],
    ["principal", "text"],
    ["key_id", "text"],
    ["subject", "text"],
    ["event_count", "int"],
    ["not_before", "timestamptz"],
    ["batch_id", "text"],
    ["run_limits", "text"],
    ["idempotency_hash", "text"],
    ["request_digest", "text"],
    ["answer", "text"],
    ["traceparent", "text"],
  ],
  claim: {
    conflict: "(organization, environment, idempotency_hash) where idempotency_hash is not null",
    key: "idempotency_hash",
  },
});

/**
 * What the dispatch with this Idempotency-Key was and answered within the last 24 hours. An older one answers no more, but its row holds the key
 * until the sweeper clears it, a look (one second) after its time, or a few where thousands are due: a call with the key in between loses its claim
 * and is answered 503 `audit_unavailable`, "try again", and the next one is a dispatch of its own.
 */
export async function findDispatchByIdempotency(
  ctx: ReadContext,
  hash: string,
): Promise<{ request_digest: string; answer: string } | undefined> {
  const rows = await ctx.db.query<{ request_digest: string; answer: string }>(
    `select request_digest, answer from tasks where organization = $1 and environment = $2 and idempotency_hash = $3 and id >= $4`,
    [ctx.scope.organization, ctx.scope.environment, hash, lowestId("tsk", ctx.now - keptFor)],
  );
  return rows[0];
}

export interface Transition {
  readonly id: string;
  readonly from: readonly TaskState[];
  readonly to: TaskState;
  readonly events: number;
  readonly output?: string | null;
  readonly predictions?: string | null;
  readonly failure?: string | null;
  readonly trust?: { readonly score: number; readonly text: string };
  /** The claim that must hold the task's lease. */
  readonly owner?: string;
}

/**
 * Moves a task on if it stands in one of the states `from`; undefined where it does not. Final states give the lease back, set the end and close the steps that
 * are under way; one that completes has none.
 */
export async function updateTaskStatus(ctx: WriteContext, change: Transition): Promise<TaskRow | undefined> {
  const rows = await ctx.db.query<TaskRow>(
    `update tasks set status = $4, event_count = event_count + $5, updated_at = now(), lease_owner = null, lease_until = null,
       finished_at = case when $4 = any('{completed,failed,rejected,expired,blocked,cancelled}') then now() end,
       output = coalesce($6, output), failure = $7, trust_score = coalesce($8, trust_score), trust = coalesce($9, trust),
       predictions = coalesce($12, predictions)
     where organization = $1 and environment = $2 and id = $3 and status = any($10::text[])
       and ($11::text is null or lease_owner = $11)
     returning ${taskColumns}`,
    [
      ctx.scope.organization,
      ctx.scope.environment,
      change.id,
      change.to,
      change.events,
      change.output ?? null,
      change.failure ?? null,
      change.trust?.score ?? null,
      change.trust?.text ?? null,
      change.from,
      change.owner ?? null,
      change.predictions ?? null,
    ],
  );
  const [row] = rows;
  if (!row || !isFinal(change.to)) return row;
  if (change.to !== "completed") await closeOpenSteps(ctx, change.id, change.failure ?? leftOpen);
  return sealEnd(ctx, row);
}

/** Seals what a task ended with, in the transaction that ends it. */
async function sealEnd(ctx: WriteContext, row: TaskRow): Promise<TaskRow> {
  const sealed = endSeal(ctx, row);
  await ctx.db.query(
    "update tasks set result_ref = $4, result_seal = $5 where organization = $1 and environment = $2 and id = $3",
    [...[ctx.scope.organization, ctx.scope.environment, row.id], ...[sealed.result_ref, sealed.result_seal]],
  );
  return { ...row, ...sealed };
}

const leftOpen = JSON.stringify({ code: "broken_off", detail: "Its task ended while it ran." });

/**
 * Closes steps that were under way when their task was ended: what calls did is not known, and turns of a model came to nothing. A statement of its own, after
 * the task's row is held: it sees a step that was begun while the row was waited for.
 */
async function closeOpenSteps(ctx: WriteContext, taskId: string, failure: string): Promise<void> {
  await ctx.db.query(
    `update steps set state = case kind when 'tool' then 'unknown' else 'failed' end, failure = $4, finished_at = now()
     where organization = $1 and environment = $2 and task_id = $3 and state = 'started'`,
    [ctx.scope.organization, ctx.scope.environment, taskId, failure],
  );
}
