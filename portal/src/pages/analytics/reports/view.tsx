import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { listReports } from "../../../api/analytics-reports.ts";
import { usePrefetched } from "../../../api/queries.ts";
import { useMay } from "../../../api/rights.ts";
import type { Schema } from "../../../api/types.ts";
import { Badge } from "../../../ui/badge.tsx";
import { Card } from "../../../ui/card.tsx";
import { NewButton } from "../../../ui/new-button.tsx";
import { Pagination } from "../../../ui/pagination.tsx";
import { EmptyState } from "../../../ui/states.tsx";
import { RelativeTime } from "../../../ui/time.tsx";
import type { ViewProps } from "../view.ts";
import { CreateReport } from "./create.tsx";
import { aboutText } from "./words.ts";

/** Reports that are made by a schedule. */
export function ReportsView({ search: { cursor }, onSearch }: ViewProps) {
  const { data } = usePrefetched(listReports(cursor), { every: 30_000 });
  const mayWrite = useMay("analytics:write");
  const [open, setOpen] = useState(false);
  return (
    <>
      {mayWrite ? <NewButton onClick={() => setOpen(true)}>New report</NewButton> : null}
      {data.data.length === 0 && cursor === undefined ? (
        <EmptyState
          title="No reports yet"
          command={"bin/aos analytics reports create --name 'Weekly figures' --schedule '0 7 * * 1' --period week"}
        >
          A report tells the figures of the last day, week or month each time that its schedule comes: here, by webhook
          and by e-mail. New report makes one here, or:
        </EmptyState>
      ) : (
        <Card title="Reports" flush>
          <ul className="divide-y divide-line" aria-label="Reports">
            {data.data.map((report) => (
              <ReportRow key={report.report_id} report={report} />
            ))}
          </ul>
          <Pagination cursor={cursor} next={data.next_cursor} onGo={(next) => onSearch({ cursor: next })} />
        </Card>
      )}
      {open ? <CreateReport onClose={() => setOpen(false)} /> : null}
    </>
  );
}

function ReportRow({ report }: { readonly report: Schema<"Report"> }) {
  const { report_id, name, schedule, time_zone = "UTC", format = "markdown", next_at, last_at } = report;
  const { last_error, stopped_reason } = report;
  return (
    <li className="grid gap-1 px-4 py-3.5 text-sm sm:px-5">
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Link
          to="/analytics/reports/$report"
          params={{ report: report_id }}
          className="font-medium text-accent underline underline-offset-2 pointer-coarse:py-2"
        >
          {name}
        </Link>
        <Badge>{format}</Badge>
        {stopped_reason === null ? null : <Badge tone="bad">stopped</Badge>}
        <span className="text-muted">
          <code className="id">{schedule}</code> {time_zone}
        </span>
      </p>
      <p className="text-muted">{aboutText(report)}</p>
      <p className="flex flex-wrap gap-x-4 text-muted">
        <span>last {last_at === null ? "never" : <RelativeTime time={last_at} />}</span>
        {stopped_reason === null ? (
          <span>next {next_at === null ? "never again" : <RelativeTime time={next_at} />}</span>
        ) : null}
      </p>
      {stopped_reason === null ? null : <p className="text-bad">{stopped_reason}</p>}
      {last_error === null ? null : <p className="text-bad">Nothing was made the last time: {last_error}</p>}
    </li>
  );
}
