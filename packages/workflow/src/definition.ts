import { type Static, Type } from "typebox";
import { durationPattern } from "./duration.ts";

// What a workflow's file says. One source for validation, types and the published JSON Schema.

const closed = { additionalProperties: false } as const;

/** Most of each that a file may have: what one person can still review, and one transaction can still do. */
export const WORKFLOW_LIMITS = { steps: 10_000, triggers: 20, branches: 20, covers: 20, needs: 50 } as const;

/** Words that CEL keeps for itself; no step may be called so. */
export const reservedIds: ReadonlySet<string> = new Set(
  "as break const continue else false for function if import in let loop namespace null package return true var void while".split(
    " ",
  ),
);

const Id = Type.String({
  pattern: "^[a-z][a-z0-9_]{0,63}$",
  description: "A step's id: lowercase letters, digits and `_`.",
});
const Name = (of: string) => Type.String({ minLength: 1, maxLength: 64, description: of });
const Expression = (of: string) =>
  Type.String({ minLength: 1, maxLength: 4096, description: `${of}, an expression in CEL.` });
const Duration = (of: string) =>
  Type.String({ pattern: durationPattern, description: `${of}, such as \`90s\`, \`1h30m\` or \`2d\`.` });
const Values = (of: string) =>
  Type.Record(Type.String({ maxLength: 200 }), Type.Unknown(), {
    description: `${of}. Texts are expressions in CEL (\`input.order_id\`, \`'a text'\`); numbers, true, false and null stand for themselves, lists and objects for what they hold.`,
  });
const JsonSchemaOf = (of: string) =>
  Type.Record(Type.String(), Type.Unknown(), { description: `JSON Schema (2020-12) of the ${of}.` });

export const AgentCall = Type.Object(
  {
    name: Name("The agent."),
    skill: Name("One of its skills."),
    input: Type.Optional(Values("The skill's input")),
    require_approval: Type.Optional(
      Type.Boolean({ description: "Whether people approve the task before it runs, whatever its risk." }),
    ),
  },
  { ...closed, description: "A task of an agent." },
);
export type AgentCall = Static<typeof AgentCall>;

export const ToolCall = Type.Object(
  {
    agent: Name("The agent whose tool it is: its gate, policies and budgets count."),
    name: Name("One of its tools."),
    arguments: Type.Optional(Values("The tool's arguments")),
  },
  { ...closed, description: "One call of a tool." },
);
export type ToolCall = Static<typeof ToolCall>;

export const WorkflowCall = Type.Object(
  {
    name: Name("The workflow."),
    version: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 2 ** 31 - 1,
        description: "Default: the version that is live when this one is published.",
      }),
    ),
    input: Type.Optional(Values("Its input")),
  },
  { ...closed, description: "A run of another workflow." },
);
export type WorkflowCall = Static<typeof WorkflowCall>;

export const ApprovalRequest = Type.Object(
  {
    title: Expression("What people read first"),
    agent: Type.Optional(
      Name(
        "For whose work people are asked. Default: the agent of what it covers, else of the nearest step before it that has one.",
      ),
    ),
    covers: Type.Optional(
      Type.Array(Id, {
        minItems: 1,
        maxItems: WORKFLOW_LIMITS.covers,
        uniqueItems: true,
        description: "Steps that people approve with it: exactly the calls that they will make.",
      }),
    ),
    context: Type.Optional(Values("What people are shown besides")),
    risk: Type.Optional(
      Type.Enum(["low", "medium", "high", "critical"] as const, { description: "At least this risk." }),
    ),
    approvers: Type.Optional(Type.Integer({ minimum: 1, maximum: 5, description: "How many people have to approve." })),
    expires: Type.Optional(Duration("How long people have")),
    on_expiry: Type.Optional(
      Type.Enum(["reject", "escalate"] as const, {
        description: "What becomes of one that nobody decided. Default `reject`.",
      }),
    ),
  },
  { ...closed, description: "A decision of people." },
);
export type ApprovalRequest = Static<typeof ApprovalRequest>;

const onTimeout = Type.Enum(["fail", "continue", "compensate"] as const, {
  description: "What happens when the time is over. Default `fail`.",
});

const eventMembers = {
  event: Type.String({
    minLength: 1,
    maxLength: 128,
    description: "The type of an event, such as `task.completed`, or one that a hook publishes.",
  }),
  where: Type.Optional(Expression("Which of them: `event` is its body")),
};
export const EventWait = Type.Object(eventMembers, closed);
export type EventWait = Static<typeof EventWait>;

