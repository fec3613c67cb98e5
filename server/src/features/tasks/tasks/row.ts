import type { Row } from "../../../db/scoped.ts";
import type { JobSpec } from "../../../kernel/append.ts";
import type { CallContext } from "../../../kernel/context.ts";
import type { Scope } from "../../../kernel/principal.ts";
import type { RiskInputs } from "../../../kernel/risk.ts";
import { storedJson } from "../../../kernel/stored-json.ts";
import type { TrustCase } from "../../../kernel/trust/index.ts";
import type { RedactDemand, RunLimits } from "../../../kernel/verdict.ts";
import { findKnownAgent, isShadowed } from "../../agents/public.ts";
import type { Failure, Task, TaskState } from "../schemas.ts";

export const taskFields = [
  "id",
  "agent",
  "version_id",
  "version_number",
  "skill",
  "title",
  "status",
  "input",
  "require_approval",
  "priority",
  "deadline",
  "not_before",
  "labels",
  "tags",
  "trust_score",
  "trust",
  "risk_level",
  "risk",
  "audit_ref",
  "approval_id",
  "principal",
  "key_id",
  "subject",
  "attempt",
  "event_count",
  "batch_id",
  "lease_owner",
  "lease_until",
  "cancel_requested_at",
  "output",
  "predictions",
  "failure",
  "cost_usd",
  "tokens",
  "run_limits",
  "kill_switch_id",
  "question",
  "run_approval_id",
  "call_approval",
  "ran_ms",
  "attempts_before",
  "tokens_before",
  "cost_before_usd",
  "retry_step",
  "result_ref",
  "result_seal",
  "updated_at",
  "started_at",
  "finished_at",
  "run_id",
  "run_step",
  "run_workflow",
  "covered_by",
  "run_key",
  "run_again",
  "conversation",
  "deciders",
  "paused_at",
  "paused_by",
  "pause_reason",
] as const;
export const taskColumns = taskFields.join(", ");

/**
 * A task as it is stored. While `call_approval`, `approval_id` is that of one call of a tool, and `run_approval_id` that of the task as a whole. `…_before`: what it
 * had used when it was tried again.
 */
export type TaskRow = Pick<Row<"tasks">, (typeof taskFields)[number]>;

/** A question of a run, as stored with its task. */
export interface Asked {
  /** The step that the answer ends, `stp_…`. */
  readonly step_id: string;
  /**
   * `answer`: the agent asks. `outcome`: whether a call with an unknown outcome took effect. `results`: `calls` were handed out to the caller of the
   * conversation, and nobody else can answer.
   */
  readonly kind: "answer" | "outcome" | "results";
  readonly text: string;
  /** Null: any text. */
  readonly options: string[] | null;
  readonly calls?: readonly HandedCall[];
  /** RFC 3339. */
  readonly asked_at: string;
}

/** A call that was handed out to the caller of a conversation. */
export interface HandedCall {
  readonly step_id: string;
  readonly number: number;
  readonly tool: string;
  /** What policies let nobody see of its result. */
  readonly redact: RedactDemand | null;
}

type Values = Record<string, unknown>;
export const taskJson = storedJson<{
  input: Values;
  output: Values;
  predictions: NonNullable<Task["predictions"]>;
  failure: Failure;
  /** Tasks of earlier rules have no `case`. */
  trust: Task["trust"] & { readonly case?: TrustCase };
  risk: Task["risk"] & { readonly inputs: RiskInputs };
  run_limits: RunLimits;
  question: Asked;
}>();

/** The states of a task and their successors (product: task states). */
const leavesTo: Readonly<Record<TaskState, readonly TaskState[]>> = {
  queued: ["running", "cancelled", "blocked", "expired", "awaiting_approval"],
  awaiting_approval: ["queued", "rejected", "expired", "cancelled"],
  running: ["completed", "failed", "awaiting_approval", "input_required", "blocked", "cancelled", "queued"],
  input_required: ["queued", "cancelled", "expired"],
  completed: [],
  failed: ["queued"],
  rejected: [],
  expired: [],
  blocked: ["queued"],
  cancelled: ["queued"],
};

/** `running` to `queued` is a lease given back. */
function mayBecome(from: TaskState, to: TaskState): boolean {
  return leavesTo[from].includes(to);
}

export function statesBefore(to: TaskState): TaskState[] {
  return (Object.keys(leavesTo) as TaskState[]).filter((from) => mayBecome(from, to));
}

const ends: ReadonlySet<TaskState> = new Set<TaskState>([
  "completed",
  "failed",
  "rejected",
  "expired",
  "blocked",
  "cancelled",
]);

/** Some ends can be retried. */
export function isFinal(state: TaskState): boolean {
  return ends.has(state);
}

export const advanceRunJob = "advance_workflow_run";

export const settleTurnJob = "settle_chat_turn";

export const shadowTaskJob = "run_shadow";

/** Wakes a task's workflow run. One pending wake-up per run suffices. */
export function wakeRun({ organization, environment }: Scope, run: string): JobSpec {
  return { task: advanceRunJob, payload: { organization, environment, run }, key: `run ${run}` };
}

/** Wakes the conversation of a task's turn. One pending wake-up per task suffices. */
export function wakeConversation({ organization, environment }: Scope, conversation: string, task: string): JobSpec {
  return {
    task: settleTurnJob,
    payload: { organization, environment, conversation, task },
    key: `turn ${task}`,
  };
}

/** Wakes the agent's shadow for a task that has ended by itself, if the task is part of its sample. Turns of conversations are not. */
export function wakeShadow(
  ctx: Pick<CallContext, "scope" | "facts"> & { enqueue(job: JobSpec): void },
  { id, agent, version_id, conversation }: Pick<TaskRow, "id" | "agent" | "version_id" | "conversation">,
): void {
  const known = findKnownAgent(ctx, agent);
  if (conversation !== null || !isShadowed(known, { id, version_id })) return;
  const { organization, environment } = ctx.scope;
  const payload = { organization, environment, task: id, deployment: known?.shadow?.deploymentId };
  // After the work that somebody waits for.
  ctx.enqueue({ task: shadowTaskJob, payload, key: `shadow ${id}`, priority: 10 });
}
