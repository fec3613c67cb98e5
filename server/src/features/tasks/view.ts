import { isoTime } from "../../kernel/clock.ts";
import type { Hold } from "../../kernel/hold.ts";
import { summedUsd } from "../../kernel/ledger.ts";
import { madeAt } from "../../kernel/moment.ts";
import type { Asked } from "./question.ts";
import type { Step, Task, TaskResult } from "./schemas.ts";
import { isFinal } from "./states.ts";
import { type StepRow, stepNotIntact } from "./steps.ts";
import type { TaskRow } from "./store.ts";

const json = <T>(text: string | null): T | null => (text === null ? null : (JSON.parse(text) as T));

/** What a task waits to be told; null: nothing. */
export const askedOf = ({ question }: Pick<TaskRow, "question">): Asked | null => json<Asked>(question);

/** The revision of a task: it changes with its state, and with what people change of it. */
export const taskRevision = ({
  status,
  updated_at,
  priority,
}: Pick<Task, "status" | "updated_at" | "priority">): string =>
  `${status}_${Date.parse(updated_at)}_${priority < 0 ? "m" : ""}${Math.abs(priority)}`;
/** The same, of a task as it is stored. */
export const rowRevision = ({ status, updated_at, priority }: TaskRow): string =>
  taskRevision({ status, priority, updated_at: updated_at.toISOString() });

/** A task as callers read it, with what holds it (`held-by.ts`). Of one that has ended, its result has been found intact (`result.ts`). */
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
    input: JSON.parse(row.input) as Record<string, unknown>,
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
    trust: JSON.parse(row.trust) as Task["trust"],
    risk: JSON.parse(row.risk) as Task["risk"],
    attempt: row.attempt,
    question: askedOf(row),
    held_by: held,
    output: final ? json(row.output) : null,
    predictions: final ? json(row.predictions) : null,
    failure: final ? json(row.failure) : null,
    cost_usd: summedUsd(row.cost_usd),
    tokens: row.tokens,
    requested_by: row.principal,
    created_at: madeAt(row.id),
    updated_at: isoTime(row.updated_at) as string,
    started_at: isoTime(row.started_at),
    finished_at: isoTime(row.finished_at),
  };
}

/** The step of a workflow's run that a task carries out; null: none. */
export const runOf = ({ run_id, run_step, run_workflow }: RunColumns): Task["run"] =>
  run_id === null || run_step === null || run_workflow === null
    ? null
    : { run_id, workflow: run_workflow, step: run_step };
export type RunColumns = Pick<TaskRow, "run_id" | "run_step" | "run_workflow">;

/** What came of a task, as callers read it. Where it has ended, it has been found intact (`result.ts`). */
export function resultView(row: TaskRow, held: Hold | null): TaskResult {
  const final = isFinal(row.status);
  return {
    task_id: row.id,
    status: row.status,
    final,
    output: final ? json(row.output) : null,
    predictions: final ? json(row.predictions) : null,
    failure: final ? json(row.failure) : null,
    held_by: held,
    trust_score: row.trust_score,
    result_ref: final ? row.result_ref : null,
    files: [],
  };
}

/** A step as callers read it, without an answer that is not what the service wrote (`intact`: it is). */
export function stepView(
  { id, input, output, failure, seal: _seal, started_at, finished_at, ...row }: StepRow,
  intact: boolean,
): Step {
  return {
    step_id: id,
    ...row,
    input: JSON.parse(input),
    output: intact ? json(output) : null,
    failure: intact ? json(failure) : stepNotIntact,
    started_at: isoTime(started_at) as string,
    finished_at: isoTime(finished_at),
  };
}

/** The common members of a task's events, and its place among them. */
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
