import { defineList } from "../../../kernel/listing.ts";
import { limitedTo } from "../../../kernel/narrowing.ts";
import { governs } from "../../../kernel/operation.ts";
import { exampleReport } from "../report-example.ts";
import { listReportRows } from "../report-store.ts";
import { reportView } from "../report-view.ts";
import { Report } from "../schemas.ts";

export const listReports = defineList({
  id: "analytics.listReports",
  path: "/v1/analytics/reports",
  summary: "List scheduled reports",
  description: "Newest first, each with when it was made last and when it is made next.",
  item: Report,
  example: { item: exampleReport },
  permission: "analytics:read",
  narrowing: limitedTo("lists reports that tell of the key's agents only"),
  compliance: governs("analytics.read"),
  audit: "reports",
  read: (ctx, _filter, page) => listReportRows(ctx, page),
  position: ({ id }) => id,
  view: reportView,
});
