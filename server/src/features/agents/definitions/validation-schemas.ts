import { type Static, Type } from "typebox";
import { nullable, Time } from "../../../kernel/schema-words.ts";
import { AgentName } from "./schemas.ts";

export const DraftFinding = Type.Object({
  severity: Type.Enum(["error", "warning", "info"] as const, {
    description: "`error`: no version of it can be frozen, or deployed in the environment of the key.",
  }),
  pointer: Type.String({ description: "The place in the definition, as a JSON Pointer." }),
  code: Type.String(),
  detail: Type.String(),
});
export type DraftFinding = Static<typeof DraftFinding>;

export const DraftVerdict = Type.Object(
  {
    action: Type.Enum(["task.dispatch", "model.call", "tool.call"] as const),
    skill: Type.String(),
    tool: nullable(Type.String(), "The tool of a call; else null."),
    verdict: Type.Enum(["allow", "require_approval", "deny", "depends_on_input"] as const, {
      description: "`depends_on_input`: a policy reads the input or arguments, which only a call has.",
    }),
    reasons: Type.Array(Type.String(), { description: "Why it would need approval, or be refused." }),
    policies: Type.Array(
      Type.Object({
        policy_id: Type.String(),
        effect: Type.String(),
        outcome: Type.Enum(["applies", "depends_on_input", "error"] as const, {
          description: "`error`: its condition could not be evaluated, which counts as a refusal.",
        }),
        message: Type.String(),
      }),
      { description: "Active policies behind it, if the key may read policies." },
    ),
  },
  {
    description: "What active policies and the declared risk say of an action of the draft, if your key dispatched it.",
  },
);
export type DraftVerdict = Static<typeof DraftVerdict>;

export const SkillCost = Type.Object(
  {
    skill: Type.String(),
    basis: Type.Enum(["past_tasks", "limits", "none"] as const, {
      description:
        "`past_tasks`: up to 200 completed tasks of the skill in the last 90 days, whatever their version. `limits`: there are fewer than two; `high` is what the skill allows at most. `none`: no tasks and no limit.",
    }),
    tasks: Type.Integer({ description: "Number of tasks that the estimate is based on." }),
    mean_usd: nullable(Type.Number(), "Mean cost of a task."),
    low: nullable(Type.Number(), "95 % interval of the mean."),
    high: nullable(Type.Number(), "95 % interval of the mean; from limits, the most that a task may cost."),
    p90_usd: nullable(Type.Number(), "Nine in ten tasks cost at most this."),
    mean_seconds: nullable(Type.Number(), "Mean duration, without waiting."),
  },
  { description: "What a task of the skill is expected to cost." },
);
export type SkillCost = Static<typeof SkillCost>;

export const DraftValidation = Type.Object(
  {
    agent: AgentName,
    revision: Type.Integer({ description: "The revision of the draft that was checked." }),
    valid: Type.Boolean({ description: "Whether no finding is an error." }),
    findings: Type.Array(DraftFinding),
    verdicts: Type.Array(DraftVerdict),
    costs: Type.Array(SkillCost),
    checked_at: Time,
  },
  { description: "What would keep the draft from working in the environment of the key." },
);
export type DraftValidation = Static<typeof DraftValidation>;
