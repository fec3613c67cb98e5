import { getRouteApi, Link } from "@tanstack/react-router";
import { clsx } from "clsx";
import { Download } from "lucide-react";
import { useState } from "react";
import { listReportIssues, readReport, readReportIssue, removeReport } from "../../../api/analytics-reports.ts";
import { useChange, useLive, usePrefetched } from "../../../api/queries.ts";
import { useMay } from "../../../api/rights.ts";
import type { Schema } from "../../../api/types.ts";
import { saveText } from "../../../lib/csv.ts";
import { Badge } from "../../../ui/badge.tsx";
import { Button } from "../../../ui/button.tsx";
import { Card, Facts } from "../../../ui/card.tsx";
import { FormDialog } from "../../../ui/form-dialog.tsx";
import { Pagination } from "../../../ui/pagination.tsx";
import { EmptyState, ErrorState, Notice, Skeleton } from "../../../ui/states.tsx";
import { RelativeTime } from "../../../ui/time.tsx";
import { timeIn } from "../../../ui/times-ahead.tsx";
import { toast } from "../../../ui/toast.tsx";
import { Stopped } from "../../accountability/public.tsx";
import { Frame } from "../frame.tsx";
import { IssueText } from "./text.tsx";
import { aboutText, fileName, formats, madeText, timeOf } from "./words.ts";

type Report = Schema<"Report">;
type Issue = Schema<"ReportIssue">;

const route = getRouteApi("/shell/analytics/reports/$report");
const touched = ["/v1/analytics/reports", "/v1/analytics/reports/{report}"] as const;

/** One report: when it is made, and what it said. */
export function ReportPage() {
  const { report: id } = route.useParams();
  const { issue: chosen, cursor } = route.useSearch();
  const navigate = route.useNavigate();
  const { data: report } = usePrefetched(readReport(id), { every: 30_000 });
  const { data: issues } = usePrefetched(listReportIssues(id, cursor), { every: 30_000 });
  const shown = chosen ?? issues.data[0]?.issue_id;
  const zone = report.time_zone ?? "UTC";
  return (
    <Frame
      title={report.name}
      lead={aboutText(report)}
      view="reports"
      window={{}}
      actions={useMay("analytics:write") ? <Remove report={report} /> : null}
    >
      <Card title="When">
        <WhenFacts report={report} zone={zone} />
      </Card>
      {issues.data.length === 0 ? (
        <EmptyState title="Nothing said yet">
          {report.stopped_reason !== null
            ? "It stopped before its first issue."
            : report.next_at === null
              ? "Its schedule never comes again."
              : "It is made when its schedule comes, and then stands here for 400 days."}
        </EmptyState>
      ) : (
        <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-[15rem_minmax(0,1fr)]">
          <Card title="Issues" flush>
            <IssueList report={id} issues={issues.data} shown={shown} zone={zone} />
            <Pagination
              cursor={cursor}
              next={issues.next_cursor}
              onGo={(next) => void navigate({ search: { cursor: next }, resetScroll: false })}
            />
          </Card>
          {shown === undefined ? null : <Shown report={report} issue={shown} zone={zone} />}
        </div>
      )}
    </Frame>
  );
}

function WhenFacts({ report, zone }: { readonly report: Report; readonly zone: string }) {
  const { schedule, format = "markdown", last_at, last_error, stopped_reason, recipients = [] } = report;
  return (
    <div className="grid gap-3">
      <Facts
        facts={[
          [
            "Schedule",
            <span key="schedule">
              <code className="id">{schedule}</code> {zone}
            </span>,
          ],
          ["Next", nextText(report, zone)],
          ["Last", <RelativeTime key="last" time={last_at} />],
          ["Format", formats[format]],
          recipients.length > 0 && ["By e-mail", `to ${recipients.length} of the members`],
        ]}
      />
      <Stopped object={`report:${report.report_id}`} reason={stopped_reason} stale={touched} />
      {last_error === null ? null : <Notice tone="bad">Nothing was made the last time: {last_error}</Notice>}
    </div>
  );
}

function nextText({ next_at, stopped_reason }: Report, zone: string): string {
  if (stopped_reason !== null) return "none while it is stopped";
  return next_at === null ? "never again" : `${timeIn(new Date(next_at), zone)} (${zone})`;
}

interface ListProps {
  readonly report: string;
  readonly issues: readonly Issue[];
  readonly shown: string | undefined;
  readonly zone: string;
}

const IssueList = ({ report, issues, shown, zone }: ListProps) => (
  <ul aria-label="Issues" className="divide-y divide-line">
    {issues.map((issue) => (
      <li key={issue.issue_id}>
        <Link
          to="/analytics/reports/$report"
          params={{ report }}
          search={(before) => ({ ...before, issue: issue.issue_id })}
          resetScroll={false}
          aria-current={issue.issue_id === shown || undefined}
          className={clsx(
            "grid gap-0.5 px-4 py-2.5 text-sm hover:bg-sunken",
            issue.issue_id === shown && "bg-accent-soft font-medium",
          )}
        >
          <span>{timeOf(issue, zone)}</span>
          <span className="flex flex-wrap items-center gap-2 text-xs font-normal text-muted">
            {madeText(issue)}
            {issue.complete ? null : <Badge tone="warn">not complete</Badge>}
          </span>
        </Link>
      </li>
    ))}
  </ul>
);

interface ShownProps {
  readonly report: Report;
  readonly issue: string;
  readonly zone: string;
}

function Shown({ report, issue: id, zone }: ShownProps) {
  const { data: issue, error } = useLive(readReportIssue(report.report_id, id));
  if (issue === undefined) return error ? <ErrorState error={error} /> : <Skeleton lines={8} />;
  const download = (
    <Button
      size="small"
      icon={<Download className="size-4" aria-hidden="true" />}
      onClick={() => saveText(fileName(report.name, issue), issue.text, issue.media_type.split(";")[0])}
    >
      Download
    </Button>
  );
  return (
    <Card title={timeOf(issue, zone)} aside={download}>
      {issue.complete ? null : (
        <div className="mb-3">
          <Notice tone="warn">Not complete: tasks of this time were still open when it was made.</Notice>
        </div>
      )}
      <IssueText issue={issue} />
    </Card>
  );
}

function Remove({ report: { report_id, name } }: { readonly report: Report }) {
  const navigate = route.useNavigate();
  const change = useChange(removeReport, ["/v1/analytics/reports"]);
  const [asked, setAsked] = useState(false);
  const remove = (): void =>
    change.mutate(report_id, {
      onSuccess: async () => {
        toast(`${name} is removed.`);
        await navigate({ to: "/analytics/$view", params: { view: "reports" }, search: {} });
      },
    });
  return (
    <>
      <Button kind="refuse" aria-haspopup="dialog" onClick={() => setAsked(true)}>
        Remove
      </Button>
      {asked ? (
        <FormDialog
          title="Remove report"
          word="Remove"
          kind="danger"
          change={change}
          onSubmit={remove}
          onClose={() => setAsked(false)}
        >
          <p>{name} is no longer issued, and its past issues are deleted.</p>
        </FormDialog>
      ) : null}
    </>
  );
}
