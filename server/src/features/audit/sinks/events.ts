import { Type } from "typebox";
import { defineEvent, whoHolds } from "../../../kernel/events.ts";
import { Count, Time } from "../../../kernel/schema-words.ts";
import { SinkId } from "./schemas.ts";
import { SinkKindName } from "./target-schemas.ts";

export const sinkFailing = defineEvent({
  type: "audit.sink_failing",
  readers: whoHolds("audit:read"),
  summary: "An audit sink has not been acknowledged anything for some minutes. It goes on trying, and misses nothing.",
  schema: Type.Object({
    event: Type.Literal("audit.sink_failing"),
    sink_id: SinkId,
    kind: SinkKindName,
    failing_since: Time,
    error: Type.String({ description: "The code of the last error, such as `connect_failed`." }),
    position: Count("The first place of the log that was not acknowledged."),
  }),
});
