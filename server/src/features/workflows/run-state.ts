import type { RunState, StepState, StepStatus } from "@aos/workflow";
import type { Changes, Row } from "../../db/scoped.ts";

// A run as it is stored, and as the engine sees it.

export type RunRow = Row<"workflow_runs">;
export type StepRow = Row<"workflow_steps">;

/** What of a run as a whole has no column of its own. */
type Journal = Pick<RunState, "begun" | "completed" | "asked" | "ending">;

const parsed = (text: string | null): unknown => (text === null ? undefined : JSON.parse(text));
const given = <K extends string, V>(name: K, value: V | null | undefined): { readonly [N in K]?: V } =>
  (value === null || value === undefined ? {} : { [name]: value }) as { readonly [N in K]?: V };
const moment = (at: Date | null): number | null => at?.getTime() ?? null;

/** The state of a run from its rows. */
export function stateOf(row: RunRow, steps: readonly StepRow[]): RunState {
  const { begun = 0, completed = 0, asked, ending } = JSON.parse(row.journal) as Partial<Journal>;
  return {
    status: row.status as RunState["status"],
    input: JSON.parse(row.input),
    run: {
      id: row.id,
      workflow: row.workflow,
      version: row.version_number,
      trigger: row.trigger,
      started_at: row.created_at.toISOString(),
    },
    ...given("event", parsed(row.event)),
    startedAt: row.created_at.getTime(),
    steps: new Map(steps.map((step) => [step.step, stepOf(step)])),
    ...{ begun, completed },
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
    ...(row.output !== null && { output: JSON.parse(row.output) }),
    ...given("failure", parsed(row.failure) as StepState["failure"]),
    ...given("trustScore", row.trust_score),
    ...given("trustLow", row.trust_low),
    ...given("costUsd", row.cost_usd),
    ...given("completedAs", row.completed_as),
    ...(row.tolerated && { tolerated: true }),
    ...(row.timed_out && { timedOut: true }),
    ...given("undo", row.undo as StepState["undo"] | null),
    ...(row.attempts_before > 0 && { before: row.attempts_before }),
    ...given("edited", parsed(row.edited) as StepState["edited"]),
  };
}

const date = (ms: number | null | undefined): Date | null => (ms === null || ms === undefined ? null : new Date(ms));
const text = (value: unknown): string | null => (value === undefined ? null : JSON.stringify(value));

/** The columns of a run that a new state changes. */
export function runChanges(state: RunState, wakeAt: number | null, now: number): Changes<"workflow_runs"> {
  const { begun, completed, asked, ending, status } = state;
  const over = ["completed", "failed", "cancelled", "compensated", "compensation_failed"].includes(status);
  const journal: Journal = { begun, completed, ...given("asked", asked), ...given("ending", ending) };
  return {
    ...{ status, journal: JSON.stringify(journal), wake_at: date(wakeAt), updated_at: new Date(now) },
    ...(over && { finished_at: new Date(now), output: text(ending?.output), failure: text(ending?.failure) }),
  };
}

/** The columns of a step that its state says. */
export function stepColumns(step: StepState, now: number) {
  const over = !["pending", "running", "waiting"].includes(step.status);
  return {
    ...{ status: step.status, attempt: step.attempt, output: text(step.output), failure: text(step.failure) },
    trust_score: step.trustScore ?? null,
    trust_low: step.trustLow ?? null,
    cost_usd: step.costUsd ?? null,
    completed_as: step.completedAs ?? null,
    tolerated: step.tolerated ?? false,
    timed_out: step.timedOut ?? false,
    undo: step.undo ?? null,
    ...{ attempts_before: step.before ?? 0, edited: text(step.edited) },
    wake_at: date(step.wakeAt),
    started_at: date(step.startedAt),
    finished_at: over ? new Date(now) : null,
  };
}
