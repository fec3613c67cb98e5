import { Type } from "typebox";
import { defineEvent } from "../../kernel/events.ts";

export const logStoppedEvent = defineEvent({
  type: "audit.log_stopped",
  summary: "The audit log is no longer signed: what the database holds of it is not what the service signed.",
  schema: Type.Object({
    event: Type.Literal("audit.log_stopped"),
    reason: Type.String({ description: "Why, as a code: `record_forged`, `head_went_back` and others." }),
    detail: Type.String({ description: "The same in words." }),
  }),
});
