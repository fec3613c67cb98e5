import { Type } from "typebox";
import { defineEvent, everyone } from "../../kernel/events.ts";
import { AgentName } from "../agents/schemas.ts";

export const scheduleFailed = defineEvent({
  type: "schedule.failed",
  summary: "A schedule of an agent dispatched no task for a time, and gave up on it.",
  readers: everyone,
  schema: Type.Object({
    event: Type.Literal("schedule.failed"),
    agent: AgentName,
    schedule_id: Type.String(),
    task: Type.String({ description: "The skill." }),
    at: Type.String({ format: "date-time", description: "The time for which a task was due." }),
    code: Type.String({ description: "For programs, as in problems." }),
    detail: Type.String(),
  }),
});
