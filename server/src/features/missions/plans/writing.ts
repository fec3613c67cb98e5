import { compileUserSchema, type UserSchemaResult } from "@aos/json-schema";
import { Type } from "typebox";
import type { CallContext } from "../../../kernel/context.ts";
import type { Reader } from "../../../kernel/db.ts";
import { parseJson } from "../../../kernel/stored-json.ts";
import { connectionPort, type OpenConnection } from "../../admin/public.ts";
import { findKnownAgent } from "../../agents/public.ts";
import { type MissionRow, missionJson } from "../missions/store.ts";
import { PlanStepBody } from "../schemas.ts";
import type { PlanContent } from "./store.ts";

// Plans by a model of a connected provider, judged like a person's: no wider agents, budget or autonomy.

interface PlanningModel {
  readonly connection: string;
  readonly name: string;
}

/** The provider's model of one of the mission's agents. */
export function planningModel(ctx: CallContext, { agents }: Pick<MissionRow, "agents">): PlanningModel | undefined {
  for (const agent of agents) {
    const model = findKnownAgent(ctx, agent)?.live?.definition.model;
    if (model && model.provider !== "builtin" && "connection" in model && model.connection !== undefined)
      return { connection: model.connection, name: model.name };
  }
  return undefined;
}

const shape = Type.Object({ steps: Type.Array(PlanStepBody, { minItems: 1, maxItems: 50 }) });
let compiled: UserSchemaResult | undefined;

function fits(value: unknown): value is { steps: PlanStepBody[] } {
  compiled ??= compileUserSchema(shape);
  return compiled.ok && compiled.validate(value).length === 0;
}

/** An outline of a value for a model: long lists by their length and first members. */
function outline(value: unknown, depth = 0): unknown {
  if (Array.isArray(value))
    return { list_of: value.length, first: value.slice(0, 2).map((one) => outline(one, depth + 1)) };
  if (typeof value === "string") return value.slice(0, 200);
  if (typeof value !== "object" || value === null || depth > 3) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, outline(one, depth + 1)]));
}

function planPrompts(ctx: CallContext, mission: MissionRow): { system: string; user: string } {
  const skills = mission.agents.flatMap((agent) =>
    (findKnownAgent(ctx, agent)?.live?.definition.skills ?? []).map(({ name, description, input, output }) =>
      JSON.stringify({ agent, skill: name, description, input, output }),
    ),
  );
  const system = [
    'You plan work of agents. Answer with JSON alone: {"steps": [...]}. Each step follows this JSON Schema:',
    JSON.stringify(PlanStepBody),
    "Texts in `inputs.input`, `each`, `by` and `where` are expressions in CEL over `input` (the mission's inputs), `steps.<id>.output` and `item`; a text constant stands in quotation marks of its own, and numbers are doubles (2.0). With `best`, `item.input` is the item of the earlier step and `item.output` its result.",
    `Use only these agents and skills:\n${skills.join("\n")}`,
  ].join("\n\n");
  const { goal, measure, budget_usd, budget_tasks, autonomy } = mission;
  const facts = { goal, measure, budget: { cost_usd: budget_usd, tasks: budget_tasks }, autonomy };
  return { system, user: JSON.stringify({ ...facts, inputs: outline(missionJson(mission, "inputs")) }) };
}

/** The steps in a model's answer; undefined if it has none of their form. */
export function stepsIn(answer: string): PlanStepBody[] | undefined {
  const text = answer.slice(answer.indexOf("{"), answer.lastIndexOf("}") + 1);
  try {
    const given = parseJson(text);
    return fits(given) ? given.steps : undefined;
  } catch {
    return undefined;
  }
}

interface WrittenPlan {
  /** Undefined: the answer has no readable steps. */
  readonly steps: PlanStepBody[] | undefined;
  readonly tokens: number;
  readonly usd: number | null;
}

/** Steps written by a model, corrected once by their findings. Their cost counts in any case. */
export async function writePlan(
  ctx: CallContext & { readonly db: Reader },
  {
    connection,
    model,
    mission,
  }: { readonly connection: OpenConnection; readonly model: string; readonly mission: MissionRow },
  judge: (steps: readonly PlanStepBody[]) => Promise<PlanContent>,
): Promise<WrittenPlan> {
  const { system, user } = planPrompts(ctx, mission);
  let asked = user;
  let plan: WrittenPlan = { steps: undefined, tokens: 0, usd: 0 };
  for (let round = 0; round < 2; round++) {
    const answer = await ctx
      .port(connectionPort)
      .ask(ctx.scope, connection, { model, system, user: asked }, ctx.signal);
    if (answer === null || !("text" in answer)) return plan;
    const steps = stepsIn(answer.text);
    const usd = plan.usd === null || answer.usd === null ? null : plan.usd + answer.usd;
    plan = { steps: steps ?? plan.steps, tokens: plan.tokens + answer.tokens, usd };
    const faults = steps ? (await judge(steps)).findings.filter(({ severity }) => severity === "error") : [];
    if (steps && faults.length === 0) return plan;
    const wrong = steps
      ? faults.map(({ pointer, detail }) => `${pointer}: ${detail}`).join("\n")
      : "It is no JSON of the form {steps: [...]}.";
    asked = `${user}\n\nThis answer has faults. Answer with all of it corrected.\n${answer.text}\n\nFaults:\n${wrong}`;
  }
  return plan;
}
