import type { Action, RunState, StepState, StepStatus } from "@aos/workflow";
import type { Changes, Row } from "../../../db/scoped.ts";
import { storedJson } from "../../../kernel/stored-json.ts";
import type { WorkflowRun } from "./schemas.ts";

export type RunRow = Row<"workflow_runs">;
export type StepRow = Row<"workflow_steps">;

/** What of a run has no column of its own. */
type Journal = Partial<Pick<RunState, "begun" | "completed" | "asked" | "ending">>;

interface RunFailure {
  readonly code: string;
  readonly detail: string;
}

export const runJson = storedJson<{
  journal: Journal;
  input: unknown;
  output: unknown;
  event: unknown;
  failure: RunFailure;
  /** The latest control of the run by a person. */
  intervention: NonNullable<WorkflowRun["intervention"]>;
}>();

export const stepJson = storedJson<{
  action: Action;
  undo_action: Action;
  output: unknown;
  failure: RunFailure;
  edited: NonNullable<StepState["edited"]>;
}>();

const given = <K extends string, V>(name: K, value: V | null | undefined): { readonly [N in K]?: V } =>
  (value === null || value === undefined ? {} : { [name]: value }) as { readonly [N in K]?: V };
const moment = (at: Date | null): number | null => at?.getTime() ?? null;

export function stateOf(row: RunRow, steps: readonly StepRow[]): RunState {
  const { begun = 0, completed = 0, asked, ending } = runJson(row, "journal");
  return {
    status: row.status as RunState["status"],
    input: runJson(row, "input"),
    run: {
      id: row.id,
      workflow: row.workflow,
      version: row.version_number,
      trigger: row.trigger,
      started_at: row.created_at.toISOString(),
    },
    ...given("event", runJson(row, "event")),
    startedAt: row.created_at.getTime(),
    steps: new Map(steps.map((step) => [step.step, stepOf(step)])),
    begun,
    completed,
    ...given("asked", asked),
    ...given("ending", ending),
  };
}

function stepOf(row: StepRow): StepState {
  return {
    status: row.status as StepStatus,
    attempt: row.attempt,
    ...given("startedAt", moment(row.started_at)),
    ...given("wakeAt", moment(row.wake_at)),
    ...(row.output !== null && { output: stepJson(row, "output") }),
    ...given("failure", stepJson(row, "failure")),
    ...given("trustScore", row.trust_score),
    ...given("trustLow", row.trust_low),
    ...given("costUsd", row.cost_usd),
    ...given("completedAs", row.completed_as),
    ...(row.tolerated && { tolerated: true }),
    ...(row.timed_out && { timedOut: true }),
    ...given("undo", row.undo as StepState["undo"] | null),
    ...(row.attempts_before > 0 && { before: row.attempts_before }),
    ...given("edited", stepJson(row, "edited")),
  };
}

const date = (ms: number | null | undefined): Date | null => (ms === null || ms === undefined ? null : new Date(ms));
const text = (value: unknown): string | null => (value === undefined ? null : JSON.stringify(value));

export function runChanges(state: RunState, wakeAt: number | null, now: number): Changes<"workflow_runs"> {
  const { begun, completed, asked, ending, status } = state;
  const over = ["completed", "failed", "cancelled", "compensated", "compensation_failed"].includes(status);
  const journal: Journal = { begun, completed, ...given("asked", asked), ...given("ending", ending) };
  return {
    status,
    journal: JSON.stringify(journal),
    wake_at: date(wakeAt),
    updated_at: new Date(now),
    ...(over && { finished_at: new Date(now), output: text(ending?.output), failure: text(ending?.failure) }),
  };
}

export function stepColumns(step: StepState, now: number) {
  const over = !["pending", "running", "waiting"].includes(step.status);
  return {
    status: step.status,
    attempt: step.attempt,
    output: text(step.output),
    failure: text(step.failure),
    trust_score: step.trustScore ?? null,
    trust_low: step.trustLow ?? null,
    cost_usd: step.costUsd ?? null,
    completed_as: step.completedAs ?? null,
    tolerated: step.tolerated ?? false,
    timed_out: step.timedOut ?? false,
    undo: step.undo ?? null,
    attempts_before: step.before ?? 0,
    edited: text(step.edited),
    wake_at: date(step.wakeAt),
    started_at: date(step.startedAt),
    finished_at: over ? new Date(now) : null,
  };
}

// The origin of a run's writes: it stays the same over all attempts, also of the parent's step.

const originOfRun = ({ id, origin }: Pick<RunRow, "id" | "origin">): string => origin ?? id;

/** SQL: the origin of a run `r`. */
export const originOfRunSql = "coalesce(r.origin, r.id)";

/** Of a step of the run, or of an item of its loop. `undo`: of its compensation, named as no step can be. */
export function originOfStep(
  run: Pick<RunRow, "id" | "origin">,
  step: string,
  { item, undo = false }: { readonly item?: number | undefined; readonly undo?: boolean } = {},
): string {
  const words = [originOfRun(run), step, ...(item === undefined ? [] : [String(item)]), ...(undo ? ["!undo"] : [])];
  return words.join(" ");
}

/** Whether an earlier attempt may have left effects: of the step, or of the parent's step. */
export const isAgain = (
  { origin }: Pick<RunRow, "origin">,
  { attempt, undo }: Pick<StepRow, "attempt" | "undo">,
): boolean => origin !== null || attempt > 1 || undo === "running";
