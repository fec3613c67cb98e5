import { Type } from "typebox";
import type { Row } from "../../../db/scoped.ts";
import { refuse } from "../../../kernel/errors.ts";
import { isId } from "../../../kernel/ids.ts";
import { exempt } from "../../../kernel/operation.ts";
import { storedJson } from "../../../kernel/stored-json.ts";
import { defineResource } from "../../../resources/resource.ts";
import { erasedBy, erasedWith, ownTables, untilRemoved } from "../../../resources/tables.ts";
import { exampleReport } from "../example.ts";
import { mostWatched, tooManyReports } from "../limit.ts";
import { type CreateReportBody, Report, ReportId } from "./schemas.ts";

export const owned = ownTables({
  analytics_reports: {
    keeps: untilRemoved("A report is deleted by people."),
    personal: {
      columns: ["definition", "principal", "actor", "last_error"],
      erased: erasedBy("analytics.removeReport"),
    },
  },
  analytics_issues: {
    keeps: untilRemoved("Deleted with the report, and by its next issue after 400 days."),
    personal: { columns: ["body"], erased: erasedWith("analytics_reports") },
  },
});

export type ReportRow = Omit<Row<"analytics_reports">, "organization" | "environment">;

const reportJson = storedJson<{ definition: CreateReportBody }>();
export const definitionOf = (row: Pick<ReportRow, "definition">): CreateReportBody => reportJson(row, "definition");

const reportView = (row: ReportRow): Report => ({
  report_id: row.id,
  ...definitionOf(row),
  made_as: row.principal,
  next_at: row.next_at?.toISOString() ?? null,
  last_at: row.last_at?.toISOString() ?? null,
  last_error: row.last_error,
  stopped_reason: row.stopped_reason,
  created_at: row.created_at.toISOString(),
});

export const reports = defineResource({
  table: owned.analytics_reports,
  key: "id",
  isKey: (text) => isId(text, "rpt"),
  limit: {
    most: mostWatched,
    lock: "analytics reports",
    refuse: ({ scope: { environment } }) =>
      refuse(
        tooManyReports,
        `There are ${mostWatched} reports in ${environment}, the most it may have; remove one first.`,
      ),
  },
  path: "/v1/analytics/reports",
  member: Type.Object({ report: ReportId }),
  item: Report,
  identity: "report_id",
  example: { params: { report: exampleReport.report_id }, item: exampleReport },
  view: reportView,
  object: "report",
  objects: "reports",
  permission: { read: "analytics:read", change: "analytics:write" },
  governs: { read: "analytics.read", change: "analytics.change" },
  decides: exempt("reports are for people"),
});
