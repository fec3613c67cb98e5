import {
  type Action,
  ExpressionFault,
  factsOf,
  itemActionOf,
  type PlannedStep,
  type RunState,
  type StepFacts,
  scopeOf,
} from "@aos/workflow";
import { refuse } from "../../kernel/errors.ts";
import { expressionFailed } from "./errors.ts";
import { findItem } from "./item-store.ts";
import type { Looking } from "./plans.ts";
import type { KnownRun } from "./run-cache.ts";
import type { StepRow } from "./run-state.ts";

/** What a step that has begun calls, or an item of it, or what undoes it. Undefined: nothing, by now. */
export async function actionFor(
  ctx: Looking,
  known: KnownRun,
  step: StepRow,
  item: number | undefined,
): Promise<Action | undefined> {
  if (step.undo === "running") return parsed(step.undo_action);
  if (item === undefined) return parsed(step.action);
  const { run_id, attempt } = step;
  const row = await findItem(ctx, { run: run_id, step: step.step, attempt }, item);
  const planned = known.version.plan.byId.get(step.step);
  if (row?.status !== "running" || !planned) return undefined;
  return itemAction(known, planned, step, { number: item, value: JSON.parse(row.item) });
}

const parsed = (text: string | null): Action | undefined => (text === null ? undefined : (JSON.parse(text) as Action));

/** By what was known when the loop began. */
function itemAction(
  { version, state }: KnownRun,
  planned: PlannedStep,
  step: StepRow,
  { number, value }: { readonly number: number; readonly value: unknown },
): Action {
  const began = step.started_at?.getTime() ?? state.startedAt;
  try {
    return itemActionOf(version.plan, planned, scopeOf(state, factsOfRun(state), began), value, number);
  } catch (error) {
    if (!(error instanceof ExpressionFault)) throw error;
    throw refuse(expressionFailed, `${error.source}: ${error.message}`);
  }
}

const facts = new WeakMap<RunState, Readonly<Record<string, StepFacts>>>();

function factsOfRun(state: RunState): Readonly<Record<string, StepFacts>> {
  const known = facts.get(state) ?? Object.fromEntries([...state.steps].map(([id, step]) => [id, factsOf(step)]));
  facts.set(state, known);
  return known;
}
