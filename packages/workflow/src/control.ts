import type { Plan, PlannedStep } from "./plan.ts";
import { isOver, isRunOver, type RunState, type StepState } from "./state.ts";

// What people do with a run: pure, as `advance` is, which carries on from the state that comes of it.

export type Control =
  | { readonly action: "cancel"; readonly compensate: boolean }
  | { readonly action: "pause" | "resume" | "compensate" }
  | {
      readonly action: "retry_from";
      /** Null: what did not complete. */
      readonly step: string | null;
      readonly input?: Readonly<Record<string, unknown>>;
    }
  | { readonly action: "skip"; readonly step: string; readonly output?: Readonly<Record<string, unknown>> };

export interface ControlRefused {
  readonly ok: false;
  /** `step`: it concerns the step that was named; `input`: what was given for it; `state`: where the run stands. */
  readonly of: "step" | "input" | "state";
  readonly detail: string;
}

export type Controlled =
  | {
      readonly ok: true;
      readonly state: RunState;
      /** Steps that are done again, in the order of the file. */
      readonly again: readonly string[];
      /** Steps that are gone without. */
      readonly skipped: readonly string[];
      /** Steps whose task or run is to be taken back. */
      readonly cancel: readonly string[];
    }
  | ControlRefused;

const refused = (of: ControlRefused["of"], detail: string): ControlRefused => ({ ok: false, of, detail });
const nothing = { again: [], skipped: [], cancel: [] };
const unbegun: StepState = { status: "pending", attempt: 0 };

/** The run's state after somebody intervened, or why they cannot. */
export function control(plan: Plan, state: RunState, asked: Control): Controlled {
  switch (asked.action) {
    case "cancel":
      return cancelled(state, asked.compensate);
    case "pause":
      return paused(state);
    case "resume":
      return resumed(state);
    case "compensate":
      return isRunOver(state.status) ? undone(plan, state) : cancelled(state, true, "compensate");
    case "retry_from":
      return again(plan, state, asked.step, asked.input);
    case "skip":
      return skipped(plan, state, asked.step, asked.output);
  }
}

type Asked = NonNullable<RunState["asked"]>;

function cancelled(state: RunState, compensate: boolean, as: Asked = compensate ? "cancel_and_compensate" : "cancel") {
  if (isRunOver(state.status)) return refused("state", `The run is over: ${state.status}.`);
  if (state.status === "compensating") return refused("state", "The run is being undone already.");
  const { ending } = state;
  const more = ending && compensate ? { ending: { ...ending, compensate: true } } : {};
  return { ok: true, state: { ...state, ...more, asked: as }, ...nothing } as const;
}

function paused(state: RunState): Controlled {
  if (isRunOver(state.status)) return refused("state", `The run is over: ${state.status}.`);
  if (state.ending || state.status === "compensating") return refused("state", "The run is coming to its end already.");
  if (state.asked !== undefined) return refused("state", `The run was asked to ${state.asked} already.`);
  return { ok: true, state: { ...state, asked: "pause" }, ...nothing };
}

function resumed({ asked, ...state }: RunState): Controlled {
  if (asked !== "pause") return refused("state", `The run is ${state.status}; only one that is paused goes on.`);
  return { ok: true, state, ...nothing };
}

/** Undoes a run that is over. What could not be undone is tried again. */
function undone(plan: Plan, state: RunState): Controlled {
  const left = plan.steps.filter(({ id, step }) => {
    const { completedAs, undo } = state.steps.get(id) ?? unbegun;
    return step.compensate && completedAs !== undefined && undo !== "done";
  });
  if (left.length === 0) return refused("state", "No completed step of the run is left that says how it is undone.");
  const steps = new Map(state.steps);
  for (const { id } of left) {
    const { undo: _failed, failure: _why, ...rest } = steps.get(id) as StepState;
    steps.set(id, rest);
  }
  const ending = { ...(state.ending ?? { status: "cancelled" as const }), compensate: true };
  const { asked: _over, ...rest } = state;
  return { ok: true, state: { ...rest, status: "compensating", steps, ending }, ...nothing };
}

