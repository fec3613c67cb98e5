import { Type } from "typebox";
import type { ReadContext } from "../../../../kernel/context.ts";
import { defineRead, governs } from "../../../../kernel/operation.ts";
import { exampleIssue } from "../../example.ts";
import { ReportId, ReportIssueText } from "../../schemas.ts";
import { reports } from "../resource.ts";
import { findIssue, issueView } from "../store.ts";

export const readReportIssue = defineRead({
  id: "analytics.readReportIssue",
  path: "/v1/analytics/reports/{report}/issues/{issue}",
  summary: "Read what a scheduled report said at one time",
  params: Type.Object({ report: ReportId, issue: Type.String({ description: "`iss_…`" }) }),
  output: ReportIssueText,
  example: {
    params: { report: exampleIssue.report_id, issue: exampleIssue.issue_id },
    output: { ...exampleIssue, text: "<!doctype html>…" },
  },
  permission: "analytics:read",
  load: findWithAgents,
  compliance: governs("analytics.read"),
  audit: ({ params }) => `report:${params.report}`,
  handle: async (_ctx, { loaded }) => ({ ...issueView(loaded.issue), text: loaded.issue.body }),
});

/** The issue, with the agents that its report tells of: a key that is narrowed to others does not see it. */
async function findWithAgents(ctx: ReadContext, { report: id, issue: issueId }: { report: string; issue: string }) {
  const report = await reports.rows.find(ctx, id);
  const issue = report && (await findIssue(ctx, id, issueId));
  return issue && { issue, agents: report.agents };
}
