import { type Static, Type } from "typebox";
import { HeldBy } from "../../kernel/hold.ts";
import { riskLevels } from "../../kernel/risk.ts";
import { closed, nullable, Time } from "../../kernel/schema-words.ts";
import { AgentName } from "../agents/schemas.ts";
import { TaskQuestion } from "./steps/schemas.ts";

export * from "./comments/schemas.ts";
export * from "./dispatch/batch-schemas.ts";
export * from "./dispatch/estimate-schemas.ts";
export * from "./feedback/schemas.ts";
export * from "./steps/cost-schemas.ts";
export * from "./steps/schemas.ts";
export * from "./steps/trace-schemas.ts";
export * from "./tasks/children-schemas.ts";
export * from "./tasks/trust-schemas.ts";

export const taskStates = [
  "queued",
  "awaiting_approval",
  "running",
  "input_required",
  "completed",
  "failed",
  "rejected",
  "expired",
  "blocked",
  "cancelled",
] as const;
export type TaskState = (typeof taskStates)[number];

export const TaskId = Type.String({ description: "The task's id, `tsk_…`." });
export const TaskStatus = Type.Enum(taskStates, { description: "The state of the task." });
export const TrustScore = Type.Number({
  exclusiveMinimum: 0,
  exclusiveMaximum: 1,
  description: "The probability that a reviewer would accept the outcome of the task.",
});
export const AuditRef = Type.String({ description: "The audit record of the dispatch, `aud_…`." });
export const RiskLevel = Type.Enum(riskLevels);

/** Exactly these four members. */
export const Dispatched = Type.Object({
  task_id: TaskId,
  status: TaskStatus,
  trust_score: TrustScore,
  audit_ref: AuditRef,
});
export type Dispatched = Static<typeof Dispatched>;

/** Names at the top of a dispatch that are not the skill's input. A skill's input of such a name travels inside `input` only. */
export const reservedNames = [
  "task",
  "input",
  "require_approval",
  "priority",
  "deadline",
  "labels",
  "options",
] as const;

const Priority = Type.Integer({ minimum: -10, maximum: 10, description: "Higher runs earlier; default 0." });
const Labels = Type.Array(Type.String({ minLength: 1, maxLength: 64 }), { maxItems: 20, uniqueItems: true });
const time = (description: string) => Type.String({ format: "date-time", description });

export const DispatchOptions = Type.Object(
  {
    sticky_key: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description:
          "While a canary runs, all dispatches with this key go to the same version, such as those of one customer. Only a digest of it is kept.",
      }),
    ),
    not_before: Type.Optional(time("It is not started earlier. With a deadline, it has to be before that.")),
    approval: Type.Optional(
      Type.Object(
        {
          expires_in_seconds: Type.Integer({
            minimum: 60,
            maximum: 31_536_000,
            description: "How long people may take.",
          }),
          on_expiry: Type.Enum(["reject", "escalate"], {
            description:
              "Then the task expires, or it is handed to the admins. Nothing is ever approved automatically.",
          }),
        },
        {
          additionalProperties: false,
          description:
            "Where the dispatch waits for people: how long. Where the environment's settings are stricter, they count.",
        },
      ),
    ),
  },
  { additionalProperties: false, description: "When it runs, and how long it waits for people." },
);
export type DispatchOptions = Static<typeof DispatchOptions>;

export const DispatchBody = Type.Object(
  {
    task: Type.String({ description: "Name of the operation the agent performs: one of its skills." }),
    input: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        description: "The skill's input; its fields may also stand at the top.",
      }),
    ),
    require_approval: Type.Optional(
      Type.Boolean({ description: "When true, the task waits for human approval before anything runs." }),
    ),
    priority: Type.Optional(Priority),
    deadline: Type.Optional(time("If it has not run by then, it expires.")),
    labels: Type.Optional(Labels),
    options: Type.Optional(DispatchOptions),
  },
  { additionalProperties: true, description: "Every other field is a field of the skill's input." },
);
export type DispatchBody = Static<typeof DispatchBody>;

