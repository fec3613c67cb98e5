import { type Static, Type } from "typebox";
import { closed, nullable, stoppedMembers, Time } from "../../../kernel/schema-words.ts";
import { TimeZone } from "../figures/window-schemas.ts";
import { chapterNames } from "./chapters.ts";

// A part of schemas.ts, which it does not import.

export const ReportId = Type.String({ description: "The report's id, `rpt_…`." });
export const reportPeriods = ["day", "week", "month"] as const;
export const reportFormats = ["markdown", "html", "csv"] as const;

const members = {
  name: Type.String({ minLength: 1, maxLength: 120, description: "For people." }),
  schedule: Type.String({ maxLength: 100, description: "When it is made: five fields, such as `0 7 * * 1`." }),
  time_zone: Type.Optional(TimeZone),
  period: Type.Enum(reportPeriods, {
    description: "What it is about: the last whole day, week (from Monday) or month of its time zone.",
  }),
  chapters: Type.Optional(
    Type.Array(Type.Enum(chapterNames), {
      minItems: 1,
      uniqueItems: true,
      description: "In this order; default `overview`, `costs`, `quality`.",
    }),
  ),
  agent: Type.Optional(Type.String({ description: "Only this agent." })),
  label: Type.Optional(
    Type.String({ description: "Only tasks with this declared label, `<name>:<value>`.", pattern: "^[^:]+:.+$" }),
  ),
  format: Type.Optional(Type.Enum(reportFormats, { description: "Default `markdown`." })),
  recipients: Type.Optional(
    Type.Array(Type.String({ pattern: "^mbr_[0-9a-z]{26}$" }), {
      maxItems: 20,
      uniqueItems: true,
      description: "Members who get it by e-mail, where the installation has a mail server and they have an address.",
    }),
  ),
};

export const CreateReportBody = Type.Object(members, closed);
export type CreateReportBody = Static<typeof CreateReportBody>;

export const Report = Type.Object(
  {
    report_id: ReportId,
    ...members,
    made_as: Type.String({ description: "By whose permissions it is made, by id." }),
    next_at: nullable(Time, "When it is made next; null: never again."),
    last_at: nullable(Time, "The time for which it was made last."),
    last_error: nullable(Type.String(), "Why nothing was made the last time."),
    ...stoppedMembers,
    created_at: Time,
  },
  { description: "A report that is made by a schedule." },
);
export type Report = Static<typeof Report>;

export const ReportIssue = Type.Object(
  {
    issue_id: Type.String({ description: "`iss_…`" }),
    report_id: ReportId,
    occasion: Type.String({ format: "date-time", description: "The time of the schedule that it was made for." }),
    from: Time,
    to: Time,
    complete: Type.Boolean({ description: "False: tasks of its period were still open." }),
    media_type: Type.String(),
    created_at: Time,
  },
  { description: "What a report said at one time." },
);
export type ReportIssue = Static<typeof ReportIssue>;

export const ReportIssueText = Type.Object(
  { ...ReportIssue.properties, text: Type.String({ description: "In the report's format." }) },
  { description: "What a report said at one time, with its text." },
);

export const RemovedReport = Type.Object({ report_id: ReportId, removed: Type.Literal(true) });
