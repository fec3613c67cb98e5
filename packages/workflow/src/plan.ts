import { kindsOf, type Step, type StepKind, standardLimits, type WorkflowDefinition } from "./definition.ts";
import { durationMs } from "./duration.ts";
import { loopSchema, loopSchemaOf, type Schema } from "./value-schemas.ts";

/** A step as a run needs it: where it stands, what it needs, and who needs it. */
export interface PlannedStep {
  readonly id: string;
  readonly kind: StepKind;
  /** Its place in `steps` of the plan. */
  readonly place: number;
  readonly step: Step;
  /** JSON Pointer to it in the file. */
  readonly pointer: string;
  /** Steps that have to be over before. */
  readonly needs: readonly string[];
  /** Steps that need it. */
  readonly neededBy: readonly string[];
  /** The step `parallel` in one of whose branches it stands. */
  readonly parent: string | null;
  readonly branch: string | null;
  /** Of a step `parallel`: its branches with their steps' ids, in the order of the file. */
  readonly branches: readonly (readonly [name: string, steps: readonly string[]])[];
}

/** A workflow's steps in the order of its file, those of branches behind their parent, and by id. */
export interface Plan {
  readonly definition: WorkflowDefinition;
  readonly steps: readonly PlannedStep[];
  readonly byId: ReadonlyMap<string, PlannedStep>;
  /** By step, the schema of what it answers, where that is known: integers of it are ints in expressions. */
  readonly outputs: ReadonlyMap<string, Schema>;
  readonly limits: { readonly steps: number; readonly durationMs: number; readonly costUsd: number | null };
}

/** The plan of a definition that has passed the check of its form. Ids that stand twice count once: the first. */
export function planOf(definition: WorkflowDefinition): Plan {
  const byId = new Map<string, Mutable>();
  collect(byId, definition.steps, { pointer: "/steps", parent: null, branch: null });
  for (const one of byId.values()) for (const id of one.needs) byId.get(id)?.neededBy.push(one.id);
  const { limits = {} } = definition;
  return {
    definition,
    steps: [...byId.values()],
    byId,
    outputs: new Map([...byId.values()].flatMap(({ id, step }) => (step.for_each ? [[id, loopSchema] as const] : []))),
    limits: {
      steps: limits.steps ?? standardLimits.steps,
      durationMs: limits.duration === undefined ? standardLimits.durationMs : durationMs(limits.duration),
      costUsd: limits.cost_usd ?? null,
    },
  };
}

/** The plan with what the skills of its agents answer. `outputOf`: undefined where that is not known. */
export function withSkillOutputs(plan: Plan, outputOf: (agent: string, skill: string) => Schema | undefined): Plan {
  const outputs = new Map(plan.outputs);
  for (const { id, step } of plan.steps) {
    const answer = step.agent && outputOf(step.agent.name, step.agent.skill);
    if (answer) outputs.set(id, step.for_each ? loopSchemaOf(answer) : answer);
  }
  return { ...plan, outputs };
}

interface Mutable extends PlannedStep {
  readonly neededBy: string[];
  readonly branches: (readonly [name: string, steps: readonly string[]])[];
}

interface Place {
  readonly pointer: string;
  readonly parent: string | null;
  readonly branch: string | null;
}

function collect(byId: Map<string, Mutable>, steps: readonly Step[], place: Place): readonly string[] {
  const { parent, branch } = place;
  for (const [at, step] of steps.entries()) {
    const above = steps[at - 1]?.id;
    const needs = step.needs ?? (above === undefined ? [] : [above]);
    const pointer = `${place.pointer}/${at}`;
    if (byId.has(step.id)) continue;
    const kind = kindsOf(step)[0] ?? "set";
    const planned: Mutable = {
      id: step.id,
      kind,
      place: byId.size,
      step,
      pointer,
      needs,
      neededBy: [],
      parent,
      branch,
      branches: [],
    };
    byId.set(step.id, planned);
    for (const [name, inner] of Object.entries(step.parallel?.branches ?? {})) {
      const below = { pointer: `${pointer}/parallel/branches/${name}`, parent: step.id, branch: name };
      planned.branches.push([name, collect(byId, inner, below)]);
    }
  }
  return steps.map(({ id }) => id);
}
