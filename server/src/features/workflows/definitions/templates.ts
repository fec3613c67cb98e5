import type { Schema, Step, WorkflowDefinition } from "@aos/workflow";

// Drafts from plain words where no model is asked: a few workflows that many need, filled with an agent that is deployed here.

export interface TemplateAgent {
  readonly agent: string;
  readonly description: string;
  readonly skill: string;
  readonly input: Schema | undefined;
  readonly output: Schema | undefined;
  readonly writes: readonly { readonly name: string; readonly arguments: Schema | undefined }[];
}

interface Templated {
  readonly template: string;
  readonly definition: WorkflowDefinition;
}

interface Template {
  readonly name: string;
  readonly words: RegExp;
  readonly steps: (used: Used) => readonly Step[];
  readonly more?: (description: string, used: Used) => Partial<WorkflowDefinition>;
}

interface Used extends TemplateAgent {
  readonly given: Readonly<Record<string, string>>;
  readonly act: (needs: Partial<Step>) => readonly Step[];
}

const first = ({ agent, skill, given }: Used, id: string): Step => ({
  id,
  agent: { name: agent, skill, input: given },
});
const unsure = (id: string) => `steps.${id}.trust_low < 0.8`;

const templates: readonly Template[] = [
  {
    name: "act_with_approval",
    words: /refund|pay|reimburs|credit|money|invoice|approv|sign.?off|permission/i,
    steps: (used) => [
      first(used, "judge"),
      {
        id: "approve",
        approval: {
          title: `'May ${used.agent} go on?'`,
          context: { output: "steps.judge.output" },
          ...(used.writes.length > 0 && { covers: ["act"] }),
          expires: "2d",
          on_expiry: "reject",
        },
      },
      ...used.act({ needs: ["judge", "approve"] }),
    ],
  },
  {
    name: "triage",
    words: /triage|classif|categor|sort|rout|inbox|ticket|priorit/i,
    steps: (used) => [
      first(used, "classify"),
      {
        id: "check",
        when: unsure("classify"),
        approval: { title: "'Is this sorted right?'", context: { output: "steps.classify.output" }, expires: "1d" },
      },
      ...used.act({ needs: ["classify", "check"] }),
    ],
  },
  {
    name: "scheduled_report",
    words:
      /every (day|week|month|morning|evening|hour|mon|tue|wed|thu|fri|sat|sun)|daily|weekly|monthly|hourly|schedule|report|digest/i,
    steps: (used) => [first(used, "report")],
    more: (description, { given }) => ({
      triggers: [
        {
          schedule: scheduleOf(description),
          time_zone: "UTC",
          input: Object.fromEntries(Object.keys(given).map((name) => [name, ""])),
        },
      ],
    }),
  },
  {
    name: "loop_over_list",
    words: /\b(each|every|all|list|batch|rows?|many|loop|bulk|leads|customers|orders)\b/i,
    steps: (used) => [
      {
        id: "each",
        for_each: { in: "input.items", as: "item", at_most: 200, parallel: 5, on_error: "collect" },
        agent: {
          name: used.agent,
          skill: used.skill,
          input: Object.fromEntries(Object.keys(used.given).map((name) => [name, `item.${name}`])),
        },
      },
      { id: "result", set: { total: "steps.each.output.total", failed: "steps.each.output.failed" } },
    ],
    more: (_description, { given }) => {
      const item = { type: "object", properties: Object.fromEntries(Object.keys(given).map((name) => [name, {}])) };
      return { input: { type: "object", required: ["items"], properties: { items: { type: "array", items: item } } } };
    },
  },
  {
    name: "wait_and_remind",
    words: /remind|follow.?up|wait|no (answer|reply)|later|until|chase/i,
    steps: (used) => [
      first(used, "begin"),
      { id: "pause", wait: { for: "3d" } },
      { ...first(used, "remind"), when: unsure("begin"), needs: ["begin", "pause"] },
    ],
  },
  {
    name: "side_by_side",
    words: /parallel|side by side|same time|both|second opinion|compare|double.?check/i,
    steps: (used) => [
      {
        id: "both",
        parallel: { branches: { one: [first(used, "one")], two: [first(used, "two")] }, join: "all" },
      },
      {
        id: "approve",
        approval: {
          title: "'Which of the two?'",
          context: { one: "steps.one.output", two: "steps.two.output" },
          agent: used.agent,
        },
      },
    ],
  },
];

