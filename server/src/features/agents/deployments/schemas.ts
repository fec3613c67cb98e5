import { type Static, Type } from "typebox";
import { closed, nullable, stoppedMembers, Time } from "../../../kernel/schema-words.ts";
import { ordinal } from "../../../kernel/whole-numbers.ts";
import { AgentName, textOf } from "../definitions/schemas.ts";

export const deploymentModes = ["whole", "canary", "shadow"] as const;
export const DeploymentMode = Type.Enum(deploymentModes, {
  description:
    "`whole`: replaces the live version; `canary`: takes a share of new tasks beside it; `shadow`: repeats tasks with writes withheld.",
});

export const SharePercent = Type.Integer({
  minimum: 1,
  maximum: 100,
  description:
    "Percent of new tasks for the canary, at most 99; for a shadow, percent of the live version's tasks that it repeats.",
});

export const startShare = 10;
/** Defaults of a canary. */
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
    description: "Judged tasks of the canary that its limit allows.",
  }),
  least_hours: Type.Number({
    minimum: 0,
    maximum: 2_000,
    default: ruleDefaults.least_hours,
    description: "Its rule does not promote it earlier.",
  }),
  on_limit: Type.Enum(["hold", "promote", "abort"] as const, {
    default: ruleDefaults.on_limit,
    description: "What happens if it is undecided at that limit; `hold`: it continues until a person decides.",
  }),
};
export const CanaryRule = Type.Object(ruleMembers, { description: "When a canary is promoted or aborted." });
export type CanaryRule = Static<typeof CanaryRule>;

export const CanaryRuleInput = Type.Partial(CanaryRule, {
  ...closed,
  description: "When it is promoted or aborted; omitted members have defaults.",
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
        description: "`promote`: its version goes live; `abort`: it takes no new tasks.",
      }),
    ),
    reason: Type.Optional(Type.String({ minLength: 1, maxLength: 2000, description: "Why; required with `action`." })),
    open_tasks: Type.Optional(
      Type.Enum(["finish", "move"] as const, {
        default: "finish",
        description:
          "With `abort`: whether tasks of the canary finish on it, or queued ones that nobody approved move to the live version, if it takes them.",
      }),
    ),
  },
  { ...closed, description: "A new share, or an action with its reason." },
);

export const MovedTasks = Type.Object(
  {
    moved: Type.Integer({ description: "Queued tasks that run on the live version now." }),
    kept: Type.Integer({ description: "Queued tasks that stay with the version they were given; counted to 10,000." }),
  },
  { description: "What became of tasks that were queued." },
);

export const endedCanary = {
  ended_canary: nullable(Type.String(), "The canary that this ended, `dep_…`; null: none ran."),
};

/** Defaults of a shadow. */
export const shadowDefaults = { cost_usd: 5, tasks: 1_000 } as const;

const members = {
  cost_usd: Type.Number({ minimum: 0, maximum: 1_000_000, description: "US dollars; default 5." }),
  tasks: Type.Integer({ minimum: 1, maximum: 1_000_000, description: "Tasks; default 1,000." }),
};
export const ShadowBudget = Type.Object(members, { description: "What a shadow may use before it ends." });
export type ShadowBudget = Static<typeof ShadowBudget>;

export const ShadowBudgetInput = Type.Partial(Type.Object(members), {
  ...closed,
  description:
    "What a shadow may use before it ends; omitted members have defaults. Budgets of the agent and the environment also apply.",
});

const VersionNumber = ordinal("Versions of an agent are numbered from 1.");
const Reason = textOf(2000, "Why; shown to everybody affected.");

export const DeploymentState = Type.Enum(["live", "canary", "shadow", "replaced", "ended"] as const, {
  description:
    "`live`: takes work; `canary`: takes a share of it; `shadow`: repeats tasks with writes withheld; `replaced`: by another deployment; `ended`: without a successor.",
});
export type DeploymentState = Static<typeof DeploymentState>;

export const DeploymentHealth = Type.Object(
  {
    gate: Type.Enum(["open", "failed", "inconclusive", "expired", "missing"] as const, {
      description: "What the evaluation gate says of the version now.",
    }),
    open_tasks: Type.Integer({ description: "Tasks of this version that have not ended." }),
    completed_24h: Type.Integer({ description: "Tasks of this version, created within 24 hours, that completed." }),
    failed_24h: Type.Integer({ description: "Tasks of this version, created within 24 hours, that failed." }),
  },
  { description: "Tasks of the version; counting stops at 10,000." },
);

