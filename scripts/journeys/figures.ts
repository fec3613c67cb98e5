import type { Result } from "../../server/bench/figure.ts";
import { type ReliabilityCurve, reliabilityCurve } from "../../server/src/kernel/trust/index.ts";
import type { ColdFigures } from "./cold.ts";
import { areaUnderCurve, shareOf } from "./measures.ts";

/** A task that has ended, as `GET /v1/tasks` shows it, as far as a journey looks. */
export interface EndedTask {
  readonly task_id: string;
  readonly status: string;
  readonly trust_score: number;
  readonly trust: { readonly case?: { readonly probability?: number } };
  readonly output: Readonly<Record<string, unknown>> | null;
  readonly failure: { readonly code: string; readonly detail: string } | null;
  readonly audit_ref: string;
  readonly created_at: string;
  readonly finished_at: string | null;
}

/** A task with the right answer to it. */
export interface JudgedTask {
  readonly task: EndedTask;
  readonly expected: unknown;
  /** What the agent answered; undefined where it left that out. */
  readonly answered: unknown;
  readonly correct: boolean;
}

/** Holds a task's output against the right answer. */
export function judgeTask(task: EndedTask, field: string, expected: unknown): JudgedTask {
  const answered = task.output?.[field];
  return { task, expected, answered, correct: task.status === "completed" && answered === expected };
}

/** What was measured of the tasks. */
export interface TaskFigures {
  readonly dispatched: number;
  readonly completed: number;
  /** How many ended otherwise, by state and failure. */
  readonly others: Readonly<Record<string, number>>;
  /** Share of the completed ones whose answer is right; null: none completed. */
  readonly accuracy: number | null;
  /** How well the trust score, as it was published with the outcome, says whether that is right. */
  readonly trust: ReliabilityCurve;
  /** Of an answer that is true or false: how well the model's probability of `true` tells the two apart; else null. */
  readonly auc: number | null;
  /** Its mean squared error; null where `auc` is. */
  readonly brier: number | null;
}

/** The figures of ended tasks. */
export function taskFigures(tasks: readonly JudgedTask[]): TaskFigures {
  const completed = tasks.filter(({ task }) => task.status === "completed");
  const others: Record<string, number> = {};
  for (const { task } of tasks) {
    if (task.status === "completed") continue;
    const how = task.failure ? `${task.status} (${task.failure.code})` : task.status;
    others[how] = (others[how] ?? 0) + 1;
  }
  const isBoolean = completed.length > 0 && completed.every(({ answered }) => typeof answered === "boolean");
  const likelihoods = isBoolean
    ? completed.map((one) => ({ likelihood: likelihoodOfTrue(one), came: one.expected === true }))
    : [];
  const squares = likelihoods.map(({ likelihood, came }) => (likelihood - (came ? 1 : 0)) ** 2);
  return {
    dispatched: tasks.length,
    completed: completed.length,
    others,
    accuracy: shareOf(completed.map(({ correct }) => correct)),
    trust: reliabilityCurve(
      completed.map(({ task, correct }) => ({ score: task.trust_score, outcome: correct ? 1 : 0 })),
    ),
    auc: areaUnderCurve(likelihoods),
    brier: isBoolean ? squares.reduce((sum, one) => sum + one, 0) / squares.length : null,
  };
}

/** By the model's own probability that its answer is right, which the trust score starts from. */
function likelihoodOfTrue({ task, answered }: JudgedTask): number {
  const probability = task.trust.case?.probability ?? 0.5;
  return answered === true ? probability : 1 - probability;
}

/** All that a journey measured. */
export interface Figures {
  readonly records: number;
  readonly examples: number;
  readonly training: {
    readonly seconds: number | null;
    readonly wallSeconds: number;
    readonly before: number | null;
    readonly after: number | null;
    readonly low: number | null;
  };
  readonly gate: string;
  /** Null: not asked for. */
  readonly cold: ColdFigures | null;
  /** Tasks that ran before anybody had judged an outcome, those after people had judged these, and all together. */
  readonly first: TaskFigures;
  readonly rest: TaskFigures;
  readonly all: TaskFigures;
  /** From the first dispatch to the last completion, waves added up. */
  readonly taskSeconds: number;
  readonly proofs: { readonly records: number; readonly verified: number };
}

const told = { bar: null, aim: null, better: "higher" } as const;

/** What every journey measures; `bars` says what the trust score's calibration and others are held against, as [bar, aim]. */
export function commonResults(
  figures: Figures,
  bars: { readonly ece: Bar; readonly rate?: Bar; readonly training?: Bar },
): Result[] {
  const { all, first, rest, training, cold, proofs, taskSeconds } = figures;
  const least = (value: number | null): number => value ?? Number.NaN;
  const results: Result[] = [
    {
      what: "tasks completed, of those dispatched",
      value: all.completed / all.dispatched,
      unit: "",
      bar: 1,
      aim: 1,
      better: "higher",
    },
    { what: "accuracy", value: least(all.accuracy), unit: "", ...told },
    {
      what: "trust score against outcome: ECE, 10 bins",
      value: least(all.trust.ece),
      unit: "",
      ...held(bars.ece),
      better: "lower",
    },
    { what: "   of tasks before any was judged", value: least(first.trust.ece), unit: "", ...told, better: "lower" },
    { what: "   of tasks after these were judged", value: least(rest.trust.ece), unit: "", ...told, better: "lower" },
    { what: "trust score against outcome: Brier", value: least(all.trust.brier), unit: "", ...told, better: "lower" },
    {
      what: "tasks, from dispatch to completion",
      value: all.completed / taskSeconds,
      unit: "/s",
      ...held(bars.rate),
      better: "higher",
    },
    { what: "training", value: least(training.seconds), unit: "s", ...held(bars.training), better: "lower" },
    {
      what: "training job, with measuring before and after",
      value: training.wallSeconds,
      unit: "s",
      ...told,
      better: "lower",
    },
    { what: "held-out quality before training", value: least(training.before), unit: "", ...told },
    { what: "held-out quality after", value: least(training.after), unit: "", ...told },
    {
      what: "audit records proved, of those sampled",
      value: proofs.verified / proofs.records,
      unit: "",
      bar: 1,
      aim: 1,
      better: "higher",
    },
    {
      what: "tasks on a cold model that failed",
      value: cold?.failed ?? Number.NaN,
      unit: "",
      bar: 0,
      aim: 0,
      better: "lower",
    },
    {
      what: "   their time against that on a warm one",
      value: cold ? cold.seconds / cold.warmSeconds : Number.NaN,
      unit: "×",
      bar: 1.3,
      aim: 1.1,
      better: "lower",
    },
  ];
  // What nothing was measured of is left out.
  return results.filter(({ value }) => !Number.isNaN(value));
}

export type Bar = readonly [bar: number, aim: number];

/** A bar with its aim, as results carry them. */
export function held(bar: Bar | undefined): Pick<Result, "bar" | "aim"> {
  return bar === undefined ? { bar: null, aim: null } : { bar: bar[0], aim: bar[1] };
}
