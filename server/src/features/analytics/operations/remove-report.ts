import { Type } from "typebox";
import { defineOperation, exempt, governs } from "../../../kernel/operation.ts";
import { exampleReport } from "../report-example.ts";
import { deleteReport, findReport } from "../report-store.ts";
import { RemovedReport, ReportId } from "../schemas.ts";

export const removeReport = defineOperation({
  id: "analytics.removeReport",
  method: "DELETE",
  path: "/v1/analytics/reports/{report}",
  summary: "Remove a scheduled report",
  description: "It is made no more, and what it said is deleted.",
  params: Type.Object({ report: ReportId }),
  output: RemovedReport,
  example: {
    params: { report: exampleReport.report_id },
    output: { report_id: exampleReport.report_id, removed: true },
  },
  permission: "analytics:write",
  load: (ctx, { report }) => findReport(ctx, report),
  gate: exempt("makes no agent act"),
  decides: exempt("reports are for people"),
  compliance: governs("analytics.change"),
  audit: ({ params }) => `report:${params.report}`,
  async handle(ctx, { loaded }) {
    await deleteReport(ctx, loaded.id);
    return { report_id: loaded.id, removed: true as const };
  },
});
