import type { JobSpec } from "../../kernel/append.ts";
import type { JobParts } from "../../kernel/machines.ts";
import type { Scope } from "../../kernel/principal.ts";
import type { SlicePorts } from "../../kernel/slice.ts";
import { addressesOf } from "./alert-store.ts";
import { findIssue, findReport } from "./report-store.ts";
import { definitionOf } from "./report-view.ts";

export const reportMailJob = "mail_report";

interface ReportMail {
  readonly report: string;
  readonly issue: string;
  readonly member: string;
}

/** A job that e-mails a report to a member. Where no mail server is configured it does nothing. */
export const mailReport = ({ organization, environment }: Scope, mail: ReportMail): JobSpec => ({
  task: reportMailJob,
  payload: { organization, environment, ...mail },
  key: `${mail.issue} ${mail.member}`,
});

export const createReportMailJob =
  ({ db }: Pick<JobParts, "db">, { signIn: { sendMail } }: Pick<SlicePorts, "signIn">) =>
  async (payload: unknown): Promise<void> => {
    if (sendMail === null) return;
    const { organization, environment, report: id, issue: issueId, member } = payload as Scope & ReportMail;
    const here = { scope: { organization, environment }, db };
    const report = await findReport(here, id);
    const issue = report && (await findIssue(here, id, issueId));
    const [to] = await addressesOf(here, [member]);
    if (!report || !issue || to === undefined) return;
    const { name } = definitionOf(report);
    await sendMail({
      to,
      subject: `${name} (${environment}), ${issue.starts.toISOString().slice(0, 10)}`,
      text: issue.body,
    });
  };
