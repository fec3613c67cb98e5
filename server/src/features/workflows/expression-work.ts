import {
  type Action,
  type Advanced,
  advance,
  Budget,
  conditionBounds,
  ExpressionFault,
  type Fixtures,
  holds,
  itemActionOf,
  type Outcome,
  type Plan,
  type PlannedStep,
  type RunState,
  resolveAll,
  type Scope,
  type StepFacts,
  scopeOf,
  type Trial,
  threadBudget,
  trialBudgets,
  trialOf,
} from "@aos/workflow";

// Pure functions of workflows with a caller's expressions, as threads call them: what they are given and return is copied.

export interface Advancing {
  readonly plan: Plan;
  readonly state: RunState;
  readonly outcomes: readonly Outcome[];
  readonly now: number;
}
export const advanceHere = ({ plan, state, outcomes, now }: Advancing, budget: Budget): Advanced =>
  advance(plan, state, outcomes, now, budget);
export const advanceThere = (given: Advancing): Advanced => advanceHere(given, threadBudget());

export interface Trying {
  readonly plan: Plan;
  readonly fixtures: Fixtures;
  readonly now: number;
}
export const tryHere = ({ plan, fixtures, now }: Trying, budget: Budget): Trial => trialOf(plan, fixtures, now, budget);
export const tryThere = (given: Trying): Trial => tryHere(given, trialBudgets.thread());

/** The value of an expression, or its fault: errors lose their class between threads. */
export type Resolved<T> = { readonly value: T } | { readonly fault: FaultFacts };
type FaultFacts = Pick<ExpressionFault, "source" | "message" | "code">;

function resolved<T>(work: () => T): Resolved<T> {
  try {
    return { value: work() };
  } catch (error) {
    if (!(error instanceof ExpressionFault)) throw error;
    const { source, message, code } = error;
    return { fault: { source, message, code } };
  }
}

export interface Calling {
  readonly plan: Plan;
  readonly planned: PlannedStep;
  readonly state: Pick<RunState, "input" | "run" | "event">;
  readonly facts: Readonly<Record<string, StepFacts>>;
  readonly began: number;
  readonly item: { readonly number: number; readonly value: unknown };
}
export const callHere = ({ plan, planned, state, facts, began, item }: Calling, budget: Budget): Resolved<Action> =>
  resolved(() => itemActionOf(plan, planned, scopeOf(plan, state, facts, began, budget), item.value, item.number));
export const callThere = (given: Calling): Resolved<Action> => callHere(given, threadBudget());

export type Names = Omit<Scope, "budget">;

interface Mapping {
  readonly map: Readonly<Record<string, unknown>> | undefined;
  readonly names: Names;
}
export const mapHere = ({ map, names }: Mapping, budget: Budget): Resolved<Record<string, unknown>> =>
  resolved(() => resolveAll(map, { ...names, budget }));
export const mapThere = (given: Mapping): Resolved<Record<string, unknown>> => mapHere(given, threadBudget());

export interface Question {
  readonly key: string;
  readonly where: string;
  readonly names: Names;
}
export type Judgement = Resolved<boolean>;

export const judgeHere = ({ where, names }: Pick<Question, "where" | "names">, budget: Budget): Judgement =>
  resolved(() => holds(where, { ...names, budget }));

/**
 * Judges conditions one after the other. Each is granted a little; what costs more is taken from what its condition and all together may cost, so that a costly
 * one keeps no other from being judged.
 */
export function judgeThere(questions: readonly Question[]): Map<string, Judgement> {
  const { one, least, each, all } = conditionBounds;
  const used = new Map<string, number>();
  let left: number = all;
  const judged = new Map<string, Judgement>();
  for (const question of questions) {
    const before = used.get(question.where) ?? 0;
    const bound = Math.max(least, Math.min(one, each - before, left));
    const budget = new Budget({ perExpression: bound, total: Number.POSITIVE_INFINITY });
    judged.set(question.key, judgeHere(question, budget));
    used.set(question.where, before + budget.used);
    left -= Math.max(0, budget.used - least);
  }
  return judged;
}
