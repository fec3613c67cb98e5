import type { CallContext } from "../../kernel/context.ts";
import { findKnownAgent, type LiveSkill } from "../agents/public.ts";
import type { MissionTemplate, PlanStepBody } from "./schemas.ts";
import type { MissionRow } from "./store.ts";

// Plans that the service proposes by itself, from what the agents' skills take and answer.

interface Found {
  readonly agent: string;
  readonly skill: LiveSkill;
}
type Schema = Readonly<Record<string, unknown>>;

/** Steps towards the measure: its skill once, for each item of a list, or for the best of a list that another skill has judged first. */
export function proposeSteps(
  ctx: CallContext,
  { agents, measure, inputs: text }: Pick<MissionRow, "agents" | "measure" | "inputs">,
): PlanStepBody[] {
  const inputs = JSON.parse(text) as Readonly<Record<string, unknown>>;
  const skills = agents.flatMap((agent) => skillsOf(ctx, agent));
  const goal = skills.find(({ skill }) => skill.definition.name === measure.skill);
  if (!goal) return [stepOf({ agent: agents[0] as string, name: measure.skill }, { input: {} })];
  const list = Object.entries(inputs).find(([, value]) => Array.isArray(value) && value.length > 0);
  if (!list) return [stepOf(named(goal), { input: inputFor(goal.skill, inputs) })];
  const [name, items] = list as [string, readonly unknown[]];
  const each = `input.${name}`;
  const judge =
    measure.aggregate === "count" && measure.target < items.length ? judgeFor(skills, goal, items) : undefined;
  if (!judge) return [stepOf(named(goal), { each, input: inputFor(goal.skill, inputs, items[0], "item") })];
  const of = judge.found.skill.definition.name;
  return [
    stepOf(named(judge.found), { each, input: inputFor(judge.found.skill, inputs, items[0], "item") }),
    stepOf(named(goal), {
      best: { of, count: Math.max(1, Math.ceil(measure.target)), ...judge.order },
      input: inputFor(goal.skill, inputs, items[0], "item.input"),
    }),
  ];
}

const skillsOf = (ctx: CallContext, agent: string): Found[] =>
  [...(findKnownAgent(ctx, agent)?.live?.skills.values() ?? [])].map((skill) => ({ agent, skill }));

const named = ({ agent, skill }: Found) => ({ agent, name: skill.definition.name });
const stepOf = ({ agent, name }: { agent: string; name: string }, inputs: PlanStepBody["inputs"]): PlanStepBody => ({
  ...{ id: name, agent, skill: name, inputs },
});

const propertiesOf = (schema: unknown): Readonly<Record<string, Schema>> =>
  (schema as { properties?: Readonly<Record<string, Schema>> } | undefined)?.properties ?? {};
const requiredOf = (skill: LiveSkill): readonly string[] =>
  (skill.definition.input as { required?: readonly string[] }).required ?? [];
const membersOf = (value: unknown): ReadonlySet<string> =>
  new Set(typeof value === "object" && value !== null ? Object.keys(value) : []);

/** Where a skill's fields come from: the item of the list, the mission's inputs, or nowhere, which the plan's findings then say. */
function inputFor(
  skill: LiveSkill,
  inputs: Readonly<Record<string, unknown>>,
  item?: unknown,
  place?: string,
): Record<string, unknown> {
  const members = membersOf(item);
  const wanted = [...new Set([...requiredOf(skill), ...Object.keys(propertiesOf(skill.definition.input))])];
  const required = new Set(requiredOf(skill));
  const given = wanted.flatMap((field): [string, string][] => {
    if (place !== undefined && members.has(field)) return [[field, `${place}.${field}`]];
    if (Object.hasOwn(inputs, field)) return [[field, `input.${field}`]];
    return place !== undefined && members.size === 0 && required.has(field) ? [[field, place]] : [];
  });
  return Object.fromEntries(given);
}

interface Judge {
  readonly found: Found;
  readonly order: { readonly by: string; readonly where?: string };
}

/** A skill that takes the same items and answers something by which they can be ordered. */
function judgeFor(skills: readonly Found[], goal: Found, items: readonly unknown[]): Judge | undefined {
  for (const found of skills) {
    const { skill } = found;
    if (skill === goal.skill || skill.tools.some((tool) => !("effect" in tool) || tool.effect !== "read")) continue;
    const fields = inputFor(skill, {}, items[0], "item");
    if (!requiredOf(skill).every((field) => field in fields)) continue;
    const order = orderBy(propertiesOf(skill.definition.output));
    if (order) return { found, order };
  }
  return undefined;
}

function orderBy(output: Readonly<Record<string, Schema>>): Judge["order"] | undefined {
  const fieldOf = (...types: string[]) =>
    Object.entries(output).find(([, { type }]) => types.includes(type as string))?.[0];
  const [yes, number] = [fieldOf("boolean"), fieldOf("number", "integer")];
  if (yes === undefined && number === undefined) return undefined;
  const there = (field: string) => `has(item.output.${field})`;
  return {
    by: number === undefined ? "0.0" : `${there(number)} ? item.output.${number} : 0.0`,
    ...(yes !== undefined && { where: `${there(yes)} && item.output.${yes} == true` }),
  };
}

const builtIn = { origin: "built_in", created_by: null, created_at: null } as const;

/** Templates that come with the service. They run on the sample's agent. */
export const builtInTemplates: readonly MissionTemplate[] = [
  {
    ...builtIn,
    name: "each-of-a-list",
    description: "One task for each item of a list.",
    mission: {
      goal: "Qualify all leads.",
      measure: { skill: "qualify_lead", where: "status == 'completed'", aggregate: "rate", target: 0.95 },
      agents: ["sales"],
      autonomy: "within_limits",
    },
    steps: [
      {
        id: "qualify_lead",
        agent: "sales",
        skill: "qualify_lead",
        inputs: { each: "input.leads", input: { lead_id: "item" } },
      },
    ],
  },
  {
    ...builtIn,
    name: "best-of-a-list",
    description: "Judges each item of a list, then works on the best of them.",
    mission: {
      goal: "Prepare calls of the best leads.",
      measure: { skill: "summarize_lead", where: "status == 'completed'", aggregate: "count", target: 20 },
      agents: ["sales"],
      autonomy: "approve_writes",
    },
    steps: [
      {
        id: "qualify_lead",
        agent: "sales",
        skill: "qualify_lead",
        inputs: { each: "input.leads", input: { lead_id: "item" } },
      },
      {
        id: "summarize_lead",
        agent: "sales",
        skill: "summarize_lead",
        inputs: {
          best: {
            of: "qualify_lead",
            count: 20,
            by: "0.0",
            where: "has(item.output.qualified) && item.output.qualified == true",
          },
          input: { lead_id: "item.input" },
        },
      },
    ],
  },
];
