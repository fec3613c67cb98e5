import { Link } from "@tanstack/react-router";
import { readRealtime } from "../../../api/analytics.ts";
import { usePrefetched } from "../../../api/queries.ts";
import type { Schema } from "../../../api/types.ts";
import { counted } from "../../../lib/words.ts";
import { StatusBadge } from "../../../ui/badge.tsx";
import { Card, Facts } from "../../../ui/card.tsx";
import { type Column, Table } from "../../../ui/table.tsx";
import { RelativeTime } from "../../../ui/time.tsx";
import { Behind } from "../behind.tsx";
import { Trend } from "../trend.tsx";

type Realtime = Schema<"RealtimeFigures">;

/** Open tasks, workers and the last minutes. */
export function RealtimeView() {
  const { data } = usePrefetched(readRealtime(), { every: 5_000 });
  const points = data.minutes.map(({ from, tasks, completed, failed }) => ({
    from,
    to: new Date(Date.parse(from) + 60_000).toISOString(),
    complete: completed + failed >= tasks,
    values: { completed, failed, open: Math.max(0, tasks - completed - failed) },
  }));
  return (
    <>
      <ul className="grid grid-cols-2 gap-3 lg:grid-cols-4">
        {data.states.map(({ status, n, oldest_at, link }) => (
          <li key={status} className="grid gap-1 rounded-lg border border-line bg-surface px-4 py-3 shadow-card">
            <StatusBadge status={status} className="justify-self-start" />
            <Behind link={link} className="justify-self-start text-2xl font-semibold tabular-nums">
              {n.toLocaleString("en")}
            </Behind>
            <p className="text-xs text-muted">
              {oldest_at === null ? (
                "none"
              ) : (
                <>
                  oldest <RelativeTime time={oldest_at} />
                </>
              )}
            </p>
          </li>
        ))}
      </ul>
      <Trend
        title="The last 15 minutes"
        lead="Tasks by the minute in which they were dispatched."
        as="bars"
        head={{ grain: "minute", time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone }}
        points={points}
        lines={[
          { member: "completed", name: "Completed", tone: "accent" },
          { member: "failed", name: "Failed", tone: "bad" },
          { member: "open", name: "Open", tone: "muted" },
        ]}
      />
      <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-3">
        <Card title="Agents with open tasks" flush className="lg:col-span-2">
          {data.agents.length === 0 ? (
            <p className="px-5 py-6 text-sm text-muted">No open tasks.</p>
          ) : (
            <Table label="Agents with open tasks" columns={columns} rows={data.agents} rowKey={({ agent }) => agent} />
          )}
        </Card>
        <Card title="Workers">
          <Facts
            facts={[
              ["Busy", counted(data.workers.busy, "worker")],
              ["Tasks held", data.workers.tasks.toLocaleString("en")],
              data.workers.lapsed > 0 && ["Not heard of in time", counted(data.workers.lapsed, "task")],
            ]}
          />
        </Card>
      </div>
      {data.more ? (
        <p className="text-sm text-muted">More than 10,000 tasks are open; these figures tell of 10,000.</p>
      ) : null}
    </>
  );
}

const count = (name: string, of: (row: Realtime["agents"][number]) => number): Column<Realtime["agents"][number]> => ({
  name,
  right: true,
  cell: (row) => of(row).toLocaleString("en"),
});
const columns: readonly Column<Realtime["agents"][number]>[] = [
  {
    name: "Agent",
    cell: ({ agent }) => (
      <Link to="/tasks" search={{ agent }} className="font-medium hover:underline">
        {agent}
      </Link>
    ),
  },
  count("Queued", ({ queued }) => queued),
  count("Running", ({ running }) => running),
  count("Awaiting approval", ({ awaiting_approval }) => awaiting_approval),
  count("Input required", ({ input_required }) => input_required),
  { name: "Oldest", right: true, cell: ({ oldest_at }) => <RelativeTime time={oldest_at} className="text-muted" /> },
];
