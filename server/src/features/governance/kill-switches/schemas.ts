import { type Static, Type } from "typebox";
import { byKind } from "../../../kernel/by-kind.ts";
import { closed, nullable, Time } from "../../../kernel/schema-words.ts";

export const KillSwitchId = Type.String({ description: "The kill switch's id, `ksw_…`." });
export const KillSwitchKind = Type.Enum(
  ["all", "environment", "agent", "version", "skill", "tool", "model", "workflow"] as const,
  {
    description:
      "What it stops. `all`: every environment; the others act in the environment of the key. `workflow`: the steps of its runs.",
  },
);
export const KillSwitchMode = Type.Enum(["pause", "drain", "stop"] as const, {
  description:
    "`stop`: running work is aborted, queued work is blocked, none is accepted. `drain`: none is accepted, what there is goes on. " +
    "`pause`: work is accepted and waits, running work is given back before its next action.",
});
export const KillSwitchTarget = Type.String({
  minLength: 1,
  maxLength: 200,
  description:
    "By kind: an agent, a version's id, `<agent>.<skill>`, a tool, a model or a workflow by name. None for `all` and `environment`.",
});
const Reason = (of: string) => Type.String({ minLength: 1, maxLength: 2000, description: of });

const Critical = Type.Optional(Type.Boolean({ description: "Whether loosening or releasing it takes two persons." }));
const common = { mode: Type.Optional(KillSwitchMode), reason: Reason("Why; shown to whoever is refused.") };
const target = (pattern: string, description: string) =>
  Type.String({ minLength: 1, maxLength: 200, pattern, description });
/** A kill switch for everything; it always takes two persons to release. */
export const EngageEverythingKillSwitch = Type.Object(
  { kind: Type.Enum(["all", "environment"] as const), ...common, critical: Type.Optional(Type.Literal(true)) },
  closed,
);
export const EngageAgentKillSwitch = Type.Object(
  { kind: Type.Literal("agent"), target: target("^[a-z0-9_-]+$", "The agent's name."), ...common, critical: Critical },
  closed,
);
export const EngageVersionKillSwitch = Type.Object(
  {
    kind: Type.Literal("version"),
    target: target("^ver_", "The version's id, `ver_…`."),
    ...common,
    critical: Critical,
  },
  closed,
);
export const EngageSkillKillSwitch = Type.Object(
  {
    kind: Type.Literal("skill"),
    target: target("^[^.]+[.][^.]+$", "`<agent>.<skill>`."),
    ...common,
    critical: Critical,
  },
  closed,
);
export const EngageCallKillSwitch = Type.Object(
  {
    kind: Type.Enum(["tool", "model"] as const),
    target: target("^.+$", "The name of the tool or model."),
    ...common,
    mode: Type.Optional(
      Type.Enum(["pause", "stop"] as const, { default: "stop", description: "How it stops; default `stop`." }),
    ),
    critical: Critical,
    allow_unknown: Type.Optional(Type.Boolean({ description: "Accepts a name that no agent uses yet." })),
  },
  closed,
);
export const EngageWorkflowKillSwitch = Type.Object(
  {
    kind: Type.Literal("workflow"),
    target: target("^[a-z][a-z0-9_-]*$", "The workflow's name."),
    ...common,
    critical: Critical,
  },
  closed,
);
const killSwitchesByKind = {
  all: "EngageEverythingKillSwitch",
  environment: "EngageEverythingKillSwitch",
  agent: "EngageAgentKillSwitch",
  version: "EngageVersionKillSwitch",
  skill: "EngageSkillKillSwitch",
  tool: "EngageCallKillSwitch",
  model: "EngageCallKillSwitch",
  workflow: "EngageWorkflowKillSwitch",
};

export const EngageKillSwitchBody = Type.Object(
  {
    kind: KillSwitchKind,
    target: Type.Optional(KillSwitchTarget),
    mode: Type.Optional(
      Type.Enum(["pause", "drain", "stop"] as const, {
        default: "stop",
        description: "How it stops; default `stop`.",
      }),
    ),
    reason: Reason("Why; shown to whoever is refused."),
    critical: Type.Optional(
      Type.Boolean({
        description: "Whether loosening or releasing it takes two persons. Of `all` and `environment` it always does.",
      }),
    ),
    allow_unknown: Type.Optional(
      Type.Boolean({
        description:
          "Accepts a tool or model that no agent uses yet, so that it is stopped before its first use. Otherwise such a name is refused.",
      }),
    ),
  },
  {
    additionalProperties: false,
    ...byKind("kind", killSwitchesByKind, [
      EngageEverythingKillSwitch,
      EngageAgentKillSwitch,
      EngageVersionKillSwitch,
      EngageSkillKillSwitch,
      EngageCallKillSwitch,
      EngageWorkflowKillSwitch,
    ]),
  },
);
export type EngageKillSwitchBody = Static<typeof EngageKillSwitchBody>;

export const ReleaseTo = Type.Enum(["pause", "released"] as const, {
  default: "released",
  description:
    "`released`: it ends. `pause`: it is loosened to the mode `pause`, as a first stage. Default `released`.",
});
export const ReleaseKillSwitchBody = Type.Object(
  { reason: Reason("Why it is loosened or released."), to: Type.Optional(ReleaseTo) },
  closed,
);
export type ReleaseKillSwitchBody = Static<typeof ReleaseKillSwitchBody>;

export const KillSwitchState = Type.Enum(["engaged", "release_requested", "released"] as const, {
  description: "`release_requested`: one of two persons has asked to loosen or release it; it acts unchanged.",
});

export const KillSwitch = Type.Object({
  kill_switch_id: KillSwitchId,
  environment: Type.String({ description: "Where it was engaged and is released." }),
  kind: KillSwitchKind,
  target: nullable(KillSwitchTarget),
  mode: KillSwitchMode,
  critical: Type.Boolean({ description: "Whether loosening or releasing it takes two persons." }),
  state: KillSwitchState,
  reason: Type.String(),
  engaged_by: Type.String(),
  engaged_at: Time,
  release_requested: nullable(
    Type.Object(
      {
        by: Type.String(),
        at: Time,
        to: Type.Enum(["pause", "released"] as const),
        reason: Type.String(),
        expires_at: Time,
      },
      { description: "The word of the first of two persons, while it stands." },
    ),
  ),
  release_requires: nullable(
    Type.String({
      description:
        "What has to be set up before it can be released: two persons release it who signed in personally, and nobody can here. Null: nothing.",
    }),
  ),
  release_reason: nullable(Type.String({ description: "Why it was released." })),
  released_by: nullable(Type.String()),
  released_at: nullable(Time),
  tasks_ended: Type.Integer({ description: "Tasks that it ended: running ones are cancelled, others blocked." }),
  time_to_stop_ms: nullable(
    Type.Integer({
      description:
        "From its engagement to the end of the last running task that it ended, in milliseconds; null where it ended none.",
    }),
  ),
});
export type KillSwitch = Static<typeof KillSwitch>;
