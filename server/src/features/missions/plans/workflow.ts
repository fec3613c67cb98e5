import type { Step, WorkflowDefinition } from "@aos/workflow";
import type { LiveSkill, LiveVersion } from "../../agents/public.ts";
import type { Interval } from "../progress/measure.ts";
import type { Evidence } from "../progress/measure-store.ts";
import { dollars } from "../progress/spend-store.ts";
import type { PlanStepBody } from "../schemas.ts";

const standardParallel = 5;
/** A mission is bounded by its own deadline. */
const duration = "3650d";

/** The step that computes the inputs of a step that takes the best of another's results. */
export const inputsStep = (id: string): string => `${id}_inputs`;

/** The dependencies of a step: those that it names, else those whose results it uses. */
export const dependsOn = ({ depends_on, inputs }: PlanStepBody): readonly string[] =>
  depends_on ?? (inputs.best ? [inputs.best.of] : []);

/** Results of earlier runs of the mission, by step, which are not repeated. */
export type Earlier = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

export interface PlannedWork {
  readonly name: string;
  readonly goal: string;
  readonly steps: readonly (PlanStepBody & { readonly tasks: number })[];
  readonly earlier?: Earlier;
}

export function workflowOfPlan({ name, goal, steps, earlier = {} }: PlannedWork): WorkflowDefinition {
  const bodies = new Map(steps.map((step) => [step.id, step]));
  const tasks = steps.reduce((sum, step) => sum + step.tasks, 0);
  return {
    workflow: name,
    description: goal.slice(0, 2000),
    steps: steps.flatMap((step) => {
      const done = earlier[step.id];
      return done ? [doneBefore(step, done)] : workflowSteps(step, bodies);
    }),
    limits: { duration, steps: Math.min(100_000, 10 * steps.length + 5 * tasks) },
  };
}

/** A step of an earlier run: its output comes with the input, so that later steps can use it. */
const doneBefore = ({ id }: PlanStepBody, output: Readonly<Record<string, unknown>>): Step => ({
  id,
  needs: [],
  set: Object.fromEntries(Object.keys(output).map((key) => [key, `input.earlier.${id}[${JSON.stringify(key)}]`])),
});

function workflowSteps(step: PlannedWork["steps"][number], bodies: ReadonlyMap<string, PlanStepBody>): Step[] {
  const { id, title, agent, skill, inputs, attempts = 1, require_approval = false } = step;
  const needs = [...dependsOn(step)];
  const list = listOf(inputs, id);
  const call: Step = {
    id,
    ...(title !== undefined && title !== "" && { title }),
    needs: inputs.best ? [...new Set([...needs, inputsStep(id)])] : needs,
    agent: { name: agent, skill, input: inputs.input, ...(require_approval && { require_approval }) },
    ...(attempts > 1 && { retry: { attempts, backoff: "5s" } }),
    ...(list !== undefined && {
      for_each: {
        in: list,
        as: "item",
        at_most: Math.max(1, step.tasks),
        parallel: inputs.parallel ?? standardParallel,
        on_error: "collect" as const,
      },
    }),
  };
  return inputs.best ? [chooseBest(step, inputs.best, bodies), call] : [call];
}

/** The list that a step iterates over; undefined: it is one task. */
const listOf = ({ each, best }: PlanStepBody["inputs"], id: string): string | undefined =>
  best ? `steps.${inputsStep(id)}.output.items` : each;

function chooseBest(
  step: PlanStepBody,
  { of, count, by, where }: NonNullable<PlanStepBody["inputs"]["best"]>,
  bodies: ReadonlyMap<string, PlanStepBody>,
): Step {
  const source = bodies.get(of);
  const inputs = (source && listOf(source.inputs, of)) ?? "[]";
  const results = `results(${inputs}, steps.${of}.output)${where === undefined ? "" : `.filter(item, ${where})`}`;
  return {
    id: inputsStep(step.id),
    title: `The best ${count} of ${of}`,
    needs: [...new Set([...dependsOn(step), of])],
    set: { items: `best(${results}.map(item, {'item': item, 'by': ${by}}), ${count})` },
  };
}

/** The basis of an expected cost. `nothing`: not even a limit, so that it is 0. */
export type CostBasis = "past_tasks" | "tool_prices" | "limit" | "nothing";

interface ExpectedCost {
  readonly usd: Interval;
  readonly basis: CostBasis;
}

export interface PricedSkill {
  readonly skill: LiveSkill;
  readonly model: LiveVersion["definition"]["model"];
}

/**
 * What so many tasks of a skill cost, in US dollars: the mean of its past tasks that ran; without any, one call of each of its tools where the model is the built-in one,
 * which costs nothing; else its limit, which they cannot exceed.
 */
export function expectedCost(evidence: Evidence, tasks: number, priced: PricedSkill | undefined): ExpectedCost {
  if (evidence.ran > 0) return { usd: ofPastTasks(evidence, tasks), basis: "past_tasks" };
  const limit = priced?.skill.definition.limits?.cost_usd;
  if (priced?.model.provider === "builtin") {
    const prices = priced.skill.tools.reduce((sum, { cost_usd = 0 }) => sum + cost_usd, 0);
    const each = Math.min(prices, limit ?? prices);
    return {
      usd: { value: dollars(tasks * each), low: 0, high: dollars(tasks * (limit ?? each)) },
      basis: "tool_prices",
    };
  }
  const most = dollars(tasks * (limit ?? 0));
  return { usd: { value: most, low: 0, high: most }, basis: limit === undefined ? "nothing" : "limit" };
}

function ofPastTasks({ ran, meanUsd, spreadUsd }: Evidence, tasks: number): Interval {
  // The mean is known up to its standard error, and the sum of so many tasks spreads around it.
  const margin = 1.96 * spreadUsd * Math.sqrt((tasks * tasks) / ran + tasks);
  const value = tasks * meanUsd;
  return { value: dollars(value), low: dollars(Math.max(0, value - margin)), high: dollars(value + margin) };
}