export const Trust = Type.Object({
  score: TrustScore,
  low: Type.Number({ description: "10 % quantile." }),
  high: Type.Number({ description: "90 % quantile." }),
  parts: Type.Record(Type.String(), Type.Number(), {
    description: "What each part adds to the log-odds z; score = 1 / (1 + e^−z).",
  }),
  case: Type.Optional(
    Type.Object(
      {
        probability: Type.Optional(
          Type.Number({ description: "The model's own probability that its outcome is right." }),
        ),
        probability_source: Type.Optional(
          Type.Enum(["trained", "told"], {
            description: "Calibrated by our trainer, or reported by a provider's model.",
          }),
        ),
        findings: Type.Optional(Type.Number()),
        ungrounded: Type.Optional(
          Type.Number({ description: "How much of the outcome rests on nothing that was found." }),
        ),
        novelty: Type.Optional(Type.Number({ description: "How unlike the examples the case is." })),
        injection: Type.Optional(Type.Number()),
      },
      { description: "What was known of the case, each from 0 to 1. At a dispatch: the mean of the judged cases." },
    ),
  ),
  fit: Type.Optional(
    Type.String({ description: "Digest of the fitted map: `GET /v1/agents/{agent}/trust` shows the present one." }),
  ),
  weeks: Type.Optional(
    Type.Integer({ description: "Whole weeks since the newest judged case: they widen the interval." }),
  ),
  calibration: Type.Optional(
    Type.Object(
      { a: Type.Number(), b: Type.Number() },
      { description: "Of scores by the rule before `trust-3`: 1 / (1 + e^−(a·z + b))." },
    ),
  ),
  digest: Type.String({
    description: "SHA-256 of the inputs (`case`, `fit`, `weeks`), by which the score can be recomputed.",
  }),
});

export const Risk = Type.Object({
  level: RiskLevel,
  score: Type.Integer({ description: "2 · impact + likelihood, 0 to 12." }),
  impact: Type.Integer(),
  likelihood: Type.Integer(),
  inputs: Type.Record(Type.String(), Type.Unknown(), { description: "What it was computed from." }),
  floors: Type.Array(Type.Object({ rule: Type.String(), level: RiskLevel })),
  lower: nullable(
    Type.Object(
      { change: Type.Object({ input: Type.String(), to: Type.Unknown() }), level: RiskLevel },
      {
        description: "The one change that would lower it most.",
      },
    ),
  ),
});

/** The labels that the model considered for fields of a result. */
export const Predictions = Type.Record(
  Type.String(),
  Type.Array(
    Type.Object({
      value: Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()], {
        description: "A value that the field can have.",
      }),
      probability: Type.Number({ description: "That it is the right one, from 0 to 1." }),
      none: Type.Optional(
        Type.Literal(true, { description: "The last entry, where the model can tell: it is none of these values." }),
      ),
    }),
    { description: "The likeliest first." },
  ),
  {
    description:
      "By JSON Pointer of a field of the output, what the model held possible, so that results can be ranked. Null where it says nothing of it.",
  },
);

export const RunOfTask = Type.Object({
  run_id: Type.String({ description: "`wfr_…`" }),
  workflow: Type.String({ description: "The workflow's name." }),
  step: Type.String({ description: "The step's id." }),
});

