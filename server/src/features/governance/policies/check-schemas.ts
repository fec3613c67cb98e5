import { type Static, Type } from "typebox";
import { roles } from "../../../kernel/principal.ts";
import { closed, nullable } from "../../../kernel/schema-words.ts";
import { ActionName, Message, PolicyEffect, PolicyId, ReasonCode, When } from "./schemas.ts";

export const CheckBody = Type.Object(
  {
    action: ActionName,
    agent: Type.Optional(Type.String({ minLength: 1, maxLength: 64, description: "The agent that would act." })),
    skill: Type.Optional(
      Type.String({ minLength: 1, maxLength: 64, description: "The skill of its deployed version." }),
    ),
    tool: Type.Optional(Type.String({ minLength: 1, maxLength: 64, description: "The tool of its deployed version." })),
    model: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: "The model that would be called." })),
    input: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        description: "What the call carries: the task's input, the arguments of the tool, the document.",
      }),
    ),
    as: Type.Optional(
      Type.Object(
        { role: Type.Enum(roles) },
        { ...closed, description: "Asks as if the key had this role; not of what a worker does." },
      ),
    ),
  },
  closed,
);
export type CheckBody = Static<typeof CheckBody>;

export const Demand = Type.Object({
  approvers: Type.Integer(),
  requester_allowed: Type.Boolean(),
  reasons: Type.Array(Type.String()),
});

export const CheckResult = Type.Object({
  action: Type.String(),
  verdict: Type.Enum(["allow", "require_approval", "deny"] as const, { description: "What would become of the call." }),
  refused_by: nullable(
    Type.Enum(["evaluation_gate", "hold", "policy", "budget"] as const),
    "The first stage that would refuse it.",
  ),
  explanation: Type.String({ description: "The verdict in a sentence." }),
  gate: nullable(
    Type.Object({
      state: Type.Enum(["open", "failed", "inconclusive", "expired", "missing"] as const),
      consequence: Type.Enum(["allow", "require_approval", "deny", "tag"] as const),
      reasons: Type.Array(Type.String()),
    }),
    "The evaluation gate; null where the action passes none.",
  ),
  hold: nullable(
    Type.Object({
      source: Type.String({ description: "A kill switch, `ksw_…`, or `pause`." }),
      code: Type.String(),
      detail: Type.String(),
    }),
    "The kill switch or pause that stands against it.",
  ),
  policies: Type.Array(
    Type.Object({
      policy_id: PolicyId,
      version: Type.Integer(),
      state: Type.Enum(["active", "shadow"] as const),
      effect: PolicyEffect,
      outcome: Type.Enum(["applies", "does_not_apply", "error", "outside_window"] as const, {
        description:
          "`error`: its condition could not be evaluated, which counts as a refusal. `outside_window`: it does not hold at this time.",
      }),
      when: When,
      reason_code: ReasonCode,
      message: Message,
    }),
    { description: "Every policy that is asked about such a call, and what it says. One in shadow decides nothing." },
  ),
  approval: nullable(
    Demand,
    "What people would be asked for, by gate, policies and risk at their strictest. A write waits as well in a run that has read text which could have steered it; `explanation` says so.",
  ),
  tags: Type.Array(Type.String()),
  limits: nullable(
    Type.Object({
      steps: Type.Optional(Type.Integer()),
      seconds: Type.Optional(Type.Integer()),
      tokens: Type.Optional(Type.Integer()),
      cost_usd: Type.Optional(Type.Number()),
    }),
    "Bounds that policies give the run.",
  ),
  redact: nullable(
    Type.Union([Type.Literal("all"), Type.Array(Type.String())]),
    "Kinds of data that would be redacted.",
  ),
  budgets: Type.Array(
    Type.Object({
      scope: Type.String(),
      unit: Type.String(),
      period: Type.String(),
      required: Type.Number(),
      available: nullable(Type.Number(), "Null: it refuses nothing."),
      within_limit: Type.Boolean(),
    }),
    { description: "Budgets that the call would draw on." },
  ),
  context: Type.Record(Type.String(), Type.Unknown(), { description: "What policies would see, but the input." }),
});
export type CheckResult = Static<typeof CheckResult>;
