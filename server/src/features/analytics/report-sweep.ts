import type { Sweep, SweepParts } from "../../kernel/machines.ts";
import type { Scope } from "../../kernel/principal.ts";
import { issueReport } from "./operations/issue-report.ts";
import { makeReport } from "./report-make.ts";
import { listDueReports, type ReportRow } from "./report-store.ts";

/** Reports that one look makes; the rest is due a second later. */
const mostDue = 5;

/** Makes reports whose time has come. */
export const reportSweep: Sweep = {
  name: "analytics.reports",
  async run(parts) {
    for (const report of await listDueReports(parts.db, parts.now, mostDue)) await makeDue(parts, report);
  },
};

async function makeDue({ db, inside, facts, now }: SweepParts, report: ReportRow & Scope): Promise<void> {
  const { organization, environment } = report;
  const scope = { organization, environment };
  const at = (report.next_at as Date).getTime();
  const made = await makeReport({ scope, db, facts, now }, report, at).catch((error: unknown) => ({
    failure: error instanceof Error ? error.message.slice(0, 500) : "unknown",
  }));
  await inside(issueReport, scope, { report: report.id, at, made });
}
