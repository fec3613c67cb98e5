import { all, first, insert, newestFirst, type Row, remove, select, sql, update } from "../../db/scoped.ts";
import { type Actor, actorOfCall, storable } from "../../kernel/actor.ts";
import type { ReadContext, WriteContext } from "../../kernel/context.ts";
import { isId } from "../../kernel/ids.ts";
import type { PageRequest } from "../../kernel/listing.ts";
import type { Statements } from "../../kernel/machines.ts";
import type { Scope } from "../../kernel/principal.ts";

interface Here {
  readonly scope: Scope;
  readonly db: Statements;
}

export type ReportRow = Omit<Row<"analytics_reports">, "organization" | "environment">;
export type IssueRow = Omit<Row<"analytics_issues">, "organization" | "environment" | "body">;

const reports = (ctx: Here) =>
  select(ctx, "analytics_reports", "r")
    .select(["r.id", "r.definition", "r.principal", "r.agents", "r.next_at", "r.last_at", "r.last_error"])
    .select(["r.created_at", "r.actor", "r.stopped_reason", "r.stopped_at"]);

export const findReport = async (ctx: Here, id: string): Promise<ReportRow | undefined> =>
  isId(id, "rpt") ? first(ctx, reports(ctx).where("r.id", "=", id)) : undefined;

/** The report, locked until the transaction ends; undefined: it was removed. */
export const lockReport = (ctx: WriteContext, id: string): Promise<ReportRow | undefined> =>
  first(ctx, reports(ctx).where("r.id", "=", id).forUpdate());

/** A page of reports, newest first. A key that is narrowed to agents sees those that tell of no others. */
export function listReportRows(ctx: ReadContext, page: PageRequest): Promise<ReportRow[]> {
  const { agents } = ctx.principal;
  const seen = reports(ctx).$if(agents !== null, (q) => q.where("r.agents", "<@", sql<string[]>`${agents}::text[]`));
  return all(ctx, newestFirst(seen, "r.id", page));
}

export async function insertReport(
  ctx: WriteContext,
  report: Pick<ReportRow, "id" | "definition" | "agents" | "next_at">,
): Promise<void> {
  const actor = actorOfCall(ctx);
  const made = { principal: actor.owner, actor: storable(actor), created_at: new Date(ctx.now) };
  await all(ctx, insert(ctx, "analytics_reports", { ...report, ...made }));
}

export async function deleteReport(ctx: WriteContext, id: string): Promise<void> {
  await all(ctx, remove(ctx, "analytics_reports").where("id", "=", id));
}

/** Reports whose time has come, those that wait longest first. */
export const listDueReports = (db: Statements, now: number, most: number): Promise<(ReportRow & Scope)[]> =>
  db.query(
    `select organization, environment, id, definition, principal, agents, next_at, last_at, last_error, created_at, actor
     from analytics_reports where next_at <= $1 order by next_at limit $2`,
    [new Date(now), most],
  );

/** Ends the times of a report until somebody takes it over. */
export async function stopReport(
  ctx: WriteContext,
  id: string,
  stopped: { readonly stopped_reason: string; readonly stopped_at: Date },
): Promise<void> {
  await all(
    ctx,
    update(ctx, "analytics_reports")
      .set({ ...stopped, next_at: null })
      .where("id", "=", id),
  );
}

/** Gives a report another owner, by whose permissions it is made from now on. */
export async function giveReport(ctx: WriteContext, id: string, actor: Actor, next_at: Date | null): Promise<void> {
  const acts = { principal: actor.owner, actor: storable(actor), stopped_reason: null, stopped_at: null, next_at };
  await all(ctx, update(ctx, "analytics_reports").set(acts).where("id", "=", id));
}

/** Notes that a report's time has come and gone. */
export async function passTime(
  ctx: WriteContext,
  id: string,
  passed: { readonly next_at: Date | null; readonly last_at?: Date; readonly last_error: string | null },
): Promise<void> {
  await all(ctx, update(ctx, "analytics_reports").set(passed).where("id", "=", id));
}

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

/** An issue with its text. */
export const findIssue = async (
  ctx: Here,
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
