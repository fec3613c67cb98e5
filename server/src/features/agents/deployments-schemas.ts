import { type Static, Type } from "typebox";
import { closed, nullable, stoppedMembers, Time } from "../../kernel/schema-words.ts";
import { ordinal } from "../../kernel/whole-numbers.ts";
import {
  CanaryRule,
  CanaryRuleInput,
  DeploymentMode,
  DeploymentOutcome,
  endedCanary,
  MovedTasks,
  SharePercent,
} from "./canary-schemas.ts";
import { AgentName, textOf } from "./definition.ts";
import { ShadowBudget, ShadowBudgetInput } from "./shadow-schemas.ts";

// A part of schemas.ts, which it does not import.

const VersionNumber = ordinal("Versions of an agent are numbered from 1.");
const Reason = textOf(2000, "Why; kept, and shown to whoever meets it.");

export const DeploymentState = Type.Enum(["live", "canary", "shadow", "replaced", "ended"] as const, {
  description:
    "`live`: takes work; `canary`: takes a share of it; `shadow`: runs beside it with effects withheld; `replaced`: another took its place; `ended`: none did.",
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
  { description: "How the version does; counts end at 10,000." },
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
        "Percent of new tasks that go to it; of a shadow, that it runs beside. The live one has what a canary leaves.",
    }),
    rule: nullable(CanaryRule, "When it is promoted or aborted; null where it is no canary."),
    budget: nullable(ShadowBudget, "What it may use; null where it is no shadow."),
    outcome: nullable(DeploymentOutcome, "How a canary or a shadow ended; null: it has not, or it is neither."),
    reason: nullable(Type.String(), "Why a canary or a shadow ended."),
    ...stoppedMembers,
    compared_with: nullable(Type.String(), "The live deployment that it runs beside, `dep_…`; null where it is whole."),
    revision: Type.Integer({ description: "Counts the changes of it; ETags are made of it." }),
    kind: Type.Enum(["deploy", "rollback"] as const, { description: "What brought it." }),
    note: Type.String({ description: "Why, in the words of who did it." }),
    gate: nullable(
      Type.Object({ verdict: Type.String(), reasons: Type.Array(Type.String()) }),
      "What the evaluation gate said when it went live; null where it was not asked.",
    ),
    abandoned: Type.Boolean({ description: "A rollback left this version here: later rollbacks pass it over." }),
    author: Type.String({ description: "Who deployed it, by id." }),
    created_at: Time,
    ended_at: nullable(Time, "Since when it takes no new work; null while it does."),
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
      "`share` (10 for a canary and 100 for a shadow where it is left out) is of these two, `rule` of a canary, `budget` of a shadow.",
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
  { description: "What works otherwise than whoever deploys may expect." },
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
      ordinal(
        "A version that was live here before; the last good one where this is left out, or the live one if a canary runs.",
      ),
    ),
    open_tasks: Type.Optional(
      Type.Enum(["finish", "move"] as const, {
        default: "finish",
        description:
          "`finish`: tasks end on the version they were given. `move`: queued tasks that nobody approved go to the restored version, where it has their skill and takes their input.",
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
  { note: Type.Optional(Type.String({ maxLength: 2000, description: "What was mended, for people." })) },
  closed,
);