const editable: ReadonlySet<string> = new Set(["agent", "tool", "workflow"]);

function again(plan: Plan, state: RunState, id: string | null, input?: Readonly<Record<string, unknown>>): Controlled {
  const planned = id === null ? undefined : plan.byId.get(id);
  if (id !== null && !planned) return refused("step", `The version has no step ${id}.`);
  if (input && !planned) return refused("step", "Name the step whose input is edited.");
  if (input && planned && (!editable.has(planned.kind) || planned.step.for_each))
    return refused(
      "input",
      `${planned.id} takes no input of its own: only an agent, a tool or a workflow does, outside of a loop.`,
    );
  if (planned && !hasBegun(state, planned.id))
    return refused("step", `${planned.id} has not begun; there is nothing to do again.`);
  const steps = doneAgain(plan, state, planned ? [planned.id] : []);
  if (steps.size === 0) return refused("state", "Every step has completed; name the one to begin again from.");
  const reset = reopened(plan, state, steps);
  if (!reset.ok || !input || !planned) return reset;
  const edited = new Map(reset.state.steps);
  edited.set(planned.id, { ...(edited.get(planned.id) ?? unbegun), edited: input });
  return { ...reset, state: { ...reset.state, steps: edited } };
}

function skipped(
  plan: Plan,
  state: RunState,
  id: string,
  output: Readonly<Record<string, unknown>> | undefined,
): Controlled {
  const planned = plan.byId.get(id);
  if (!planned) return refused("step", `The version has no step ${id}.`);
  const before = state.steps.get(id) ?? unbegun;
  if (isMet(before)) return refused("step", `${id} is ${before.status}; what needs it goes on already.`);
  const isUnderWay = before.status === "running" || before.status === "waiting";
  if (isUnderWay && planned.kind === "parallel")
    return refused("step", `${id} has branches under way; skip their steps, or cancel the run.`);
  const { attempt } = before;
  const skip: StepState = { status: "skipped", attempt, ...(output && { output }) };
  const changes = isRunOver(state.status) ? reopened(plan, state, doneAgain(plan, state, [], id)) : open(state);
  if (!changes.ok) return changes;
  const steps = new Map(changes.state.steps);
  const inner = planned.branches.flatMap(([, ids]) => ids);
  for (const one of inner) steps.set(one, { ...(steps.get(one) ?? unbegun), status: "skipped" });
  steps.set(id, skip);
  const isOutside = isUnderWay && planned.kind !== "wait";
  return {
    ...changes,
    state: { ...changes.state, steps },
    again: changes.again.filter((one) => one !== id && !inner.includes(one)),
    skipped: [id],
    cancel: isOutside ? [id] : [],
  };
}

function open(state: RunState): Controlled {
  if (state.ending || state.status === "compensating") return refused("state", "The run is coming to its end already.");
  return { ok: true, state, ...nothing };
}

const hasBegun = ({ steps }: RunState, id: string): boolean => {
  const { attempt, status } = steps.get(id) ?? unbegun;
  return attempt > 0 || status !== "pending";
};

const isMet = ({ status, tolerated }: StepState): boolean =>
  status === "completed" || status === "skipped" || tolerated === true;

/**
 * What is done again: the steps that are named, all that did not complete, and what comes after these. A step `parallel` around them begins again; its branches that
 * have completed stand. `gone`: a step that is gone without.
 */
function doneAgain(plan: Plan, { steps }: RunState, from: readonly string[], gone?: string): ReadonlySet<string> {
  const found = new Map<string, "around" | "whole">();
  const visit = (id: string, how: "around" | "whole"): void => {
    const known = found.get(id);
    if (known === "whole" || known === how) return;
    found.set(id, how);
    const { neededBy, parent, branches } = plan.byId.get(id) as PlannedStep;
    for (const next of neededBy) visit(next, "whole");
    if (parent !== null) visit(parent, "around");
    if (how === "whole") for (const [, inner] of branches) for (const one of inner) visit(one, "whole");
  };
  for (const id of from) visit(id, "whole");
  for (const { id } of plan.steps) {
    const state = steps.get(id);
    if (state && isOver(state) && !isMet(state)) visit(id, id === gone ? "whole" : "around");
  }
  return new Set(plan.steps.map(({ id }) => id).filter((id) => found.has(id)));
}

