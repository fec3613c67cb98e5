import { businessFailure } from "../../../kernel/errors.ts";
import type { Sweep, SweepParts } from "../../../kernel/machines.ts";
import type { Scope } from "../../../kernel/principal.ts";
import { createPauses } from "../../../kernel/service-faults.ts";
import { makeReport } from "./make.ts";
import { issueReport } from "./operations/issue-report.ts";
import type { ReportRow } from "./resource.ts";
import { listDueReports } from "./store.ts";

/** Reports that one look makes, of those that it reads; the rest is due a second later. */
const mostMade = 5;
const mostDue = 100;
const pauses = createPauses();

/** Makes reports whose time has come. One that an error of the service kept from being made stays due. */
export const reportSweep: Sweep = {
  name: "analytics.reports",
  async run(parts) {
    const due = await listDueReports(parts.db, parts.now, mostDue);
    const faults: unknown[] = [];
    for (const report of due.filter(({ id }) => !pauses.waits(id, parts.now)).slice(0, mostMade)) {
      const fault = await pauses.around(report.id, parts.now, () => makeDue(parts, report));
      if (fault !== undefined) faults.push(fault);
    }
    if (faults.length > 0) throw new AggregateError(faults, `${faults.length} reports could not be made`);
  },
};

async function makeDue({ db, inside, facts, now }: SweepParts, report: ReportRow & Scope): Promise<void> {
  const { organization, environment } = report;
  const scope = { organization, environment };
  const at = (report.next_at as Date).getTime();
  const made = await makeReport({ scope, db, facts, now }, report, at).catch((error: unknown) => ({
    failure: businessFailure(error).detail.slice(0, 500),
  }));
  await inside(issueReport, scope, { report: report.id, at, made });
}
