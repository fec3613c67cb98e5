import { Type } from "typebox";
import { defineList } from "../../../../kernel/listing.ts";
import { governs } from "../../../../kernel/operation.ts";
import { exampleIssue, exampleReport } from "../../example.ts";
import { ReportId, ReportIssue } from "../../schemas.ts";
import { reports } from "../resource.ts";
import { issueView, listIssueRows } from "../store.ts";

export const listReportIssues = defineList({
  id: "analytics.listReportIssues",
  path: "/v1/analytics/reports/{report}/issues",
  summary: "List what a scheduled report said",
  description: "Newest first, without the texts.",
  params: Type.Object({ report: ReportId }),
  item: ReportIssue,
  example: { params: { report: exampleReport.report_id }, item: exampleIssue },
  permission: "analytics:read",
  load: (ctx, { report }) => reports.rows.find(ctx, report),
  compliance: governs("analytics.read"),
  audit: ({ params }) => `report:${params.report}`,
  read: (ctx, _filter, page, loaded) => listIssueRows(ctx, loaded.id, page),
  position: ({ id }) => id,
  view: issueView,
});
