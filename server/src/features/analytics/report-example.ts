import type { Report, ReportIssue } from "./reports-schemas.ts";

export const exampleReport: Report = {
  report_id: "rpt_01jd8x0000000000000000000r",
  ...{ name: "Weekly figures", schedule: "0 7 * * 1", time_zone: "Europe/Vienna", period: "week" },
  ...{ chapters: ["overview", "costs"], format: "html" },
  made_as: "mbr_01jd8x0q3v7w9y2z4a6b8c0d1e",
  next_at: "2026-11-30T06:00:00.000Z",
  last_at: "2026-11-23T06:00:00.000Z",
  last_error: null,
  stopped_reason: null,
  created_at: "2026-11-01T09:00:00.000Z",
};

export const exampleIssue: ReportIssue = {
  issue_id: "iss_01jd8x0000000000000000000s",
  report_id: exampleReport.report_id,
  occasion: "2026-11-23T06:00:00.000Z",
  ...{ from: "2026-11-15T23:00:00.000Z", to: "2026-11-22T23:00:00.000Z", complete: true },
  media_type: "text/html",
  created_at: "2026-11-23T06:00:01.000Z",
};
