import type { Compensation, Step, Wait } from "./definition.ts";
import { chainsIn } from "./expressions.ts";
import type { Plan, PlannedStep } from "./plan.ts";

/** What expressions of a run read of it: whoever decided that decides what they come to. */
export interface Reads {
  readonly input: boolean;
  /** What began the run. */
  readonly event: boolean;
  /** Ids of steps. */
  readonly steps: readonly string[];
}

interface Collected {
  input: boolean;
  event: boolean;
  readonly steps: Set<string>;
}

const nothing = (): Collected => ({ input: false, event: false, steps: new Set() });
const frozen = ({ input, event, steps }: Collected): Reads => ({ input, event, steps: [...steps] });

const kept = new WeakMap<Plan, Map<string, Reads>>();

function once(plan: Plan, key: string, collect: (into: Collected) => void): Reads {
  const known = kept.get(plan) ?? new Map<string, Reads>();
  kept.set(plan, known);
  const found = known.get(key);
  if (found) return found;
  const into = nothing();
  collect(into);
  const reads = frozen(into);
  known.set(key, reads);
  return reads;
}

/**
 * What a step reads: its own expressions, of an approval those of the calls that it covers, and the conditions by which the step is reached: of the steps
 * `parallel` around it, and of the steps before it in the file that may end the run. An access that is not known beforehand, such as `steps[input.name]`, reads everything.
 */
export function readsOf(plan: Plan, stepId: string): Reads {
  return once(plan, `step ${stepId}`, (into) => {
    const planned = plan.byId.get(stepId);
    if (!planned) return;
    const read = reader(plan, into);
    for (const one of aroundAndEnds(plan, planned)) read(one.step.when);
    ofStep(planned.step, read);
    ofConditions(plan, planned.step.wait ?? {}, into);
    for (const id of planned.step.approval?.covers ?? []) {
      const covered = plan.byId.get(id);
      if (covered) ofCall(covered.step, read);
    }
  });
}

/** What is read to undo a step. */
export const undoReadsOf = (plan: Plan, stepId: string): Reads =>
  once(plan, `undo ${stepId}`, (into) => {
    const compensate = plan.byId.get(stepId)?.step.compensate;
    if (compensate) ofCall(compensate, reader(plan, into));
  });

/** What a run's output reads, with every step `end`, which may have given another one. */
export const outputReadsOf = (plan: Plan): Reads =>
  once(plan, "output", (into) => {
    reader(plan, into)(plan.definition.output);
    for (const { id, kind } of plan.steps) if (kind === "end") into.steps.add(id);
  });

function* aroundAndEnds(plan: Plan, planned: PlannedStep): Iterable<PlannedStep> {
  for (let id = planned.parent; id !== null; ) {
    const parent = plan.byId.get(id);
    if (!parent) break;
    yield parent;
    id = parent.parent;
  }
  yield* endsOf(plan).filter(({ place }) => place < planned.place);
}

const ends = new WeakMap<Plan, readonly PlannedStep[]>();

function endsOf(plan: Plan): readonly PlannedStep[] {
  const found = ends.get(plan) ?? plan.steps.filter(({ kind, step }) => kind === "end" && step.when !== undefined);
  ends.set(plan, found);
  return found;
}

type Read = (value: unknown) => void;

function ofStep(step: Step, read: Read): void {
  read(step.when);
  read(step.for_each?.in);
  read(step.set);
  read(step.approval?.title);
  read(step.approval?.context);
  read(step.end?.reason);
  read(step.end?.output);
  read(step.wait?.until);
  read(step.wait?.since);
  ofCall(step, read);
}

function ofCall({ agent, tool, workflow }: Compensation & Pick<Step, "workflow">, read: Read): void {
  read(agent?.input);
  read(tool?.arguments);
  read(workflow?.input);
}

/** In the conditions of a wait `event` is what it looks at, not what began the run. */
function ofConditions(plan: Plan, { where, any_of = [] }: Wait, into: Collected): void {
  const read = nothing();
  const note = reader(plan, read);
  for (const source of [where, ...any_of.map((one) => one.where)]) note(source);
  into.input ||= read.input;
  for (const id of read.steps) into.steps.add(id);
}

/** Notes what the expressions of a value of the file read: texts are expressions. */
function reader(plan: Plan, into: Collected): Read {
  const read: Read = (value) => {
    if (typeof value === "string") note(plan, into, value);
    else if (typeof value === "object" && value !== null) for (const one of Object.values(value)) read(one);
  };
  return read;
}

function note(plan: Plan, into: Collected, source: string): void {
  const chains = chainsIn(source);
  if (chains === undefined) {
    into.input = true;
    into.event = true;
  }
  for (const { root, path } of chains ?? [{ root: "steps", path: [] }]) {
    if (root === "input") into.input = true;
    if (root === "event") into.event = true;
    if (root !== "steps") continue;
    const [id] = path;
    if (id !== undefined && plan.byId.has(id)) into.steps.add(id);
    else for (const one of plan.byId.keys()) into.steps.add(one);
  }
}
