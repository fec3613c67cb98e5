import type { Budget } from "@aos/cel";
import type { ApprovalRequest, Compensation, Step } from "./definition.ts";
import { ExpressionFault, evaluate, resolveAll, type Scope, type StepFacts } from "./expressions.ts";
import { withIntegers } from "./integers.ts";
import type { Plan, PlannedStep } from "./plan.ts";
import type { Action, RunState, StepState } from "./state.ts";
import { runSchema } from "./value-schemas.ts";

/** What expressions see of a step. */
export function factsOf({ outputs }: Plan, id: string, state: StepState): StepFacts {
  const { status, output, trustScore, trustLow, costUsd } = state;
  return {
    status,
    ...(output !== undefined && { output: withIntegers(outputs.get(id), output) }),
    ...(trustScore !== undefined && { trust_score: trustScore }),
    ...(trustLow !== undefined && { trust_low: trustLow }),
    ...(costUsd !== undefined && { cost_usd: costUsd }),
  };
}

/** The names of a run's expressions at a moment. `steps`: facts by id, kept by who evaluates many. */
export function scopeOf(
  plan: Plan,
  state: Pick<RunState, "input" | "run" | "event">,
  steps: Readonly<Record<string, StepFacts>>,
  now: number,
  budget: Budget,
): Scope {
  const { event } = state;
  return { ...givenOf(plan, state), steps, now: new Date(now), ...(event !== undefined && { event }), budget };
}

/** What a run was given, and what is known of it, as expressions see both. */
export function givenOf({ definition }: Plan, { input, run }: Pick<RunState, "input" | "run">) {
  return {
    input: withIntegers(definition.input, input),
    run: withIntegers(runSchema, run) as Readonly<Record<string, unknown>>,
  };
}

/** What a step calls, with its expressions resolved. Throws an `ExpressionFault`. */
export function actionOf(plan: Plan, { step }: PlannedStep, scope: Scope): Action {
  if (step.for_each) return { kind: "loop", items: itemsOf(step, scope) };
  return callOf(plan, step, scope);
}

/** {@link actionOf} with members of the input, or of the tool's arguments, that somebody put in place of what their expressions come to. */
export function editedActionOf(plan: Plan, planned: PlannedStep, scope: Scope, { edited }: StepState): Action {
  if (edited === undefined) return actionOf(plan, planned, scope);
  const left = (values: Readonly<Record<string, unknown>> = {}) =>
    Object.fromEntries(Object.entries(values).filter(([name]) => !Object.hasOwn(edited, name)));
  const { agent, tool, workflow, ...rest } = planned.step;
  const step: Step = {
    ...rest,
    ...(agent && { agent: { ...agent, input: left(agent.input) } }),
    ...(tool && { tool: { ...tool, arguments: left(tool.arguments) } }),
    ...(workflow && { workflow: { ...workflow, input: left(workflow.input) } }),
  };
  const action = actionOf(plan, { ...planned, step }, scope);
  if (action.kind === "tool") return { ...action, arguments: { ...action.arguments, ...edited } };
  return "input" in action ? { ...action, input: { ...action.input, ...edited } } : action;
}

/** The action of one item of a loop. */
export function itemActionOf(plan: Plan, planned: PlannedStep, scope: Scope, item: unknown, index: number): Action {
  const name = planned.step.for_each?.as ?? "item";
  return callOf(plan, planned.step, {
    ...scope,
    names: { ...scope.names, [name]: item, [`${name}_index`]: BigInt(index) },
  });
}

function callOf(plan: Plan, step: Step, scope: Scope): Action {
  const { approval, workflow } = step;
  if (workflow)
    return {
      kind: "workflow",
      workflow: workflow.name,
      version: workflow.version ?? null,
      input: resolveAll(workflow.input, scope),
    };
  if (approval) return askFor(plan, approval, scope);
  return undoOf(step, scope);
}

/** The call of an agent or a tool. */
export function undoOf({ agent, tool }: Compensation, scope: Scope): Action {
  if (agent)
    return {
      kind: "agent",
      agent: agent.name,
      skill: agent.skill,
      input: resolveAll(agent.input, scope),
      requireApproval: agent.require_approval === true,
    };
  if (tool) return { kind: "tool", agent: tool.agent, tool: tool.name, arguments: resolveAll(tool.arguments, scope) };
  throw new TypeError("a step calls an agent or a tool");
}

/** People see the very calls that the covered steps will make: these are resolved here, and have to be the same when they are made. */
function askFor(plan: Plan, { title, context, covers = [] }: ApprovalRequest, scope: Scope): Action {
  const covered = covers.map((id) => {
    const step = plan.byId.get(id)?.step;
    if (step === undefined) throw new ExpressionFault(id, `There is no step ${id}.`);
    return [id, callOf(plan, step, scope)] as const;
  });
  return {
    kind: "approval",
    title: textOf(title, scope),
    context: resolveAll(context, scope),
    covered: Object.fromEntries(covered),
  };
}

function textOf(source: string, scope: Scope): string {
  const value = evaluate(source, scope);
  return typeof value === "string" ? value : JSON.stringify(value);
}

function itemsOf({ for_each }: Step, scope: Scope): readonly unknown[] {
  const { in: source, at_most } = for_each as NonNullable<Step["for_each"]>;
  const items = evaluate(source, scope);
  if (!Array.isArray(items)) throw new ExpressionFault(source, "It came to no list.");
  if (items.length > at_most)
    throw new ExpressionFault(source, `It came to ${items.length} items, and at_most is ${at_most}.`);
  return items;
}
