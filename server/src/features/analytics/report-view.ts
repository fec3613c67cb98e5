import type { IssueRow, ReportRow } from "./report-store.ts";
import type { CreateReportBody, Report, ReportIssue } from "./reports-schemas.ts";

export const definitionOf = ({ definition }: Pick<ReportRow, "definition">): CreateReportBody =>
  JSON.parse(definition) as CreateReportBody;

export const reportView = (row: ReportRow): Report => ({
  report_id: row.id,
  ...definitionOf(row),
  made_as: row.principal,
  next_at: row.next_at?.toISOString() ?? null,
  last_at: row.last_at?.toISOString() ?? null,
  last_error: row.last_error,
  stopped_reason: row.stopped_reason,
  created_at: row.created_at.toISOString(),
});

export const issueView = (row: IssueRow): ReportIssue => ({
  issue_id: row.id,
  report_id: row.report,
  occasion: row.occasion.toISOString(),
  from: row.starts.toISOString(),
  to: row.ends.toISOString(),
  complete: row.complete,
  media_type: row.media_type,
  created_at: row.created_at.toISOString(),
});
