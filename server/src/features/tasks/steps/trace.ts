import { hash } from "node:crypto";
import type { ReadContext } from "../../../kernel/context.ts";
import { madeAt } from "../../../kernel/moment.ts";
import { approvalRows } from "../../approvals/shared-rows.ts";
import { findCause } from "../runs/lease-store.ts";
import type { TaskSpan, TaskTrace } from "../schemas.ts";
import { isFinal, taskJson } from "../tasks/row.ts";
import type { TaskRow } from "../tasks/store.ts";

// A task's work as spans, made of what is stored of it: the same before and after a restart, and without a collector. Names and attributes are those of the spans that
// the service exports (runtime/spans.ts).

const mostSpans = 1_000;

interface StepOfTrace extends Record<string, unknown> {
  readonly id: string;
  readonly attempt: number;
  readonly number: number;
  readonly kind: "model" | "tool";
  readonly name: string;
  readonly state: string;
  readonly code: string | null;
  readonly cost_usd: number;
  readonly tokens: number;
  readonly started_at: Date;
  readonly finished_at: Date | null;
}

interface ApprovalOfTrace extends Record<string, unknown> {
  readonly id: string;
  readonly tool: string | null;
  readonly status: string;
  readonly created_at: Date;
  readonly decided_at: Date | null;
}

const digits = (of: string, count: number): string => hash("sha256", of, "hex").slice(0, count);
const spanId = (of: string): string => digits(`span ${of}`, 16);

async function listSteps({ scope, db }: ReadContext, task: string): Promise<StepOfTrace[]> {
  return db.query<StepOfTrace>(
    `select id, attempt, number, kind, name, state, failure::json ->> 'code' as code, cost_usd, tokens::float8 as tokens, started_at, finished_at
     from steps where organization = $1 and environment = $2 and task_id = $3 order by started_at, id limit $4`,
    [scope.organization, scope.environment, task, mostSpans + 1],
  );
}

async function listWaits({ scope, db }: ReadContext, task: string): Promise<ApprovalOfTrace[]> {
  return db.query<ApprovalOfTrace>(
    `select id, tool, status, created_at, decided_at from ${approvalRows} a
     where organization = $1 and environment = $2 and task_id = $3 order by created_at, id limit $4`,
    [scope.organization, scope.environment, task, mostSpans],
  );
}

export async function traceOfTask(ctx: ReadContext, task: TaskRow): Promise<TaskTrace> {
  const [steps, waits, cause] = [
    await listSteps(ctx, task.id),
    await listWaits(ctx, task.id),
    await findCause(ctx.db, ctx.scope, task.id),
  ];
  const root = spanOfTask(task);
  const attempts = [...Map.groupBy(steps, ({ attempt }) => attempt)].map((entry) => spanOfAttempt(task, entry));
  const parts = [
    ...waits.map((wait) => spanOfWait(task, wait)),
    ...attempts,
    ...steps.map((step) => spanOfStep(task, step)),
  ];
  const spans = [root, ...queueSpan(task), ...parts.sort(byStart)];
  return {
    task_id: task.id,
    trace_id: cause?.split("-")[1] ?? digits(`trace ${task.id}`, 32),
    exported: cause !== null,
    spans: spans.slice(0, mostSpans),
    truncated: spans.length > mostSpans,
  };
}

const depth: Readonly<Record<TaskSpan["kind"], number>> = {
  task: 0,
  queue: 1,
  approval: 1,
  attempt: 1,
  model: 2,
  tool: 2,
};
const byStart = (a: TaskSpan, b: TaskSpan): number =>
  a.start === b.start ? depth[a.kind] - depth[b.kind] : a.start < b.start ? -1 : 1;

function spanOfTask(task: TaskRow): TaskSpan {
  const ended = isFinal(task.status);
  const failure = taskJson(task, "failure")?.code ?? null;
  return {
    span_id: spanId(task.id),
    parent_span_id: null,
    name: `dispatch ${task.agent}`,
    kind: "task",
    start: madeAt(task.id),
    end: task.finished_at?.toISOString() ?? null,
    status: !ended ? "unset" : task.status === "completed" ? "ok" : "error",
    error: ended && task.status !== "completed" ? (failure ?? task.status) : null,
    object: task.id,
    attributes: {
      "gen_ai.agent.name": task.agent,
      "gen_ai.agent.version": String(task.version_number),
      "aos.skill": task.skill,
      "aos.status": task.status,
      "aos.cost_usd": task.cost_usd,
      "aos.trust_score": task.trust_score,
    },
  };
}

/** From the dispatch to the start of its present run, where nobody was asked first. */
function queueSpan(task: TaskRow): TaskSpan[] {
  if (task.started_at === null || task.approval_id !== null || task.attempts_before > 0) return [];
  return [
    {
      span_id: spanId(`${task.id} queue`),
      parent_span_id: spanId(task.id),
      name: "wait queue",
      kind: "queue",
      start: madeAt(task.id),
      end: task.started_at.toISOString(),
      status: "ok",
      error: null,
      object: null,
      attributes: { "aos.priority": task.priority },
    },
  ];
}

const refused: ReadonlySet<string> = new Set(["rejected", "expired", "cancelled"]);

function spanOfWait(task: TaskRow, { id, tool, status, created_at, decided_at }: ApprovalOfTrace): TaskSpan {
  return {
    span_id: spanId(id),
    parent_span_id: spanId(task.id),
    name: tool === null ? "wait approval" : `wait approval ${tool}`,
    kind: "approval",
    start: created_at.toISOString(),
    end: decided_at?.toISOString() ?? null,
    status: status === "pending" ? "unset" : refused.has(status) ? "error" : "ok",
    error: refused.has(status) ? status : null,
    object: id,
    attributes: { "aos.approval.status": status },
  };
}

function spanOfAttempt(task: TaskRow, [attempt, steps]: [number, readonly StepOfTrace[]]): TaskSpan {
  const open = steps.some(({ finished_at }) => finished_at === null);
  const ends = steps.map(({ started_at, finished_at }) => (finished_at ?? started_at).getTime());
  return {
    span_id: spanId(`${task.id} ${attempt}`),
    parent_span_id: spanId(task.id),
    name: `invoke_agent ${task.agent}`,
    kind: "attempt",
    start: new Date(Math.min(...steps.map(({ started_at }) => started_at.getTime()))).toISOString(),
    end: open ? null : new Date(Math.max(...ends)).toISOString(),
    status: open ? "unset" : "ok",
    error: null,
    object: null,
    attributes: { "gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": task.agent, "aos.attempt": attempt },
  };
}

function spanOfStep(task: TaskRow, step: StepOfTrace): TaskSpan {
  const { id, attempt, number, kind, name, state, code, cost_usd, tokens } = step;
  const failed = state === "failed" || state === "unknown";
  const named = kind === "model" ? { "gen_ai.request.model": name } : { "gen_ai.tool.name": name };
  return {
    span_id: spanId(id),
    parent_span_id: spanId(`${task.id} ${attempt}`),
    name: kind === "model" ? `chat ${name}` : `execute_tool ${name}`,
    kind,
    start: step.started_at.toISOString(),
    end: step.finished_at?.toISOString() ?? null,
    status: state === "started" ? "unset" : failed ? "error" : "ok",
    error: failed ? (code ?? state) : null,
    object: id,
    attributes: { ...named, "aos.step": number, "aos.cost_usd": cost_usd, "aos.tokens": tokens },
  };
}
