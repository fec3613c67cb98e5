import { type Action, factsOf, type Plan, type PlannedStep, type RunState, type StepFacts } from "@aos/workflow";
import type { CallContext } from "../../../kernel/context.ts";
import type { QueryContext } from "../../../kernel/db.ts";
import { refuse } from "../../../kernel/errors.ts";
import { parseJson } from "../../../kernel/stored-json.ts";
import { withLiveOutputs } from "../definitions/known.ts";
import { expressionFailed, expressionTooCostly } from "../errors.ts";
import { withExpressions } from "../expression-threads.ts";
import { callHere } from "../expression-work.ts";
import type { KnownRun } from "../runs/cache.ts";
import { type StepRow, stepJson } from "../runs/rules.ts";
import { findItem } from "./item-store.ts";

type ActionContext = QueryContext & Pick<CallContext, "facts">;

/** The action of a begun step, of one of its items, or of its compensation. Undefined: none is left. */
export async function actionFor(
  ctx: ActionContext,
  known: KnownRun,
  step: StepRow,
  item: number | undefined,
): Promise<Action | undefined> {
  if (step.undo === "running") return stepJson(step, "undo_action") ?? undefined;
  if (item === undefined) return stepJson(step, "action") ?? undefined;
  const { run_id, attempt } = step;
  const row = await findItem(ctx, { run: run_id, step: step.step, attempt }, item);
  const planned = known.version.plan.byId.get(step.step);
  if (row?.status !== "running" || !planned) return undefined;
  return itemAction(ctx, known, planned, step, { number: item, value: parseJson(row.item) });
}

/** As resolved when the loop began. */
async function itemAction(
  ctx: ActionContext,
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
