import { Type } from "typebox";
import { timestamp } from "../../../../kernel/clock.ts";
import type { WriteContext } from "../../../../kernel/context.ts";
import { defineEvent, everyone } from "../../../../kernel/events.ts";
import { defineInside, exempt, type InsideOperation } from "../../../../kernel/operation.ts";
import { nextTime } from "../../../../kernel/schedule.ts";
import { Time } from "../../../../kernel/schema-words.ts";
import { automationStopped, stop, whyStopped } from "../../../admin/public.ts";
import { reportObject } from "../../output-kinds.ts";
import { mailReport } from "../mail.ts";
import type { MadeReport } from "../make.ts";
import { definitionOf, type ReportRow, reports } from "../resource.ts";
import { ReportId } from "../schemas.ts";
import { insertIssue } from "../store.ts";

interface Issuing {
  readonly report: string;
  readonly at: number;
  readonly made: MadeReport | { readonly failure: string };
}

export const reportReady = defineEvent({
  type: "analytics.report.ready",
  summary: "A scheduled report was made.",
  readers: everyone,
  schema: Type.Object({
    event: Type.Literal("analytics.report.ready"),
    report_id: ReportId,
    issue_id: Type.String({ description: "`iss_…`" }),
    name: Type.String(),
    from: Type.String({ format: "date-time", description: "Beginning of what it is about." }),
    to: Time,
    complete: Type.Boolean({ description: "False: tasks of that time were still open." }),
    link: Type.String({ description: "Where people read it." }),
  }),
});

/** Keeps what a report says at one time, and tells. Each time once, whichever process made it. */
export const issueReport: InsideOperation<Issuing, { readonly issue: string | null }> = defineInside({
  id: "analytics.issueReport",
  summary: "Keep and send a report that was made",
  permission: exempt("the sweeper of the service itself, for the report's author, whose permissions are looked at"),
  load: exempt("looks the report up under its lock"),
  gate: exempt("makes no agent act"),
  compliance: exempt("carries out what people asked for"),
  audit: ({ params }: { params: Issuing }) => `report:${params.report}`,
  emits: [reportReady, automationStopped],
  async handle(ctx: WriteContext, { params: { report: id, at, made } }: { params: Issuing }) {
    const report = await reports.rows.lock(ctx, id);
    if (report?.next_at?.getTime() !== at) return { issue: null };
    const why = await whyStopped(ctx, report, "analytics:read");
    if (why !== null) {
      await reports.rows.update(ctx, id, { ...stop(ctx, reportObject(id), report, why), next_at: null });
      return { issue: null };
    }
    const next_at = nextTime(definitionOf(report), ctx.now);
    const failure = "failure" in made ? made.failure : null;
    const last = failure === null ? { last_at: new Date(at) } : {};
    await reports.rows.update(ctx, id, { next_at, last_error: failure, ...last });
    return { issue: failure === null ? await issue(ctx, report, at, made as MadeReport) : null };
  },
});

async function issue(ctx: WriteContext, report: ReportRow, at: number, made: MadeReport): Promise<string> {
  const issueId = ctx.newId("iss");
  const { from, to, complete, mediaType, text } = made;
  const { name, recipients = [] } = definitionOf(report);
  await insertIssue(ctx, {
    id: issueId,
    report: report.id,
    occasion: new Date(at),
    starts: new Date(from),
    ends: new Date(to),
    complete,
    media_type: mediaType,
    body: text,
    created_at: new Date(ctx.now),
  });
  ctx.emit(reportReady, {
    report_id: report.id,
    issue_id: issueId,
    name,
    complete,
    from: timestamp(from),
    to: timestamp(to),
    link: `${ctx.appUrl}/analytics/reports/${report.id}`,
  });
  for (const member of recipients) ctx.enqueue(mailReport(ctx.scope, { report: report.id, issue: issueId, member }));
  return issueId;
}
