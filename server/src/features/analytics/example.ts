import type { Report, ReportIssue } from "./reports/schemas.ts";
import type { Alert, AlertSummary } from "./schemas.ts";

// Values that fit the schemas, shown in the description.

export const exampleAlertBody = {
  name: "Accepted rate of sales",
  measure: "accepted_rate",
  filters: { agent: ["sales"] },
  window_minutes: 1_440,
  condition: { kind: "below", threshold: 0.85, clear_at: 0.9 },
  for_minutes: 30,
  least_n: 50,
  notify: { members: [] as string[] },
} as const;

export const exampleAlertSummary: AlertSummary = {
  alert_id: "alr_01jd8x0000000000000000000a",
  ...exampleAlertBody,
  filters: { agent: ["sales"] },
  paused: false,
  state: "firing",
  state_since: "2026-11-23T09:30:00.000Z",
  fired: true,
  value: 0.81,
  n: 212,
  looked_at: "2026-11-23T10:00:00.000Z",
  error: null,
  stopped_reason: null,
  revision: 1,
  created_by: "mbr_01jd8x0000000000000000000e",
  created_at: "2026-11-20T08:00:00.000Z",
  link: "/v1/tasks?agent=sales&created_after=2026-11-22T10%3A00%3A00.000Z&created_before=2026-11-23T10%3A00%3A00.000Z",
};

export const exampleAlert: Alert = {
  ...exampleAlertSummary,
  history: [{ at: "2026-11-23T09:30:00.000Z", state: "firing", event: "fired", value: 0.83, n: 208 }],
};

export const exampleReport: Report = {
  report_id: "rpt_01jd8x0000000000000000000r",
  name: "Weekly figures",
  schedule: "0 7 * * 1",
  time_zone: "Europe/Vienna",
  period: "week",
  chapters: ["overview", "costs"],
  format: "html",
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
  from: "2026-11-15T23:00:00.000Z",
  to: "2026-11-22T23:00:00.000Z",
  complete: true,
  media_type: "text/html",
  created_at: "2026-11-23T06:00:01.000Z",
};