export const Wait = Type.Object(
  {
    for: Type.Optional(Duration("How long")),
    until: Type.Optional(Expression("Until when: a timestamp, or a text in RFC 3339")),
    event: Type.Optional(eventMembers.event),
    where: eventMembers.where,
    any_of: Type.Optional(
      Type.Array(EventWait, {
        minItems: 2,
        maxItems: 10,
        description: "The first of these; the workflow does not wait for the others.",
      }),
    ),
    since: Type.Optional(Expression("From when on events count. Default: the start of the run")),
    at_most: Type.Optional(Duration("How long at most. Default: the run's own limit")),
    on_timeout: Type.Optional(onTimeout),
  },
  { ...closed, description: "Waits for a time or an event. What waits takes no worker." },
);
export type Wait = Static<typeof Wait>;

export const ForEach = Type.Object(
  {
    in: Expression("The list"),
    as: Type.Optional(
      Type.String({
        pattern: "^[a-z][a-z0-9_]{0,63}$",
        description: "The name of the item in expressions. Default `item`; its position is `<name>_index`.",
      }),
    ),
    at_most: Type.Integer({
      minimum: 1,
      maximum: 1_000_000,
      description: "How many items at most; a longer list fails the step before it begins.",
    }),
    parallel: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, description: "How many at once. Default 1." })),
    on_error: Type.Optional(
      Type.Enum(["fail", "collect"] as const, {
        description: "Whether the first failure ends the loop, which is the default, or failures are collected.",
      }),
    ),
  },
  { ...closed, description: "The step's action, once per item." },
);
export type ForEach = Static<typeof ForEach>;

export const Retry = Type.Object(
  {
    attempts: Type.Integer({ minimum: 1, maximum: 20, description: "How often at most, the first time included." }),
    backoff: Type.Optional(
      Duration("The pause before the second attempt; each further one is twice as long. Default `1s`"),
    ),
    not_on: Type.Optional(
      Type.Array(Type.String({ maxLength: 64 }), {
        maxItems: 20,
        description: "Codes of failures after which it is not tried again.",
      }),
    ),
  },
  closed,
);
export type Retry = Static<typeof Retry>;

export const Compensation = Type.Object(
  { agent: Type.Optional(AgentCall), tool: Type.Optional(ToolCall) },
  { ...closed, minProperties: 1, maxProperties: 1, description: "What undoes the step." },
);
export type Compensation = Static<typeof Compensation>;

const Join = Type.Union(
  [Type.Literal("all"), Type.Literal("any"), Type.Integer({ minimum: 1, maximum: WORKFLOW_LIMITS.branches })],
  {
    description: "How many branches have to end well: all of them, which is the default, one, or so many.",
  },
);

/** Kinds of steps, by the member that says it. */
export const stepKinds = ["agent", "tool", "approval", "wait", "parallel", "workflow", "set", "end"] as const;
export type StepKind = (typeof stepKinds)[number];

const Ending = Type.Object(
  {
    status: Type.Optional(Type.Enum(["completed", "failed"] as const)),
    reason: Type.Optional(Expression("Why")),
    output: Type.Optional(Values("The run's output, in place of the workflow's own")),
  },
  { ...closed, description: "Ends the run here." },
);

const stepMembers = {
  id: Id,
  title: Type.Optional(Type.String({ maxLength: 200, description: "What it does, in words." })),
  needs: Type.Optional(
    Type.Array(Id, {
      maxItems: WORKFLOW_LIMITS.needs,
      uniqueItems: true,
      description: "Steps that have to be over before. Default: the step above; none: `[]`.",
    }),
  ),
  when: Type.Optional(Expression("Whether it is done; else it is skipped")),
  agent: Type.Optional(AgentCall),
  tool: Type.Optional(ToolCall),
  approval: Type.Optional(ApprovalRequest),
  wait: Type.Optional(Wait),
  workflow: Type.Optional(WorkflowCall),
  set: Type.Optional(Values("The step's output")),
  end: Type.Optional(Ending),
  for_each: Type.Optional(ForEach),
  retry: Type.Optional(Retry),
  timeout: Type.Optional(Duration("How long an attempt may take, waiting for people included")),
  on_error: Type.Optional(
    Type.Enum(["fail", "continue", "compensate"] as const, {
      description: "What a failure means: the run fails, which is the default, goes on, or undoes what was done.",
    }),
  ),
  compensate: Type.Optional(Compensation),
};

export const Step = Type.Cyclic(
  {
    Step: Type.Object(
      {
        ...stepMembers,
        parallel: Type.Optional(
          Type.Object(
            {
              branches: Type.Record(
                Type.String({ pattern: "^[a-z][a-z0-9_]{0,63}$" }),
                Type.Array(Type.Ref("Step"), { minItems: 1 }),
                { minProperties: 2, maxProperties: WORKFLOW_LIMITS.branches },
              ),
              join: Type.Optional(Join),
            },
            { ...closed, description: "Branches side by side." },
          ),
        ),
      },
      closed,
    ),
  },
  "Step",
);
type StepBase = Static<ReturnType<typeof stepObject>>;
const stepObject = () => Type.Object(stepMembers, closed);
export interface Step extends StepBase {
  readonly parallel?: {
    readonly branches: Readonly<Record<string, readonly Step[]>>;
    readonly join?: "all" | "any" | number;
  };
}

