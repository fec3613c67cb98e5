import { isoTime } from "../../../kernel/clock.ts";
import type { Hold } from "../../../kernel/hold.ts";
import { summedUsd } from "../../../kernel/ledger.ts";
import { madeAt } from "../../../kernel/moment.ts";
import type { Step, Task, TaskResult } from "../schemas.ts";
import { type StepRow, stepJson, stepNotIntact } from "../steps/seal.ts";
import { type Asked, isFinal, taskJson } from "./row.ts";
import type { TaskRow } from "./store.ts";

export const askedOf = ({ question }: Pick<TaskRow, "question">): Asked | null => taskJson({ question }, "question");

function questionView(asked: Asked | null): Task["question"] {
  if (!asked) return null;
  const { calls, ...question } = asked;
  return { ...question, ...(calls && { calls: calls.map(({ step_id, tool }) => ({ step_id, tool })) }) };
}

/** A task's revision changes with its state, and with what people change of it. */
export const taskRevision = ({
  status,
  updated_at,
  priority,
}: Pick<Task, "status" | "updated_at" | "priority">): string =>
  `${status}_${Date.parse(updated_at)}_${priority < 0 ? "m" : ""}${Math.abs(priority)}`;
export const rowRevision = ({ status, updated_at, priority }: TaskRow): string =>
  taskRevision({ status, priority, updated_at: updated_at.toISOString() });

/** `held`: what holds it (`held-by.ts`). The result of an ended task has been checked (`result.ts`). */
export function taskView(row: TaskRow, appUrl: string, held: Hold | null): Task {
  const final = isFinal(row.status);
  return {
    task_id: row.id,
    status: row.status,
    trust_score: row.trust_score,
    audit_ref: row.audit_ref,
    agent: row.agent,
    version: row.version_number,
    version_id: row.version_id,
    task: row.skill,
    title: row.title,
    input: taskJson(row, "input"),
    require_approval: row.require_approval,
    approval_id: row.approval_id,
    approve_url: row.status === "awaiting_approval" ? `${appUrl}/approvals/${row.id}` : null,
    priority: row.priority,
    deadline: isoTime(row.deadline),
    not_before: isoTime(row.not_before),
    batch_id: row.batch_id,
    run: runOf(row),
    conversation_id: row.conversation,
    labels: row.labels,
    tags: row.tags,
    trust: taskJson(row, "trust"),
    risk: taskJson(row, "risk"),
    attempt: row.attempt,
    question: questionView(askedOf(row)),
    paused: final ? null : pausedOf(row),
    held_by: held,
    output: final ? taskJson(row, "output") : null,
    predictions: final ? taskJson(row, "predictions") : null,
    failure: final ? taskJson(row, "failure") : null,
    cost_usd: summedUsd(row.cost_usd),
    tokens: row.tokens,
    requested_by: row.principal,
    created_at: madeAt(row.id),
    updated_at: isoTime(row.updated_at) as string,
    started_at: isoTime(row.started_at),
    finished_at: isoTime(row.finished_at),
  };
}

const pausedOf = ({ paused_at, paused_by, pause_reason }: TaskRow): Task["paused"] =>
  paused_at === null || paused_by === null
    ? null
    : { since: paused_at.toISOString(), by: paused_by, reason: pause_reason };

/** The workflow step that a task carries out, if any. */
export const runOf = ({ run_id, run_step, run_workflow }: RunColumns): Task["run"] =>
  run_id === null || run_step === null || run_workflow === null
    ? null
    : { run_id, workflow: run_workflow, step: run_step };
export type RunColumns = Pick<TaskRow, "run_id" | "run_step" | "run_workflow">;

/** The result of an ended task has been checked. */
export function resultView(row: TaskRow, held: Hold | null): TaskResult {
  const final = isFinal(row.status);
  return {
    task_id: row.id,
    status: row.status,
    final,
    output: final ? taskJson(row, "output") : null,
    predictions: final ? taskJson(row, "predictions") : null,
    failure: final ? taskJson(row, "failure") : null,
    held_by: held,
    trust_score: row.trust_score,
    result_ref: final ? row.result_ref : null,
    files: [],
  };
}

/** A step without an altered output (`intact`: it was not altered). */
export function stepView({ id, seal: _seal, started_at, finished_at, ...row }: StepRow, intact: boolean): Step {
  return {
    step_id: id,
    ...row,
    input: stepJson(row, "input"),
    output: intact ? stepJson(row, "output") : null,
    failure: intact ? stepJson(row, "failure") : stepNotIntact,
    started_at: isoTime(started_at) as string,
    finished_at: isoTime(finished_at),
  };
}

/** The common members of a task's events, and the event's sequence. */
export function eventOf(row: TaskRow) {
  const body = {
    task_id: row.id,
    agent: row.agent,
    task: row.skill,
    status: row.status,
    trust_score: row.trust_score,
    audit_ref: row.audit_ref,
  };
  return [body, { id: row.id, sequence: row.event_count }] as const;
}
