import type { JobSpec } from "../../../kernel/append.ts";
import type { JobParts } from "../../../kernel/machines.ts";
import type { Scope } from "../../../kernel/principal.ts";
import { signInPort } from "../../admin/public.ts";
import { addressesOf } from "../alerts/store.ts";
import { definitionOf, reports } from "./resource.ts";
import { findIssue } from "./store.ts";

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
  ({ db, port }: Pick<JobParts, "db" | "port">) =>
  async (payload: unknown): Promise<void> => {
    const { sendMail } = port(signInPort);
    if (sendMail === null) return;
    const { organization, environment, report: id, issue: issueId, member } = payload as Scope & ReportMail;
    const here = { scope: { organization, environment }, db };
    const report = await reports.rows.find(here, id);
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