const triggerMembers = {
  id: Type.Optional(Id),
  as: Type.Optional(Name("The service account that runs it. Default: who published")),
};
export const EventTrigger = Type.Object(
  { ...triggerMembers, ...eventMembers, map: Type.Optional(Values("The run's input; `event` is the event's body")) },
  { ...closed, description: "Runs for each event of a type." },
);
export const ScheduleTrigger = Type.Object(
  {
    ...triggerMembers,
    schedule: Type.String({
      maxLength: 100,
      description: "Five fields: minute, hour, day, month, weekday; such as `0 7 * * MON-FRI`.",
    }),
    time_zone: Type.Optional(Type.String({ maxLength: 64, description: "Such as `Europe/Vienna`. Default `UTC`." })),
    overlap: Type.Optional(
      Type.Enum(["skip", "queue", "allow"] as const, {
        description: "While an earlier run of it is not over. Default `skip`.",
      }),
    ),
    missed: Type.Optional(
      Type.Enum(["skip", "run_once", "run_all"] as const, {
        description: "Times that passed while nothing ran. Default `run_once`; `run_all` makes up for 100 at most.",
      }),
    ),
    input: Type.Optional(Type.Record(Type.String(), Type.Unknown(), { description: "The run's input, as it is." })),
  },
  { ...closed, description: "Runs by the clock." },
);
export const HookTrigger = Type.Object(
  {
    ...triggerMembers,
    hook: Type.String({
      pattern: "^[a-z][a-z0-9_-]{0,63}$",
      description: "The name of an inbound hook, `POST /v1/hooks/{hook}`, signed by Standard Webhooks.",
    }),
    publishes: Type.Optional(
      Type.String({
        maxLength: 128,
        description: "The type of the event that a call publishes. Default: the `type` of its body.",
      }),
    ),
    map: Type.Optional(Values("The run's input; `event` is the call's body")),
  },
  { ...closed, description: "Runs when somebody calls the hook." },
);
export const Trigger = Type.Union([EventTrigger, ScheduleTrigger, HookTrigger]);
export type EventTrigger = Static<typeof EventTrigger>;
export type ScheduleTrigger = Static<typeof ScheduleTrigger>;
export type HookTrigger = Static<typeof HookTrigger>;
export type Trigger = Static<typeof Trigger>;

const Limits = Type.Object(
  {
    cost_usd: Type.Optional(Type.Number({ minimum: 0, description: "US dollars that a run may cost." })),
    duration: Type.Optional(Duration("How long a run may take. Default `30d`")),
    steps: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 100_000,
        description:
          "Steps that a run may start, retries included; items of loops count against their own bound. Default 500.",
      }),
    ),
  },
  closed,
);

const Concurrency = Type.Object(
  {
    key: Expression("Runs with the same one count together"),
    limit: Type.Integer({ minimum: 1, maximum: 1_000 }),
    when_full: Type.Optional(Type.Enum(["queue", "replace", "reject"] as const, { description: "Default `queue`." })),
  },
  closed,
);

export const WorkflowDefinition = Type.Object(
  {
    workflow: Type.String({ pattern: "^[a-z][a-z0-9_-]{0,63}$", description: "The workflow's name." }),
    description: Type.Optional(Type.String({ maxLength: 2000 })),
    version_note: Type.Optional(Type.String({ maxLength: 500, description: "What is new in this version." })),
    input: Type.Optional(JsonSchemaOf("input")),
    triggers: Type.Optional(Type.Array(Trigger, { maxItems: WORKFLOW_LIMITS.triggers })),
    steps: Type.Array(Step, { minItems: 1, maxItems: WORKFLOW_LIMITS.steps }),
    output: Type.Optional(Values("The run's output")),
    key: Type.Optional(Expression("The business key: one open run per key")),
    concurrency: Type.Optional(Concurrency),
    limits: Type.Optional(Limits),
  },
  closed,
);
export interface WorkflowDefinition extends Omit<Static<typeof WorkflowDefinition>, "steps"> {
  readonly steps: readonly Step[];
}

/** Limits where a file says nothing. */
export const standardLimits = { steps: 500, durationMs: 30 * 86_400_000 } as const;

/** The kinds that a step names: one, if it is right. */
export const kindsOf = (step: Step): readonly StepKind[] => stepKinds.filter((kind) => step[kind] !== undefined);
