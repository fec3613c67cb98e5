import { Type } from "typebox";
import { defineEvent, everyone } from "../../../kernel/events.ts";
import { nullable } from "../../../kernel/schema-words.ts";
import { AgentName } from "../definitions/schemas.ts";

export const deploymentChanged = defineEvent({
  type: "deployment.changed",
  summary: "The live version of an agent in the environment changed or ended.",
  readers: everyone,
  schema: Type.Object({
    event: Type.Literal("deployment.changed"),
    agent: AgentName,
    deployment_id: Type.String({ description: "The deployment that went live, or that ended." }),
    version: nullable(Type.Integer(), "The live version; null if none."),
    previous_version: nullable(Type.Integer(), "The version that was live before; null: none."),
    kind: Type.Enum(["deploy", "promote", "rollback", "end"] as const, { description: "What happened." }),
    by: Type.String({ description: "Who did it, by id." }),
  }),
});

export const agentPaused = defineEvent({
  type: "agent.paused",
  summary: "An agent takes no work in the environment.",
  readers: everyone,
  schema: Type.Object({
    event: Type.Literal("agent.paused"),
    agent: AgentName,
    mode: Type.Enum(["drain", "cancel"] as const, { description: "Whether open tasks finish or are cancelled." }),
    reason: Type.String(),
    by: Type.String({ description: "Who paused it, by id." }),
  }),
});

export const agentResumed = defineEvent({
  type: "agent.resumed",
  summary: "An agent takes work again in the environment.",
  readers: everyone,
  schema: Type.Object({
    event: Type.Literal("agent.resumed"),
    agent: AgentName,
    note: Type.String({ description: "What was fixed." }),
    by: Type.String({ description: "Who resumed it, by id." }),
  }),
});

export const shadowEnded = defineEvent({
  type: "deployment.shadow_ended",
  summary: "A version that ran in shadow carries out no further tasks.",
  readers: everyone,
  schema: Type.Object({
    event: Type.Literal("deployment.shadow_ended"),
    agent: AgentName,
    deployment_id: Type.String(),
    version: Type.Integer({ description: "The version in shadow." }),
    reason: Type.String({ description: "For example, that its budget is used up." }),
    by: Type.String({ description: "Who ended it, by id; `system:worker`: the service did." }),
  }),
});

export const deploymentStarted = defineEvent({
  type: "deployment.started",
  summary: "A version of an agent runs beside the live one in the environment, as a canary or a shadow.",
  readers: everyone,
  schema: Type.Object({
    event: Type.Literal("deployment.started"),
    agent: AgentName,
    deployment_id: Type.String(),
    mode: Type.Enum(["canary", "shadow"] as const),
    version: Type.Integer(),
    live_version: Type.Integer({ description: "The version that it runs beside." }),
    share: Type.Integer({ description: "Percent of new tasks." }),
    by: Type.String({ description: "Who started it, by id." }),
  }),
});

export const deploymentAborted = defineEvent({
  type: "deployment.aborted",
  summary: "A canary ended without its version going live.",
  readers: everyone,
  schema: Type.Object({
    event: Type.Literal("deployment.aborted"),
    agent: AgentName,
    deployment_id: Type.String(),
    version: Type.Integer({ description: "The canary's version." }),
    cause: Type.Enum(["worse", "limit", "gate", "by_hand", "deployment", "rollback", "archived"] as const, {
      description:
        "`worse`: its judged tasks show it; `limit`: not decided within its rule's limit; `gate`: its evaluation gate refuses it; `by_hand`; or what it ran beside was replaced or ended.",
    }),
    reason: Type.String(),
    evidence: nullable(Type.String(), "The numbers that decided it; null if nothing was measured."),
    by: Type.String({ description: "Who ended it, by id; `system:sweeper`: the service did." }),
  }),
});
