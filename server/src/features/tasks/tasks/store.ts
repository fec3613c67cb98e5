import { all, type Changes, first, sql, update } from "../../../db/scoped.ts";
import { columnsOf, defineAppendTable, type RowOf } from "../../../kernel/append.ts";
import type { ReadContext, WriteContext } from "../../../kernel/context.ts";
import { defineLoader } from "../../../kernel/db.ts";
import { keptFor } from "../../../kernel/idempotency.ts";
import { isId, lowestId } from "../../../kernel/ids.ts";
import type { TaskState } from "../schemas.ts";
import { endSeal } from "./result.ts";
import { isFinal, type TaskRow, taskColumns, taskFields, wakeConversation, wakeRun, wakeShadow } from "./row.ts";

export { type TaskRow, taskColumns } from "./row.ts";

const taskById = defineLoader<TaskRow>(
  "task by id",
  `select id as loader_key, ${taskColumns} from tasks where organization = $1 and environment = $2 and id = any($3::text[])`,
);

export async function findTask(ctx: ReadContext | WriteContext, id: string): Promise<TaskRow | undefined> {
  return isId(id, "tsk") ? ctx.db.load(taskById, ctx.scope, id) : undefined;
}

export async function lockTask(ctx: WriteContext, id: string): Promise<TaskRow | undefined> {
  const { organization, environment } = ctx.scope;
  const text = `select ${taskColumns} from tasks where organization = $1 and environment = $2 and id = $3 for update`;
  return (await ctx.db.query<TaskRow>(text, [organization, environment, id]))[0];
}

const newTask = [
  "id text, agent text, version_id text, version_number int, skill text, title text?, status text, input text",
  "require_approval boolean, priority smallint, deadline timestamptz?, labels text::text[], tags text::text[]",
  "trust_score float8, trust text, risk_level text, risk text, audit_ref text, approval_id text?, principal text",
  "key_id text?, subject text, event_count int, not_before timestamptz?, batch_id text?, run_limits text?",
  "idempotency_hash text?, request_digest text?, answer text?, traceparent text?",
  "run_id text?, run_step text?, run_workflow text?, covered_by text?, run_key text?, run_again boolean?, conversation text?",
  "experiment text?, sticky text?, deciders text?::jsonb",
] as const;

export type NewTaskRow = RowOf<typeof newTask>;

/** A new task, as dispatch appends it. The idempotency key is a column of the row: one index, no table of its own. */
export const newTasks = defineAppendTable<NewTaskRow>({
  table: "tasks",
  columns: columnsOf(newTask),
  claim: {
    conflict: "(organization, environment, idempotency_hash) where idempotency_hash is not null",
    key: "idempotency_hash",
  },
});

/**
 * What the dispatch with this Idempotency-Key was and answered within the last 24 hours. An older one no longer answers, but its row holds the key
 * until the sweeper clears it, a look (one second) after its time, or a few where thousands are due: a call with the key in between loses its claim
 * and is answered 503 `audit_unavailable`, "try again", and the next one is a dispatch of its own.
 */
export async function findDispatchByIdempotency(
  ctx: ReadContext,
  hash: string,
): Promise<{ request_digest: string; answer: string; key_id: string | null } | undefined> {
  const rows = await ctx.db.query<{ request_digest: string; answer: string; key_id: string | null }>(
    `select request_digest, answer, key_id from tasks where organization = $1 and environment = $2 and idempotency_hash = $3 and id >= $4`,
    [ctx.scope.organization, ctx.scope.environment, hash, lowestId("tsk", ctx.now - keptFor)],
  );
  return rows[0];
}

/** The state that a change requires. `owner`: the claim with its lease; `approval`: its approval. */
interface RequiredState {
  readonly id: string;
  readonly from: readonly TaskState[];
  readonly owner?: string;
  readonly approval?: string | null;
}

/** Changes a task; undefined if it is not in the required state. `events`: how many of its events the caller emits. Another state wakes its conversation. */
export async function updateTask(
  ctx: WriteContext,
  { id, from, owner, approval }: RequiredState,
  { events = 0, ...changes }: Changes<"tasks"> & { readonly events?: number },
): Promise<TaskRow | undefined> {
  const counted = events === 0 ? {} : { event_count: sql<number>`event_count + ${events}::int` };
  const query = update(ctx, "tasks")
    .set({ updated_at: sql<Date>`now()`, ...counted, ...changes })
    .where("id", "=", id)
    .where("status", "in", from)
    .$if(owner !== undefined, (q) => q.where("lease_owner", "=", owner as string))
    .$if(approval !== undefined, (q) => q.where("approval_id", "is not distinct from", approval as string | null));
  const row = await first(ctx, query.returning(taskFields));
  if (row && row.conversation !== null && changes.status !== undefined)
    ctx.enqueue(wakeConversation(ctx.scope, row.conversation, row.id));
  return row;
}

export interface Transition extends RequiredState {
  readonly to: TaskState;
  readonly events: number;
  readonly output?: string;
  readonly predictions?: string | null;
  readonly failure?: string | null;
  readonly trust?: { readonly score: number; readonly text: string };
}

/** Moves a task on like {@link updateTask}. Final states end the lease and close open steps; a completed task has none. */
export async function updateTaskStatus(ctx: WriteContext, change: Transition): Promise<TaskRow | undefined> {
  const { id, to, events, output, predictions, failure = null, trust } = change;
  const final = isFinal(to);
  const row = await updateTask(ctx, change, {
    status: to,
    events,
    lease_owner: null,
    lease_until: null,
    failure,
    finished_at: final ? sql<Date>`now()` : null,
    ...(output === undefined ? {} : { output, predictions }),
    ...(trust && { trust_score: trust.score, trust: trust.text }),
  });
  if (!row || !final) return row;
  if (row.run_id !== null) ctx.enqueue(wakeRun(ctx.scope, row.run_id));
  if (to === "completed" || to === "failed") wakeShadow(ctx, row);
  if (to !== "completed") await closeOpenSteps(ctx, id, failure ?? leftOpen);
  const sealed = endSeal(ctx, row); // in the transaction that ends it
  await all(ctx, update(ctx, "tasks").set(sealed).where("id", "=", id));
  return { ...row, ...sealed };
}

const leftOpen = JSON.stringify({ code: "broken_off", detail: "Its task ended while it ran." });

/** Open calls have an unknown outcome; open turns failed. Runs after the task's row is locked, so that it sees a step begun meanwhile. */
async function closeOpenSteps(ctx: WriteContext, task: string, failure: string): Promise<void> {
  const state = sql<"unknown" | "failed">`case kind when 'tool' then 'unknown' else 'failed' end`;
  const query = update(ctx, "steps").set({ state, failure, finished_at: sql<Date>`now()` });
  await all(ctx, query.where("task_id", "=", task).where("state", "=", "started"));
}
