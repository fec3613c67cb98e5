import type { Step, WorkflowDefinition } from "@aos/workflow";
import type { PlanStepBody } from "./schemas.ts";

// A plan as the workflow that carries it out.

const standardParallel = 5;
/** A mission takes as long as it takes: its own deadline holds it. */
const duration = "3650d";

/** The step that settles the inputs of a step that takes the best of another's results. */
export const inputsStep = (id: string): string => `${id}_inputs`;

/** Steps on which a step rests: those that it names, else those whose results it uses. */
export const dependsOn = ({ depends_on, inputs }: PlanStepBody): readonly string[] =>
  depends_on ?? (inputs.best ? [inputs.best.of] : []);

/** What earlier runs of the mission came to, by step: it is not done again. */
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

/** The list over which a step goes; undefined: it is one task. */
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