export const Deployment = Type.Object(
  {
    deployment_id: Type.String({ description: "`dep_…`" }),
    agent: AgentName,
    environment: Type.Enum(["development", "staging", "production"] as const),
    version: VersionNumber,
    version_id: Type.String({ description: "`ver_…`" }),
    state: DeploymentState,
    mode: DeploymentMode,
    share: Type.Number({
      minimum: 0,
      maximum: 100,
      description:
        "Percent of new tasks that it takes, or as a shadow repeats. The live version takes the rest of a canary's.",
    }),
    rule: nullable(CanaryRule, "When it is promoted or aborted; null where it is no canary."),
    budget: nullable(ShadowBudget, "What it may use; null where it is no shadow."),
    outcome: nullable(DeploymentOutcome, "How a canary or a shadow ended; null: it has not, or it is neither."),
    reason: nullable(Type.String(), "Why a canary or a shadow ended."),
    ...stoppedMembers,
    compared_with: nullable(Type.String(), "The live deployment that it runs beside, `dep_…`; null where it is whole."),
    revision: Type.Integer({ description: "Counts its changes; the ETag is made of it." }),
    kind: Type.Enum(["deploy", "rollback"] as const, { description: "What brought it." }),
    note: Type.String({ description: "Why, in the words of who did it." }),
    gate: nullable(
      Type.Object({ verdict: Type.String(), reasons: Type.Array(Type.String()) }),
      "What the evaluation gate said when it went live; null where it was not asked.",
    ),
    abandoned: Type.Boolean({ description: "This version was rolled back here: later rollbacks skip it." }),
    author: Type.String({ description: "Who deployed it, by id." }),
    created_at: Time,
    ended_at: nullable(Time, "When it stopped taking new work; null while it does."),
    ended_by: nullable(Type.String(), "Who ended it, by id."),
    replaced_by: nullable(Type.String(), "The deployment that took its place, `dep_…`."),
    health: nullable(DeploymentHealth, "While it is live, a canary or a shadow; else null."),
  },
  { description: "A version of an agent in the environment of the key." },
);
export type Deployment = Static<typeof Deployment>;

export const DeployVersionBody = Type.Object(
  {
    version: VersionNumber,
    note: Type.Optional(Type.String({ maxLength: 2000, description: "Why, for people." })),
    mode: Type.Optional(DeploymentMode),
    share: Type.Optional(SharePercent),
    rule: Type.Optional(CanaryRuleInput),
    budget: Type.Optional(ShadowBudgetInput),
  },
  {
    ...closed,
    description:
      "`share` (default 10 for a canary, 100 for a shadow) applies to both, `rule` to a canary, `budget` to a shadow.",
  },
);

export const DeploymentWarning = Type.Object(
  {
    code: Type.Enum(["nobody_could_approve"] as const, {
      description:
        "Every member who may approve here has decided this version or its deployment, so that nobody could approve what it asks people for. Somebody else confirms it, or joins the approvers.",
    }),
    detail: Type.String(),
  },
  { description: "What may differ from the caller's expectations." },
);
export type DeploymentWarning = Static<typeof DeploymentWarning>;

export const Deployed = Type.Object(
  { ...Deployment.properties, ...endedCanary, warnings: Type.Array(DeploymentWarning) },
  { description: "The deployment that was made." },
);

export const ChangedDeployment = Type.Object(
  {
    ...Deployment.properties,
    live: nullable(Type.String(), "With `promote`: the deployment that is live now, `dep_…`; else null."),
    tasks: nullable(MovedTasks, "With `abort`; else null."),
  },
  { description: "The deployment as it is now." },
);

export const RollbackBody = Type.Object(
  {
    reason: Reason,
    to: Type.Optional(
      ordinal("A version that was live here before; default: the last good one, or the live one if a canary runs."),
    ),
    open_tasks: Type.Optional(
      Type.Enum(["finish", "move"] as const, {
        default: "finish",
        description:
          "`finish`: tasks finish on their version. `move`: queued tasks that nobody approved move to the restored version, if it has their skill and takes their input.",
      }),
    ),
  },
  closed,
);

export const RolledBack = Type.Object(
  {
    ...Deployment.properties,
    ...endedCanary,
    tasks: MovedTasks,
  },
  { description: "The version that is live again." },
);
export type RolledBack = Static<typeof RolledBack>;

export const PauseAgentBody = Type.Object(
  {
    reason: Reason,
    mode: Type.Optional(
      Type.Enum(["drain", "cancel"] as const, {
        default: "drain",
        description: "`drain`: open tasks finish; `cancel`: they are cancelled, running ones within two seconds.",
      }),
    ),
  },
  closed,
);

export const ResumeAgentBody = Type.Object(
  { note: Type.Optional(Type.String({ maxLength: 2000, description: "What was fixed, for people." })) },
  closed,
);

export const healthChecks = ["deployment", "gate", "holds", "model", "tools", "knowledge", "budgets"] as const;

export const HealthCheck = Type.Object({
  check: Type.Enum(healthChecks),
  subject: nullable(Type.String(), "The tool, connection, knowledge base or budget it is about; null: the agent."),
  state: Type.Enum(["ok", "warning", "failed"] as const, {
    description:
      "`warning`: tasks run, but wait for people, may fail, or use what is out of date. `failed`: tasks do not run, or a part of the agent does not work.",
  }),
  detail: Type.String(),
  remedy: nullable(Type.String(), "What to do; null where nothing is wrong."),
});
export type HealthCheck = Static<typeof HealthCheck>;

export const AgentHealth = Type.Object(
  {
    agent: AgentName,
    environment: Type.String(),
    version: nullable(Type.Integer(), "The live version; null where none is."),
    ready: Type.Boolean({ description: "Whether a task that is dispatched now runs: no check failed." }),
    state: Type.Enum(["ready", "degraded", "not_ready"] as const, { description: "The worst of its checks." }),
    checks: Type.Array(HealthCheck),
  },
  { description: "Whether an agent can work in the environment of the key, and what to fix." },
);
export type AgentHealth = Static<typeof AgentHealth>;