/** The run with these steps as if they had not begun, and without its end. Attempts are counted on. */
function reopened(plan: Plan, state: RunState, reset: ReadonlySet<string>): Controlled {
  const { asked, ending, ...rest } = state;
  if (!isRunOver(state.status)) {
    if (ending || state.status === "compensating" || (asked !== undefined && asked !== "pause"))
      return refused("state", "The run is coming to its end; wait until it is over.");
    const busy = [...reset].find((id) => isUnderWay(plan, state, id));
    if (busy !== undefined)
      return refused(
        "state",
        `${busy} is under way and would be done again; cancel the run first, or wait until the step is over.`,
      );
  }
  const steps = new Map(state.steps);
  for (const id of reset) {
    const { attempt, status } = steps.get(id) ?? unbegun;
    if (steps.has(id) && status !== "running")
      steps.set(id, { status: "pending", attempt, ...(attempt > 0 && { before: attempt }) });
  }
  const isPaused = !isRunOver(state.status) && asked === "pause";
  return {
    ok: true,
    state: { ...rest, status: isPaused ? "paused" : "running", steps, ...(isPaused && { asked }) },
    again: [...reset].filter((id) => steps.get(id) !== state.steps.get(id)),
    skipped: [],
    cancel: [],
  };
}

/** A step around others is under way with them, and stays so. */
function isUnderWay(plan: Plan, { steps }: RunState, id: string): boolean {
  const { status } = steps.get(id) ?? unbegun;
  if (status !== "running" && status !== "waiting") return false;
  return plan.byId.get(id)?.kind !== "parallel";
}

/** How two versions differ in what concerns a run. */
export interface Migration {
  /** Why the run cannot go on with the other version, one reason per step; none: it can. */
  readonly obstacles: readonly { readonly step: string; readonly detail: string }[];
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly changed: readonly string[];
}

/** What moving a run to another version means. Steps that are under way have to be the same in both; those that are over keep what they came to. */
export function migrationOf(from: Plan, to: Plan, { steps }: Pick<RunState, "steps">): Migration {
  const obstacles: { step: string; detail: string }[] = [];
  const removed: string[] = [];
  const changed: string[] = [];
  for (const { id, kind, parent, branch, step } of from.steps) {
    const state = steps.get(id) ?? unbegun;
    const hasBegun = state.attempt > 0 || isOver(state);
    const other = to.byId.get(id);
    if (!other) {
      removed.push(id);
      if (hasBegun) obstacles.push({ step: id, detail: `${id} has begun, and the version has no such step.` });
      continue;
    }
    const isSame = textOf(ownOf(step)) === textOf(ownOf(other.step));
    if (!isSame) changed.push(id);
    if (!hasBegun) continue;
    if (other.kind !== kind || other.parent !== parent || other.branch !== branch)
      obstacles.push({
        step: id,
        detail: `${id} has begun, and is of another kind or in another place in the version.`,
      });
    else if (!isSame && !isOver(state))
      obstacles.push({ step: id, detail: `${id} is under way, and is another step in the version.` });
  }
  const added = to.steps.filter(({ id }) => !from.byId.has(id)).map(({ id }) => id);
  return { obstacles, added, removed, changed };
}

/** A step without the steps of its branches, which are compared by themselves, and without what is only read. */
function ownOf({ parallel, title: _title, ...step }: PlannedStep["step"]): object {
  return {
    ...step,
    ...(parallel && { parallel: { join: parallel.join ?? "all", branches: Object.keys(parallel.branches) } }),
  };
}

/** The same text for equal values, in whatever order their members stand. */
const textOf = (value: object): string =>
  JSON.stringify(value, (_name, one: unknown) =>
    typeof one === "object" && one !== null && !Array.isArray(one)
      ? Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1)))
      : one,
  );
