import { readModelUse, readToolUse } from "../../../api/analytics.ts";
import { usePrefetched } from "../../../api/queries.ts";
import { percent, usd } from "../../../lib/words.ts";
import { BreakdownCard } from "../breakdown.tsx";
import { Figures } from "../figure.tsx";
import { HeadLine } from "../frame.tsx";
import { Trend } from "../trend.tsx";
import type { ViewProps } from "../view.ts";

const latency = ["step_duration_p50", "step_duration_p90"];

/** Calls of tools: how many, how many failed, how long they took. */
export function ToolsView({ search }: ViewProps) {
  const { data } = usePrefetched(readToolUse(search), { every: 30_000 });
  return (
    <>
      <HeadLine head={data} />
      <Figures figures={data.figures} series={data.series} titles={{ tool_uses: "Calls" }} />
      <div className="grid grid-cols-1 gap-4 lg:grid-cols-2">
        <Trend title="Calls of tools" as="bars" head={data} points={data.series} lines={["tool_uses"]} />
        <Trend title="Duration of a call" head={data} points={data.series} lines={latency} />
      </div>
      <BreakdownCard
        title="Tools"
        rows={data.rows}
        more={data.more}
        empty="No tool was called in this window."
        keyCell={(_dimension, value) => value ?? "none"}
      />
    </>
  );
}

/** Turns of models: mix, price, latency, tokens, failures. */
export function ModelsView({ search }: ViewProps) {
  const { data } = usePrefetched(readModelUse(search), { every: 30_000 });
  const rows = data.rows.map(({ model, figures }) => ({ key: { model }, figures }));
  const more = new Map(data.rows.map((row) => [row.model, row]));
  return (
    <>
      <HeadLine head={data} />
      <Figures figures={data.figures} series={data.series} titles={{ tool_uses: "Turns" }} />
      <div className="grid grid-cols-1 gap-4 lg:grid-cols-2">
        <Trend title="Tokens" as="bars" head={data} points={data.series} lines={["step_tokens"]} />
        <Trend title="Duration of a turn" head={data} points={data.series} lines={latency} />
      </div>
      <BreakdownCard
        title="Models"
        rows={rows}
        more={data.more}
        empty="No model was asked in this window."
        keyCell={(_dimension, value) => {
          const row = more.get(value);
          return (
            <span className="grid gap-0.5">
              <code className="id">{value ?? "none"}</code>
              <span className="text-xs font-normal text-muted">
                {row?.share == null ? "" : `${percent(row.share)} of all turns`}
                {row?.usd_per_million_tokens == null ? "" : `, ${usd(row.usd_per_million_tokens)} a million tokens`}
              </span>
            </span>
          );
        }}
      />
    </>
  );
}
