import { Type } from "typebox";
import { defineEvent, everyone } from "../../kernel/events.ts";
import { AgentName } from "./definition.ts";

export const shadowEnded = defineEvent({
  type: "deployment.shadow_ended",
  summary: "A version that ran in shadow carries out no further tasks.",
  readers: everyone,
  schema: Type.Object({
    event: Type.Literal("deployment.shadow_ended"),
    agent: AgentName,
    deployment_id: Type.String(),
    version: Type.Integer({ description: "The version in shadow." }),
    reason: Type.String({ description: "Such as that its budget is used up." }),
    by: Type.String({ description: "Who ended it, by id; `system:worker`: the service did." }),
  }),
});
