import { type Action, factsOf, type Plan, type PlannedStep, type RunState, type StepFacts } from "@aos/workflow";
import type { CallContext } from "../../kernel/context.ts";
import { refuse } from "../../kernel/errors.ts";
import { expressionFailed, expressionTooCostly } from "./errors.ts";
import { callHere } from "./expression-work.ts";
import { findItem } from "./item-store.ts";
import { withLiveOutputs } from "./known.ts";
import type { Looking as LookingPlans } from "./plans.ts";
import type { KnownRun } from "./run-cache.ts";
import type { StepRow } from "./run-state.ts";
import { withExpressions } from "./threaded.ts";

type Looking = LookingPlans & Pick<CallContext, "facts">;

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
  return itemAction(ctx, known, planned, step, { number: item, value: JSON.parse(row.item) });
}

const parsed = (text: string | null): Action | undefined => (text === null ? undefined : (JSON.parse(text) as Action));

/** By what was known when the loop began. */
async function itemAction(
  ctx: Looking,
  { version, state }: KnownRun,
  planned: PlannedStep,
  step: StepRow,
  item: { readonly number: number; readonly value: unknown },
): Promise<Action> {
  const { input, run, event } = state;
  const plan = withLiveOutputs(ctx, version.plan);
  const calling = {
    plan,
    planned,
    state: { input, run, event },
    facts: factsOfRun(plan, state),
    item,
    began: step.started_at?.getTime() ?? state.startedAt,
  };
  const called = await withExpressions(ctx.scope, calling, callHere, "callThere");
  if ("value" in called) return called.value;
  const { source, message, code } = called.fault;
  throw refuse(code === "expression_too_costly" ? expressionTooCostly : expressionFailed, `${source}: ${message}`);
}

const facts = new WeakMap<RunState, Readonly<Record<string, StepFacts>>>();

function factsOfRun(plan: Plan, state: RunState): Readonly<Record<string, StepFacts>> {
  const known =
    facts.get(state) ?? Object.fromEntries([...state.steps].map(([id, step]) => [id, factsOf(plan, id, step)]));
  facts.set(state, known);
  return known;
}
