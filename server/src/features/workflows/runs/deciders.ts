import { type Plan, type Reads, type RunState, readsOf } from "@aos/workflow";
import { type Decider, storedActor, storedDeciders, unite } from "../../../kernel/actor.ts";
import type { RunRow, StepRow } from "./rules.ts";

// Who decided what the steps of a run act on and result in, besides those accountable for the run itself: decision 0064.

/** By step, without entries for steps that nobody else decided. */
export type DecidersBySteps = ReadonlyMap<string, readonly Decider[]>;

type Given = Pick<RunRow, "input_deciders" | "event_deciders">;

export const decidersOfRows = (rows: readonly Pick<StepRow, "step" | "deciders">[]): DecidersBySteps =>
  new Map(rows.flatMap(({ step, deciders }) => (deciders === null ? [] : [[step, storedDeciders(deciders)]])));

/** Who decided what is read from a run. */
export function decidersRead({ input, event, steps }: Reads, run: Given, known: DecidersBySteps): readonly Decider[] {
  const own = [
    ...(input ? [storedDeciders(run.input_deciders)] : []),
    ...(event ? [storedDeciders(run.event_deciders)] : []),
  ];
  const read = known.size === 0 ? [] : steps.flatMap((step) => [known.get(step) ?? []]);
  return unite(...own, ...read);
}

/** Who decided what a step acts on. Input that somebody gave in place of its expressions is part of the run's. */
function decidersAt(plan: Plan, step: string, isEdited: boolean, run: Given, known: DecidersBySteps) {
  const reads = readsOf(plan, step);
  return decidersRead(isEdited ? { ...reads, input: true } : reads, run, known);
}

interface Look {
  readonly before: {
    readonly row: RunRow;
    readonly version: { readonly plan: Plan };
    readonly state: RunState;
    readonly deciders: DecidersBySteps;
  };
  readonly next: { readonly state: RunState; readonly changed: readonly string[] };
  readonly ended: DecidersBySteps;
}

/**
 * The deciders of the steps that a look has changed, and all of the run's after it. A step that begins has those of what it reads; one that ends, those of what
 * carried it out besides. Steps change in the order in which one reads another.
 */
export function decidersAfter({ before, next, ended }: Look): DecidersBySteps {
  const { row, version, deciders, state } = before;
  const after = new Map(deciders);
  for (const step of next.changed) {
    const [was, is] = [state.steps.get(step), next.state.steps.get(step)];
    if (!is) continue;
    const begins = is.attempt !== (was?.attempt ?? 0) || (is.status === "skipped" && was?.status !== "skipped");
    const own = begins
      ? decidersAt(version.plan, step, is.edited !== undefined, row, after)
      : (deciders.get(step) ?? []);
    const all = besidesActor(row, unite(own, begins ? [] : ended.get(step)));
    if (all.length > 0) after.set(step, all);
    else after.delete(step);
  }
  return after;
}

/** Deciders without those accountable for the run itself, who count for each step anyway. */
export function besidesActor({ actor }: Pick<RunRow, "actor">, deciders: readonly Decider[]): readonly Decider[] {
  if (actor === null || deciders.length === 0) return deciders;
  const asking = new Set(storedActor(actor).persons.map(keyOf));
  return deciders.filter((one) => !asking.has(keyOf(one)));
}

const keyOf = ({ id, how, of }: Decider): string => `${id} ${how} ${of ?? ""}`;
