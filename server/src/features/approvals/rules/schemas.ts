import { type Static, Type } from "typebox";
import { roles } from "../../../kernel/principal.ts";
import { dataClasses, riskLevels } from "../../../kernel/risk.ts";
import { roleGrants } from "../../../kernel/role-permissions.ts";
import { Count, closed, nullable, Time } from "../../../kernel/schema-words.ts";
import { TaskId } from "../../tasks/schemas.ts";
import { Party } from "../party.ts";
import { decidePermission } from "../requests/persons.ts";
import { onExpiryWords } from "../requests/rules.ts";

// Shapes of approval rules on the wire.

const ruleNamePattern = "^[a-z][a-z0-9-]{0,39}$";
export const ApprovalRuleName = Type.String({
  pattern: ruleNamePattern,
  description: "The rule's name: short, of lowercase letters, digits and `-`, such as `payments`.",
});

/** The most persons that a rule asks for, in all its stages. */
export const mostPersons = 5;
const deciding = roles.filter((role) => roleGrants(role, decidePermission));

const names = (description: string, maxItems: number) =>
  Type.Array(Type.String({ minLength: 1, maxLength: 128 }), { minItems: 1, maxItems, uniqueItems: true, description });

export const ApprovalRuleCondition = Type.Object(
  {
    agents: Type.Optional(names("Agents, by name. Default: all.", 50)),
    skills: Type.Optional(names("Skills, by name. Default: all.", 50)),
    tools: Type.Optional(
      names(
        "Tools, by name; `*` stands for all. The rule then asks about single calls of these. Default: it asks about tasks as a whole, before they run.",
        50,
      ),
    ),
    risk_at_least: Type.Optional(Type.Enum(riskLevels, { description: "Only of this risk or a higher one." })),
    data_class_at_least: Type.Optional(
      Type.Enum(dataClasses, {
        description:
          "Only where detectors find data of this class, or of one that is protected more, in the input, as policies see it in `data.level`.",
      }),
    ),
    amount: Type.Optional(
      Type.Object(
        {
          field: Type.String({
            pattern: "^[A-Za-z0-9_-]{1,64}(\\.[A-Za-z0-9_-]{1,64}){0,4}$",
            description: "Where the amount stands in the input, such as `amount` or `order.total`.",
          }),
          above: Type.Number({ minimum: 0, maximum: 1_000_000_000_000 }),
        },
        {
          ...closed,
          description:
            "Only above an amount. What stands there and is no number counts as above; where nothing stands there, the rule does not apply.",
        },
      ),
    ),
  },
  { ...closed, description: "What the rule is about: all that is given has to hold. Empty: all tasks." },
);

const AskedStage = Type.Object(
  {
    quorum: Type.Integer({ minimum: 1, maximum: mostPersons, description: "How many of them have to approve." }),
    roles: Type.Optional(
      Type.Array(Type.Enum(deciding), {
        minItems: 1,
        maxItems: 2,
        uniqueItems: true,
        description: "Who has one of these roles.",
      }),
    ),
    teams: Type.Optional(names("Who is in one of these teams (`/v1/admin/teams`).", 20)),
    members: Type.Optional(names("These persons, `mbr_…`.", 50)),
  },
  {
    ...closed,
    description: "Persons of whom so many have to approve. Without roles, teams and members: anybody who may decide.",
  },
);

export const ApprovalRuleDemand = Type.Object(
  {
    stages: Type.Array(AskedStage, {
      minItems: 1,
      maxItems: mostPersons,
      description: `Who has to approve. A stage is asked once those before it are met; nobody counts in two of them, and all quorums come to at most ${mostPersons}.`,
    }),
    four_eyes: Type.Optional(
      Type.Boolean({
        default: false,
        description:
          "Whether nobody who stands behind the request may be among them. What risk and policies demand holds in any case: `false` loosens nothing.",
      }),
    ),
    expires_in_seconds: Type.Optional(
      Type.Integer({
        minimum: 60,
        maximum: 31_536_000,
        description: "How long people have; a shorter time set elsewhere counts. Default: the rule sets none.",
      }),
    ),
    on_expiry: Type.Optional(
      Type.Enum(onExpiryWords, {
        default: "reject",
        description:
          "What happens when nobody decided in time. `escalate`: from then on admins decide in the place of those whom the rule asks.",
      }),
    ),
  },
  closed,
);

export const ApprovalRuleBody = Type.Object(
  {
    title: Type.String({ minLength: 1, maxLength: 200, pattern: "\\S", description: "What people call it." }),
    when: ApprovalRuleCondition,
    require: ApprovalRuleDemand,
  },
  closed,
);
export type ApprovalRuleBody = Static<typeof ApprovalRuleBody>;

