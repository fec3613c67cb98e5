import { type Static, type TSchema, Type } from "typebox";
import { riskLevels } from "../../kernel/risk.ts";

export * from "./surface-schemas.ts";

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
export const TaskStatus = Type.Enum(taskStates, { description: "Where the task stands." });
export const TrustScore = Type.Number({
  exclusiveMinimum: 0,
  exclusiveMaximum: 1,
  description: "The probability that a reviewer would accept the outcome of the task.",
});
export const AuditRef = Type.String({ description: "The audit record of the dispatch, `aud_…`." });
export const RiskLevel = Type.Enum(riskLevels);

/** The answer to a dispatch: exactly these four members. */
export const Dispatched = Type.Object({ task_id: TaskId, status: TaskStatus, trust_score: TrustScore, audit_ref: AuditRef });
export type Dispatched = Static<typeof Dispatched>;

/** Names at the top of a dispatch that are not the skill's input. A skill's input of such a name travels inside `input` only. */
export const reservedNames = ["task", "input", "require_approval", "priority", "deadline", "labels", "options"] as const;

export const DispatchBody = Type.Object(
  {
    task: Type.String({ description: "Name of the operation the agent performs: one of its skills." }),
    input: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), { description: "The skill's input; its fields may also stand at the top." }),
    ),
    require_approval: Type.Optional(Type.Boolean({ description: "When true, the task waits for human approval before anything runs." })),
    priority: Type.Optional(Type.Integer({ minimum: -10, maximum: 10, description: "Higher runs earlier; default 0." })),
    deadline: Type.Optional(Type.String({ format: "date-time", description: "If it has not run by then, it expires." })),
    labels: Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 64 }), { maxItems: 20, uniqueItems: true })),
    options: Type.Optional(Type.Object({}, { additionalProperties: false, description: "Reserved for later controls." })),
  },
  { additionalProperties: true, description: "Every other field is a field of the skill's input." },
);
export type DispatchBody = Static<typeof DispatchBody>;

const Time = Type.String({ format: "date-time" });
const nullable = <T extends TSchema>(type: T) => Type.Union([type, Type.Null()]);

export const Trust = Type.Object({
  score: TrustScore,
  low: Type.Number({ description: "10 % quantile." }),
  high: Type.Number({ description: "90 % quantile." }),
  parts: Type.Record(Type.String(), Type.Number(), { description: "What each part adds to the log-odds; together they are the score's." }),
  digest: Type.String({ description: "SHA-256 of the inputs, by which the score can be recomputed." }),
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

/** A task as it is read. */
export const Task = Type.Object({
  task_id: TaskId,
  status: TaskStatus,
  trust_score: TrustScore,
  audit_ref: AuditRef,
  agent: Type.String(),
  version: Type.Integer({ description: "The agent version that the task pinned." }),
  version_id: Type.String(),
  task: Type.String({ description: "The skill." }),
  input: Type.Record(Type.String(), Type.Unknown()),
  require_approval: Type.Boolean(),
  approval_id: nullable(Type.String()),
  approve_url: nullable(Type.String({ description: "Where people decide, while the task waits for them." })),
  priority: Type.Integer(),
  deadline: nullable(Time),
  labels: Type.Array(Type.String()),
  tags: Type.Array(Type.String({ description: "What gate and policies noted." })),
  trust: Trust,
  risk: Risk,
  attempt: Type.Integer(),
  output: nullable(Type.Record(Type.String(), Type.Unknown())),
  failure: nullable(Type.Object({ code: Type.String(), detail: Type.String() })),
  cost_usd: Type.Number(),
  requested_by: Type.String(),
  created_at: Time,
  updated_at: Time,
  started_at: nullable(Time),
  finished_at: nullable(Time),
});
export type Task = Static<typeof Task>;
