import { type Decider, storableDeciders, storedDeciders } from "../../../kernel/actor.ts";
import { isoTime } from "../../../kernel/clock.ts";
import type { CallContext, WriteContext } from "../../../kernel/context.ts";
import type { QueryContext } from "../../../kernel/db.ts";
import { findKnownAgent, type LiveSkill } from "../../agents/public.ts";
import { type MissionRow, missionJson } from "../missions/store.ts";
import type { MissionTemplate, PlanStepBody } from "../schemas.ts";
import { type TemplateRow, templates } from "./resource.ts";

// Plans that the service proposes from the inputs and outputs of the agents' skills.

interface Found {
  readonly agent: string;
  readonly skill: LiveSkill;
}
type Schema = Readonly<Record<string, unknown>>;

/** Steps towards the measure: its skill once, for each item of a list, or for the best of a list that another skill has judged first. */
export function proposeSteps(
  ctx: CallContext,
  mission: Pick<MissionRow, "agents" | "measure" | "inputs">,
): PlanStepBody[] {
  const { agents, measure } = mission;
  const inputs = missionJson(mission, "inputs");
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
  id: name,
  agent,
  skill: name,
  inputs,
});

const propertiesOf = (schema: unknown): Readonly<Record<string, Schema>> =>
  (schema as { properties?: Readonly<Record<string, Schema>> } | undefined)?.properties ?? {};
const requiredOf = (skill: LiveSkill): readonly string[] =>
  (skill.definition.input as { required?: readonly string[] }).required ?? [];
const membersOf = (value: unknown): ReadonlySet<string> =>
  new Set(typeof value === "object" && value !== null ? Object.keys(value) : []);

/** The source of a skill's fields: the item of the list, the mission's inputs, or nothing, which the plan's findings then report. */
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

/** A skill that takes the same items and returns something to order them by. */
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

/** Built-in templates, for the sample's agent. */
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

const view = (row: TemplateRow): MissionTemplate => ({
  name: row.name,
  description: row.description,
  origin: "saved",
  mission: row.mission,
  steps: row.steps,
  created_by: row.author,
  created_at: isoTime(row.created_at),
});

/** A built-in or saved template by its name, with the deciders of its steps. */
export async function findTemplate(
  ctx: QueryContext,
  name: string,
): Promise<(Pick<MissionTemplate, "steps"> & { readonly deciders: readonly Decider[] }) | undefined> {
  const builtIn = builtInTemplates.find((one) => one.name === name);
  if (builtIn) return { steps: builtIn.steps, deciders: [] };
  const row = await templates.find(ctx, name);
  return row && { steps: row.steps, deciders: storedDeciders(row.deciders) };
}

/** A page of saved templates, by name. */
export const listSaved = async (
  ctx: QueryContext,
  after: string | undefined,
  take: number,
): Promise<MissionTemplate[]> => {
  const rows = await templates.list(ctx, (query) => {
    const rest = after === undefined ? query : query.where("r.name", ">", after);
    return rest.orderBy("r.name").limit(take);
  });
  return rows.map(view);
};

/** Saves a template of the caller; undefined if the name is taken. */
export async function insertTemplate(
  ctx: WriteContext,
  given: Pick<MissionTemplate, "name" | "description" | "mission" | "steps">,
  deciders: readonly Decider[],
): Promise<MissionTemplate | undefined> {
  const decided = { deciders: storableDeciders(deciders), author: ctx.principal.id, created_at: new Date(ctx.now) };
  const saved = await templates.insertUnlessTaken(ctx, { ...given, ...decided });
  return saved && view(saved);
}

export const agentsOfTemplate = ({ mission, steps }: Pick<MissionTemplate, "mission" | "steps">): string[] => [
  ...new Set([...(mission.agents ?? []), ...steps.map(({ agent }) => agent)]),
];