export const Task = Type.Object({
  task_id: TaskId,
  status: TaskStatus,
  trust_score: TrustScore,
  audit_ref: AuditRef,
  agent: Type.String(),
  version: Type.Integer({ description: "The agent version that the task pinned." }),
  version_id: Type.String(),
  task: Type.String({ description: "The skill." }),
  title: nullable(
    Type.String({ description: "What it is about, by the skill's template over the input; null: the skill has none." }),
  ),
  input: Type.Record(Type.String(), Type.Unknown()),
  require_approval: Type.Boolean(),
  approval_id: nullable(Type.String()),
  approve_url: nullable(Type.String({ description: "Where people decide, while the task waits for them." })),
  priority: Type.Integer(),
  deadline: nullable(Time),
  not_before: nullable(Time),
  batch_id: nullable(Type.String({ description: "The batch that it came with, `bat_…`." })),
  run: nullable(RunOfTask, "The step of a workflow's run that it carries out; null: it is none."),
  conversation_id: nullable(Type.String(), "The conversation in which it answers, `cnv_…`; null: in none."),
  labels: Type.Array(Type.String()),
  tags: Type.Array(Type.String({ description: "What gate and policies noted." })),
  trust: Trust,
  risk: Risk,
  attempt: Type.Integer(),
  question: nullable(TaskQuestion),
  paused: nullable(
    Type.Object({
      since: Time,
      by: Type.String({ description: "The member who paused it last, `mbr_…`." }),
      reason: nullable(Type.String()),
    }),
    "That people paused it; null: they did not, or it has ended.",
  ),
  held_by: HeldBy,
  output: nullable(Type.Record(Type.String(), Type.Unknown())),
  predictions: nullable(Predictions),
  failure: nullable(Type.Object({ code: Type.String(), detail: Type.String() })),
  cost_usd: Type.Number(),
  tokens: Type.Integer({ description: "Of the models that it asked." }),
  requested_by: Type.String(),
  created_at: Time,
  updated_at: Time,
  started_at: nullable(Time),
  finished_at: nullable(Time),
});
export type Task = Static<typeof Task>;

export const TaskResult = Type.Object({
  task_id: TaskId,
  status: TaskStatus,
  final: Type.Boolean({ description: "Whether it has ended. An end that can be tried again is one as well." }),
  output: nullable(Type.Record(Type.String(), Type.Unknown(), { description: "Null where it has not completed." })),
  predictions: nullable(Predictions),
  failure: nullable(
    Type.Object({ code: Type.String(), detail: Type.String() }, { description: "Why there is no output." }),
  ),
  held_by: HeldBy,
  trust_score: TrustScore,
  result_ref: nullable(
    Type.String({
      description:
        "The audit record of the call that ended it, `aud_…`: its proof shows that exactly this was recorded. Null where it has not ended.",
    }),
  ),
  files: Type.Array(Type.Object({ name: Type.String() }), {
    description: "Files that it made. No tool makes any yet.",
  }),
});
export type TaskResult = Static<typeof TaskResult>;

/** What can be changed of a waiting task. */
export const TaskChange = Type.Object(
  {
    priority: Type.Optional(Priority),
    deadline: Type.Optional(nullable(time("Null: none."))),
    not_before: Type.Optional(nullable(time("Null: at once."))),
    labels: Type.Optional(Labels),
    input: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        description: "The whole new input, where people asked for changes; it goes before them again.",
      }),
    ),
  },
  { additionalProperties: false, minProperties: 1 },
);
export type TaskChange = Static<typeof TaskChange>;

export const TaskBatch = Type.Object(
  {
    items: Type.Array(
      Type.Object(
        { agent: AgentName },
        {
          additionalProperties: true,
          description:
            "The agent, and the body of a dispatch to it. A field `agent` of the skill's input goes into `input`.",
        },
      ),
      { minItems: 1, maxItems: 100 },
    ),
  },
  closed,
);

export const TaskBatchResult = Type.Object({
  batch_id: Type.String({ description: "`bat_…`; tasks carry it, and lists can be narrowed to it." }),
  succeeded: Type.Integer(),
  failed: Type.Integer(),
  results: Type.Array(
    Type.Object({
      index: Type.Integer({ description: "The item's place in the batch, from 0." }),
      status: Type.Integer({ description: "As if it had been dispatched alone." }),
      body: Type.Unknown({ description: "The answer to the dispatch, or the problem." }),
    }),
    { description: "One for each item, in their order." },
  ),
});
export type TaskBatchResult = Static<typeof TaskBatchResult>;
