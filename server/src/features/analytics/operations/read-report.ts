import { Type } from "typebox";
import { defineRead, governs } from "../../../kernel/operation.ts";
import { exampleReport } from "../report-example.ts";
import { findReport } from "../report-store.ts";
import { reportView } from "../report-view.ts";
import { Report, ReportId } from "../schemas.ts";

export const readReport = defineRead({
  id: "analytics.readReport",
  path: "/v1/analytics/reports/{report}",
  summary: "Read a scheduled report",
  params: Type.Object({ report: ReportId }),
  output: Report,
  example: { params: { report: exampleReport.report_id }, output: exampleReport },
  permission: "analytics:read",
  load: (ctx, { report }) => findReport(ctx, report),
  compliance: governs("analytics.read"),
  audit: ({ params }) => `report:${params.report}`,
  handle: async (_ctx, { loaded }) => reportView(loaded),
});
