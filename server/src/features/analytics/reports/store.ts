import { all, first, insert, newestFirst, type Row, remove, select } from "../../../db/scoped.ts";
import type { ReadContext, WriteContext } from "../../../kernel/context.ts";
import type { QueryContext } from "../../../kernel/db.ts";
import { isId } from "../../../kernel/ids.ts";
import type { PageRequest } from "../../../kernel/listing.ts";
import type { Statements } from "../../../kernel/machines.ts";
import type { Scope } from "../../../kernel/principal.ts";
import type { ReportRow } from "./resource.ts";
import type { ReportIssue } from "./schemas.ts";

export type IssueRow = Omit<Row<"analytics_issues">, "organization" | "environment" | "body">;

export const listDueReports = (db: Statements, now: number, most: number): Promise<(ReportRow & Scope)[]> =>
  db.query(
    `select organization, environment, id, definition, principal, agents, next_at, last_at, last_error, created_at, actor
     from analytics_reports where next_at <= $1 order by next_at limit $2`,
    [new Date(now), most],
  );

/** Issues are kept for so long (days). */
const keptDays = 400;

export async function insertIssue(ctx: WriteContext, issue: IssueRow & { readonly body: string }): Promise<void> {
  await all(ctx, insert(ctx, "analytics_issues", issue));
  const old = remove(ctx, "analytics_issues").where("report", "=", issue.report);
  await all(ctx, old.where("created_at", "<", new Date(ctx.now - keptDays * 86_400_000)));
}

const issueColumns = [
  ...(["i.id", "i.report", "i.occasion", "i.starts", "i.ends"] as const),
  ...(["i.complete", "i.media_type", "i.created_at"] as const),
];

export function listIssueRows(ctx: ReadContext, report: string, page: PageRequest): Promise<IssueRow[]> {
  const issues = select(ctx, "analytics_issues", "i").select(issueColumns).where("i.report", "=", report);
  return all(ctx, newestFirst(issues, "i.id", page));
}

export const findIssue = async (
  ctx: QueryContext,
  report: string,
  id: string,
): Promise<(IssueRow & { body: string }) | undefined> =>
  isId(id, "iss")
    ? first(
        ctx,
        select(ctx, "analytics_issues", "i")
          .select([...issueColumns, "i.body"])
          .where("i.report", "=", report)
          .where("i.id", "=", id),
      )
    : undefined;

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