export const RequiredStage = Type.Object(
  {
    quorum: Count("How many of them have to approve."),
    roles: Type.Array(Type.String(), { description: "Who has one of these roles." }),
    teams: Type.Array(Type.String(), { description: "Who is in one of these teams." }),
    members: Type.Array(Type.String(), { description: "These persons, `mbr_…`." }),
  },
  { description: "Persons of whom so many have to approve. No roles, teams and members: anybody who may decide." },
);
export type RequiredStage = Static<typeof RequiredStage>;

export const ApprovalRequirement = Type.Object({
  kind: Type.Enum(["policy", "rule"] as const),
  id: Type.String({ description: "The policy's id, `pol_…`, or the approval rule's name." }),
  name: Type.String({ description: "What people call it." }),
  version: nullable(Type.Integer(), "Null: not known."),
  stages: Type.Array(RequiredStage, { description: "Of a rule: who has to approve, one after another." }),
});

export const ruleStates = ["active", "retired"] as const;

export const ApprovalRule = Type.Object(
  {
    rule: ApprovalRuleName,
    title: Type.String(),
    version: Type.Integer({ description: "Counts from 1; each change makes another one." }),
    state: Type.Enum(ruleStates, { description: "A `retired` rule asks for nothing." }),
    when: ApprovalRuleCondition,
    require: Type.Object({
      stages: Type.Array(RequiredStage),
      four_eyes: Type.Boolean(),
      expires_in_seconds: nullable(Type.Integer()),
      on_expiry: nullable(Type.Enum(onExpiryWords)),
    }),
    author: Party,
    created_at: Type.String({ format: "date-time", description: "When this version was written." }),
    retired_at: nullable(Time),
    retired_by: nullable(Party),
    versions: Type.Array(
      Type.Object({ version: Type.Integer(), title: Type.String(), author: Party, created_at: Time }),
      { description: "The latest 20, newest first." },
    ),
  },
  { description: "Who must approve what, in one environment." },
);
export type ApprovalRule = Static<typeof ApprovalRule>;

export const TestApprovalRuleBody = Type.Object(
  {
    candidate: Type.Optional(ApprovalRuleBody),
    tasks: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 10_000,
        default: 10_000,
        description:
          "How many of the latest tasks are looked at. Fewer where their inputs or calls are very many; `looked_at` says how many were.",
      }),
    ),
  },
  { ...closed, description: "`candidate`: a text that is not saved. Without it, the rule as it is." },
);
export type TestApprovalRuleBody = Static<typeof TestApprovalRuleBody>;

export const ApprovalRuleTest = Type.Object({
  rule: ApprovalRuleName,
  looked_at: Type.Object({
    tasks: Count("Tasks that were looked at, the latest ones."),
    calls: Count("Of a rule about tools: calls of tools among them."),
    from: nullable(Time, "When the first of them was dispatched; null: there are none."),
  }),
  caught: Count("Tasks, or calls, that the rule would have put before people."),
  asked_anyway: Count("Those of them of which people were asked without it."),
  stages: Type.Array(
    Type.Object({
      ...RequiredStage.properties,
      persons: Count("Persons who could approve in this stage now, whoever asks."),
    }),
    { description: "Who would have had to decide each." },
  ),
  missing: Count(
    "Persons who lack so that it could be met now, as nobody counts in two stages; 0: it can be met, whoever asks.",
  ),
  wait: nullable(
    Type.Object({
      approvals: Count("Decided approvals of the last 180 days that the times rest on."),
      same_kind: Count(
        "Of what was caught: how many have at least five approvals of their own agent, skill and tool behind their time.",
      ),
      typical_seconds: Type.Number({
        description:
          "How long half of what was caught would have waited at least, by the median of its kind, times the stages.",
      }),
      long_seconds: Type.Number({
        description: "The same by the time that nine of ten approvals of the kind took at most.",
      }),
      total_seconds: Type.Number({ description: "All waiting together, of what people were not asked about anyway." }),
    }),
    "How long it would have waited, from what approvals of that kind took. Null: nothing was caught, or nothing was decided yet.",
  ),
  by_agent: Type.Array(
    Type.Object({ agent: Type.String(), caught: Count("Caught."), asked_anyway: Count("Asked anyway.") }),
    { description: "The 20 with the most, by number." },
  ),
  by_day: Type.Array(
    Type.Object({ day: Type.String({ format: "date" }), tasks: Count("Tasks looked at."), caught: Count("Caught.") }),
    { description: "Days in UTC with tasks that were looked at, the latest 90, oldest first." },
  ),
  examples: Type.Array(
    Type.Object({
      task_id: TaskId,
      tool: nullable(Type.String(), "Null: the task as a whole."),
      agent: Type.String(),
      skill: Type.String(),
      risk: Type.Enum(riskLevels),
      asked_anyway: Type.Boolean(),
      created_at: Time,
    }),
    { description: "The latest 20." },
  ),
  duration_ms: Count("How long the test took."),
});
export type ApprovalRuleTest = Static<typeof ApprovalRuleTest>;
