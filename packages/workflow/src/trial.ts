import type { Budget } from "@aos/cel";
import { factsOf, itemActionOf, scopeOf } from "./actions.ts";
import { advance, newRun } from "./advance.ts";
import { failureOfFault } from "./expressions.ts";
import type { Plan, PlannedStep } from "./plan.ts";
import {
  type Action,
  type Advanced,
  type Command,
  type Failure,
  isRunOver,
  type Outcome,
  type RunState,
} from "./state.ts";

// A run in memory: what steps would call is shown, and answered by what the caller gave. Nothing outside happens.

export interface Fixtures {
  readonly input: unknown;
  readonly event?: unknown;
  /** By step: what it answers; of a loop, a list with an answer per item. */
  readonly outputs: Readonly<Record<string, unknown>>;
  /** By step: how it fails, so many times; left out: always. */
  readonly failures: Readonly<Record<string, Failure & { readonly times?: number }>>;
  /** By step: the event for which it waits. */
  readonly events: Readonly<Record<string, unknown>>;
}

export interface TrialStep {
  readonly step: string;
  readonly status: string;
  readonly attempt: number;
  /** Seconds since the run began, by its own clock: waits take no time here. */
  readonly at: number;
  readonly action?: Action;
  readonly output?: unknown;
  readonly failure?: Failure;
  readonly undo?: string;
}

export interface Trial {
  readonly status: string;
  readonly output?: unknown;
  readonly failure?: Failure;
  /** In the order in which they happened. */
  readonly path: readonly TrialStep[];
  /** Steps for which nothing was given, so that the run could not go on. */
  readonly missing: readonly string[];
}

const MOST_LOOKS = 5_000;
/** Items of a loop whose calls are shown. */
const MOST_ITEMS = 20;

/** Runs a plan in memory from `start` on. All of its expressions share the budget. */
export function trialOf(plan: Plan, fixtures: Fixtures, start: number, budget: Budget): Trial {
  const given = {
    input: fixtures.input,
    run: runOf(plan, start),
    ...("event" in fixtures && { event: fixtures.event }),
  };
  let state = newRun(given, start);
  let [outcomes, now, looks]: [readonly Outcome[], number, number] = [[], start, 0];
  const path: TrialStep[] = [];
  const missing = new Set<string>();
  while (!isRunOver(state.status) && looks++ < MOST_LOOKS) {
    const next = advance(plan, state, outcomes, now, budget);
    path.push(...stepsOf(plan, next, (now - start) / 1000, budget));
    state = next.state;
    outcomes = next.commands.flatMap((command) => answerOf(plan, state, command, fixtures, missing));
    if (outcomes.length > 0) continue;
    if (next.wakeAt === null || isStuck(plan, state, missing)) break;
    now = Math.max(now, next.wakeAt);
  }
  const isOver = isRunOver(state.status);
  return {
    status: isOver ? state.status : "stopped",
    ...(isOver && state.ending?.output !== undefined && { output: state.ending.output }),
    ...(isOver && state.ending?.failure && { failure: state.ending.failure }),
    path,
    missing: [...missing].filter((step) => ["running", "waiting"].includes(state.steps.get(step)?.status ?? "")),
  };
}

const runOf = ({ definition }: Plan, start: number) => ({
  id: "wfr_test",
  workflow: definition.workflow,
  version: 0,
  trigger: "manual",
  started_at: new Date(start).toISOString(),
});

/** A call for which nothing was given never ends; a wait for an event passes with its time. */
const isStuck = (plan: Plan, state: RunState, missing: ReadonlySet<string>): boolean =>
  [...missing].some((step) => {
    const { status = "pending" } = state.steps.get(step) ?? {};
    return plan.byId.get(step)?.kind !== "wait" && (status === "running" || status === "waiting");
  });

function stepsOf(plan: Plan, { state, changed, commands }: Advanced, at: number, budget: Budget): TrialStep[] {
  const actions = new Map(
    commands.flatMap((one) => (one.kind === "start" || one.kind === "undo" ? [[one.step, one.action] as const] : [])),
  );
  return changed.map((step): TrialStep => {
    const { status, attempt, output, failure, undo } = state.steps.get(step) ?? { status: "pending", attempt: 0 };
    const action = actions.get(step);
    return {
      step,
      status,
      attempt,
      at,
      ...(action && { action: shown(plan, state, { step, action, budget }) }),
      ...(output !== undefined && { output }),
      ...(failure && { failure }),
      ...(undo && { undo }),
    };
  });
}

/** A loop shows the calls of its first items. */
function shown(
  plan: Plan,
  state: RunState,
  { step, action, budget }: { readonly step: string; readonly action: Action; readonly budget: Budget },
): Action {
  if (action.kind !== "loop") return action;
  const items = action.items.slice(0, MOST_ITEMS).map((item, at) => {
    try {
      return itemActionOf(plan, plan.byId.get(step) as PlannedStep, scopeNow(plan, state, budget), item, at);
    } catch (error) {
      return failureOfFault(error);
    }
  });
  return { kind: "loop", items };
}

function scopeNow(plan: Plan, state: RunState, budget: Budget) {
  const known = plan.steps.flatMap(({ id }) => {
    const step = state.steps.get(id);
    return step === undefined ? [] : [[id, factsOf(plan, id, step)] as const];
  });
  return scopeOf(plan, state, Object.fromEntries(known), state.startedAt, budget);
}

/** How a command ends by what was given; nothing: it stays open. */
function answerOf(
  plan: Plan,
  state: RunState,
  command: Command,
  { outputs, failures, events }: Fixtures,
  missing: Set<string>,
): readonly Outcome[] {
  const { kind, step } = command;
  const attempt = state.steps.get(step)?.attempt ?? 1;
  const failure = failures[step];
  if (kind === "undo") return [{ kind: "undone", step, ok: true }];
  if (kind === "cancel") return [{ kind: "ended", step, attempt, status: "cancelled" }];
  if (kind === "listen" && Object.hasOwn(events, step)) return [{ kind: "event", step, attempt, body: events[step] }];
  if (kind === "start" && failure && attempt <= (failure.times ?? Number.POSITIVE_INFINITY)) {
    const { code, detail } = failure;
    const status = code === "rejected" ? "rejected" : "failed";
    return [{ kind: "ended", step, attempt, status, failure: { code, detail } }];
  }
  const output = kind === "start" ? outputOf(plan, command, outputs) : undefined;
  if (output !== undefined) return [{ kind: "ended", step, attempt, status: "completed", output }];
  missing.add(step);
  return [];
}

function outputOf(
  plan: Plan,
  { step, action }: Extract<Command, { kind: "start" }>,
  outputs: Readonly<Record<string, unknown>>,
): unknown {
  const given = outputs[step];
  if (action.kind === "loop") {
    const total = action.items.length;
    if (given === undefined && total > 0) return undefined;
    const answers = Array.isArray(given) ? given.slice(0, total) : action.items.map(() => given);
    return { total, completed: total, failed: 0, outputs: answers };
  }
  return given ?? (plan.byId.get(step)?.kind === "approval" ? { approved: true } : undefined);
}
