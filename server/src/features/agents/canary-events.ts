import { Type } from "typebox";
import { defineEvent, everyone } from "../../kernel/events.ts";
import { nullable } from "../../kernel/schema-words.ts";
import { AgentName } from "./definition.ts";

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
  summary: "A canary takes no new tasks any more, and its version did not go live.",
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
    evidence: nullable(Type.String(), "The numbers that decided it; null where nothing was measured."),
    by: Type.String({ description: "Who ended it, by id; `system:sweeper`: the service did." }),
  }),
});
