import { Type } from "typebox";
import { defineEvent, everyone } from "../../kernel/events.ts";
import { nullable } from "../../kernel/schema-words.ts";
import { AgentName } from "./definition.ts";

export const deploymentChanged = defineEvent({
  type: "deployment.changed",
  summary: "Another version of an agent is live in the environment, or none any more.",
  readers: everyone,
  schema: Type.Object({
    event: Type.Literal("deployment.changed"),
    agent: AgentName,
    deployment_id: Type.String({ description: "The deployment that went live, or that ended." }),
    version: nullable(Type.Integer(), "The version that is live now; null: none."),
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
    note: Type.String({ description: "What was mended." }),
    by: Type.String({ description: "Who resumed it, by id." }),
  }),
});
