import { isDeepStrictEqual } from "node:util";
import type { Step, WorkflowDefinition } from "@aos/workflow";
import { type Earlier, inputsStep, type PlannedWork, workflowOfPlan } from "./plan-workflow.ts";
import type { Here } from "./store.ts";

interface RunOfMission {
  readonly id: string;
  readonly input: string;
  readonly definition: WorkflowDefinition;
  /** Steps that it completed. */
  readonly completed: readonly string[];
}

type Inputs = Readonly<Record<string, unknown>>;

/** What earlier runs of a mission completed of these steps, by step: of those that did the same, with the same inputs and results. */
export async function readEarlier(
  ctx: Here,
  mission: string,
  steps: PlannedWork["steps"],
  inputs: Inputs,
): Promise<Earlier> {
  const ids = steps.map(({ id }) => id);
  const runs = await runsOf(ctx, mission, ids);
  const { steps: now } = workflowOfPlan({ name: "", goal: "", steps });
  const found = new Map<string, string>();
  const open = new Set(ids);
  for (let size = -1; size !== found.size; ) {
    size = found.size;
    for (const id of open) {
      const work = workOf(now, id);
      const text = JSON.stringify(work);
      const uses = ids.filter((other) => other !== id && new RegExp(`\\bsteps\\.${other}\\b`).test(text));
      if (work === undefined || uses.some((other) => !found.has(other))) continue;
      const same = runs.find(
        (run) =>
          run.completed.includes(id) &&
          isDeepStrictEqual(workOf(run.definition.steps, id), work) &&
          haveSame(text, JSON.parse(run.input) as Inputs, inputs),
      );
      if (same) found.set(id, same.id);
      open.delete(id);
    }
  }
  return outputsOf(ctx, found);
}

/** What a step does; undefined: it only passes on what an earlier run had done. */
function workOf(steps: readonly Step[], id: string): object | undefined {
  const step = steps.find((one) => one.id === id);
  if (!step?.agent) return undefined;
  const { name, skill, input } = step.agent;
  const chosen = steps.find((one) => one.id === inputsStep(id))?.set;
  return JSON.parse(JSON.stringify({ name, skill, input, list: step.for_each?.in, chosen })) as object;
}

/** Whether the inputs that expressions name are the same as they were. */
function haveSame(text: string, before: Inputs, now: Inputs): boolean {
  const { earlier: _earlier, ...rest } = before;
  const named = [...text.matchAll(/(?<![\w.])input\b(?:\.(\w+))?/g)].map(([, name]) => name);
  return named.every((name) =>
    name === undefined ? isDeepStrictEqual(rest, now) : isDeepStrictEqual(rest[name], now[name]),
  );
}

const runsOf = ({ scope, db }: Here, mission: string, steps: readonly string[]): Promise<RunOfMission[]> =>
  db.query<RunOfMission>(
    `select r.id, r.input, v.definition, d.completed
     from workflow_runs r
     join workflow_versions v on v.organization = r.organization and v.id = r.version_id
     cross join lateral (
       select array_agg(s.step) as completed from workflow_steps s
       where s.organization = r.organization and s.environment = r.environment and s.run_id = r.id and s.status = 'completed' and s.step = any($4::text[])) d
     where r.organization = $1 and r.environment = $2 and r.mission = $3 and d.completed is not null
     order by r.id desc`,
    [scope.organization, scope.environment, mission, steps],
  );

async function outputsOf({ scope, db }: Here, found: ReadonlyMap<string, string>): Promise<Earlier> {
  if (found.size === 0) return {};
  const rows = await db.query<{ step: string; output: string | null }>(
    `select s.step, s.output from workflow_steps s join unnest($3::text[], $4::text[]) n(step, run) on s.run_id = n.run and s.step = n.step
     where s.organization = $1 and s.environment = $2`,
    [scope.organization, scope.environment, [...found.keys()], [...found.values()]],
  );
  return Object.fromEntries(rows.map(({ step, output }) => [step, JSON.parse(output ?? "{}")]));
}
