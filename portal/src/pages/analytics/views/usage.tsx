import { readUsage } from "../../../api/analytics.ts";
import { usePrefetched } from "../../../api/queries.ts";
import { BreakdownCard } from "../breakdown.tsx";
import { BySelect } from "../by-select.tsx";
import { useDimensions } from "../dimensions.ts";
import { Figures } from "../figure.tsx";
import { HeadLine } from "../frame.tsx";
import { keyCell } from "../key-cell.tsx";
import { Trend } from "../trend.tsx";
import type { ViewProps } from "../view.ts";

const tiles = ["tasks", "completed", "failed", "open", "success_rate", "duration_p50", "duration_p90", "tokens"];

/** Volume, latency and tokens. */
export function UsageView({ search, onSearch }: ViewProps) {
  const by = search.by ?? "agent";
  const { data } = usePrefetched(readUsage(search, by), { every: 30_000 });
  const dimensions = useDimensions();
  return (
    <>
      <HeadLine head={data} />
      <Figures figures={data.figures} series={data.series} names={tiles} />
      <Trend
        title="Tasks"
        as="bars"
        head={data}
        points={data.series}
        lines={[
          { member: "completed", name: "Completed", tone: "accent" },
          { member: "failed", name: "Failed", tone: "bad" },
          { member: "open", name: "Open", tone: "muted" },
        ]}
      />
      <div className="grid grid-cols-1 gap-4 lg:grid-cols-2">
        <Trend
          title="Duration"
          head={data}
          points={data.series}
          lines={["duration_p50", "duration_p90", "duration_p99"]}
        />
        <Trend
          title="Time in the queue"
          head={data}
          points={data.series}
          lines={["queue_time_p50", "queue_time_p90", "queue_time_p99"]}
        />
      </div>
      <Trend title="Tokens" as="bars" head={data} points={data.series} lines={["tokens"]} />
      <BreakdownCard
        title="Compared"
        aside={<BySelect by={by} options={dimensions} onChange={(next) => onSearch({ by: next })} />}
        rows={data.rows}
        more={data.more}
        measures={["tasks", "success_rate", "duration_p50", "duration_p90", "tokens", "tool_calls"]}
        keyCell={keyCell}
      />
    </>
  );
}