const plain: Template = { name: "one_task", words: /$^/, steps: (used) => [first(used, "work")] };

/** The template that shares the most words with the description, filled with the agent that the description seems to mean. */
export function templated(description: string, name: string, agents: readonly TemplateAgent[]): Templated {
  const hits = ({ words }: Template): number => description.match(new RegExp(words, "gi"))?.length ?? 0;
  const template = [...templates].sort((a, b) => hits(b) - hits(a))[0] as Template;
  const { name: id, steps, more } = hits(template) > 0 ? template : plain;
  const used = useOf(meant(description, agents));
  const definition = {
    workflow: name,
    description: description.slice(0, 2000),
    ...inputOf(used),
    ...more?.(description, used),
    steps: steps(used),
  };
  return { template: id, definition };
}

/** The agent and skill that share words with the description; else the first that is deployed. */
function meant(description: string, agents: readonly TemplateAgent[]): TemplateAgent {
  const said = new Set(description.toLowerCase().match(/[a-z]{4,}/g) ?? []);
  const score = ({ agent, skill, description: about }: TemplateAgent): number =>
    `${agent} ${skill} ${skill} ${about}`
      .toLowerCase()
      .split(/[^a-z]+/)
      .filter((word) => said.has(word)).length;
  const [best] = [...agents].sort((a, b) => score(b) - score(a));
  return (
    best ?? { agent: "my_agent", description: "", skill: "my_skill", input: undefined, output: undefined, writes: [] }
  );
}

const namesOf = (schema: Schema | undefined, member: "properties" | "required"): readonly string[] => {
  const value = schema?.[member];
  return Array.isArray(value) ? value : Object.keys((value as object | undefined) ?? {});
};

function useOf(chosen: TemplateAgent): Used {
  const required = namesOf(chosen.input, "required");
  const given = Object.fromEntries(required.map((name) => [name, `input.${name}`]));
  const [write] = chosen.writes;
  const act = (more: Partial<Step>): readonly Step[] => {
    if (!write) return [];
    const args = namesOf(write.arguments, "required").map((name) => [name, `input.${name}`]);
    return [
      { id: "act", ...more, tool: { agent: chosen.agent, name: write.name, arguments: Object.fromEntries(args) } },
    ];
  };
  return { ...chosen, given, act };
}

/** The run's input: what the skill and the tool require. */
function inputOf({ input, writes: [write] }: Used): Partial<WorkflowDefinition> {
  const needed = [input, write?.arguments].flatMap((schema) =>
    namesOf(schema, "required").map(
      (name) => [name, (schema?.properties as Schema | undefined)?.[name] ?? {}] as const,
    ),
  );
  const properties = Object.fromEntries([...needed].reverse());
  return { input: { type: "object", required: Object.keys(properties), properties } };
}

const weekdays = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];

function scheduleOf(description: string): string {
  const text = description.toLowerCase();
  const [, hour = "7"] = /\bat (\d{1,2})\b/.exec(text) ?? [];
  if (/hourly|every hour/.test(text)) return "0 * * * *";
  if (/monthly|every month/.test(text)) return `0 ${hour} 1 * *`;
  const day = weekdays.find((one) => new RegExp(`\\b(every |on )${one}`).test(text));
  if (day !== undefined || /weekly|every week\b/.test(text)) return `0 ${hour} * * ${(day ?? "mon").toUpperCase()}`;
  return `0 ${Number(hour) < 24 ? hour : "7"} * * ${/weekday|working day/.test(text) ? "MON-FRI" : "*"}`;
}
