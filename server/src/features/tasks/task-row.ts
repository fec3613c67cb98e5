import type { Row } from "../../db/scoped.ts";

export const taskFields = [
  ...([
    "id",
    "agent",
    "version_id",
    "version_number",
    "skill",
    "title",
    "status",
    "input",
    "require_approval",
  ] as const),
  ...(["priority", "deadline", "not_before", "labels", "tags", "trust_score", "trust", "risk_level", "risk"] as const),
  ...(["audit_ref", "approval_id", "principal", "key_id", "subject", "attempt", "event_count", "batch_id"] as const),
  ...(["lease_owner", "lease_until", "cancel_requested_at", "output", "predictions", "failure", "cost_usd"] as const),
  ...(["tokens", "run_limits", "kill_switch_id", "question", "run_approval_id", "call_approval", "ran_ms"] as const),
  ...(["attempts_before", "tokens_before", "cost_before_usd", "retry_step", "result_ref", "result_seal"] as const),
  ...([
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
  ] as const),
];
export const taskColumns = taskFields.join(", ");

/**
 * A task as it is stored. `trust`, `risk`, `output`, `predictions`, `failure`, `run_limits` (`RunLimits`) and `question` (`Asked`) are JSON. While `call_approval`,
 * `approval_id` is that of one call of a tool, and `run_approval_id` that of the task as a whole. `…_before`: what it had used when it was tried again.
 */
export type TaskRow = Pick<Row<"tasks">, (typeof taskFields)[number]>;
