import { type Static, Type } from "typebox";
import { closed, nullable } from "../../kernel/schema-words.ts";

// A part of schemas.ts, which it does not import.

export const deploymentModes = ["whole", "canary", "shadow"] as const;
export const DeploymentMode = Type.Enum(deploymentModes, {
  description:
    "`whole`: takes the place of the live version; `canary`: takes a share of new tasks beside it; `shadow`: runs beside it with effects withheld.",
});
export type DeploymentMode = Static<typeof DeploymentMode>;

export const SharePercent = Type.Integer({
  minimum: 1,
  maximum: 100,
  description:
    "Percent of new tasks that go to the canary, at most 99; of a shadow, percent of the live version's tasks that it carries out too.",
});

/** Percent of a canary whose caller says nothing else. */
export const startShare = 10;
/** Of a canary whose caller says nothing else. */
export const ruleDefaults = {
  promote: "by_rule",
  tolerance: 0.05,
  most_judged: 1_000,
  least_hours: 0,
  on_limit: "hold",
} as const;

const ruleMembers = {
  promote: Type.Enum(["by_rule", "by_hand"] as const, {
    default: ruleDefaults.promote,
    description:
      "Who promotes a canary that is no worse: the service, or a person. A worse one is aborted by the service.",
  }),
  tolerance: Type.Number({
    minimum: 0.01,
    maximum: 0.5,
    default: ruleDefaults.tolerance,
    description: "A drop of the accepted share, or rise of the failed share, that still counts as no worse.",
  }),
  most_judged: Type.Integer({
    minimum: 50,
    maximum: 100_000,
    default: ruleDefaults.most_judged,
    description: "Judged tasks of the canary at which it has to be decided.",
  }),
  least_hours: Type.Number({
    minimum: 0,
    maximum: 2_000,
    default: ruleDefaults.least_hours,
    description: "It is not promoted by rule before it has run so long.",
  }),
  on_limit: Type.Enum(["hold", "promote", "abort"] as const, {
    default: ruleDefaults.on_limit,
    description: "What happens where so many judged tasks do not decide it; `hold`: it goes on until a person decides.",
  }),
};
export const CanaryRule = Type.Object(ruleMembers, { description: "When a canary is promoted or aborted." });
export type CanaryRule = Static<typeof CanaryRule>;

export const CanaryRuleInput = Type.Partial(CanaryRule, {
  ...closed,
  description: "When it is promoted or aborted; what is left out has its default.",
});

export const DeploymentOutcome = Type.Enum(["promoted", "aborted", "ended"] as const, {
  description:
    "`promoted`: its version went live; `aborted`: it was worse, or somebody stopped it; `ended`: another deployment, a rollback or archiving ended it.",
});
export type DeploymentOutcome = Static<typeof DeploymentOutcome>;

export const ChangeDeploymentBody = Type.Object(
  {
    share: Type.Optional(SharePercent),
    action: Type.Optional(
      Type.Enum(["promote", "abort"] as const, {
        description: "`promote`: its version goes live; `abort`: it takes no new tasks any more.",
      }),
    ),
    reason: Type.Optional(
      Type.String({ minLength: 1, maxLength: 2000, description: "Why; needed with `action`, kept and shown." }),
    ),
    open_tasks: Type.Optional(
      Type.Enum(["finish", "move"] as const, {
        default: "finish",
        description:
          "With `abort`: whether tasks of the canary end on their version, or queued ones that nobody approved go to the live version, where it takes them.",
      }),
    ),
  },
  { ...closed, description: "A new share, or an action with its reason." },
);
export type ChangeDeploymentBody = Static<typeof ChangeDeploymentBody>;

export const MovedTasks = Type.Object(
  {
    moved: Type.Integer({ description: "Queued tasks that run on the live version now." }),
    kept: Type.Integer({ description: "Queued tasks that stay with the version they were given; counted to 10,000." }),
  },
  { description: "What became of tasks that were queued." },
);

/** The member of answers by which a canary ended. */
export const endedCanary = {
  ended_canary: nullable(Type.String(), "The canary that this ended, `dep_…`; null: none ran."),
};
