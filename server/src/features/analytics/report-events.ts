import { Type } from "typebox";
import { defineEvent, everyone } from "../../kernel/events.ts";
import { Time } from "../../kernel/schema-words.ts";
import { ReportId } from "./reports-schemas.ts";

export const reportReady = defineEvent({
  type: "analytics.report.ready",
  summary: "A scheduled report was made.",
  readers: everyone,
  schema: Type.Object({
    event: Type.Literal("analytics.report.ready"),
    report_id: ReportId,
    issue_id: Type.String({ description: "`iss_…`" }),
    name: Type.String(),
    from: Type.String({ format: "date-time", description: "Beginning of what it is about." }),
    to: Time,
    complete: Type.Boolean({ description: "False: tasks of that time were still open." }),
    link: Type.String({ description: "Where people read it." }),
  }),
});
