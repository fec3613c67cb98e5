import { useState } from "react";
import { readAnomalies } from "../../../api/analytics.ts";
import { usePrefetched } from "../../../api/queries.ts";
import type { Schema } from "../../../api/types.ts";
import { spanText } from "../../../lib/window-request.ts";
import { counted, spoken } from "../../../lib/words.ts";
import { Badge } from "../../../ui/badge.tsx";
import { Button } from "../../../ui/button.tsx";
import { Card } from "../../../ui/card.tsx";
import { Behind } from "../behind.tsx";
import { HeadLine } from "../frame.tsx";
import type { ViewProps } from "../view.ts";
import { valueText } from "../words.ts";

type Anomaly = Schema<"AnomalyFigures">["anomalies"][number];

/** How many are shown at first: behind the rarest there may be a hundred. */
const first = 20;

/** What is unlike the same hours of earlier weeks. */
export function AnomaliesView({ search }: ViewProps) {
  const { data } = usePrefetched(readAnomalies(search), { every: 60_000 });
  const [all, setAll] = useState(false);
  const shown = all ? data.anomalies : data.anomalies.slice(0, first);
  const few = data.agents.filter(({ enough }) => !enough);
  return (
    <>
      <HeadLine head={data} />
      <Card title="Unlike earlier weeks" aside={<span className="text-sm text-muted">the rarest first</span>}>
        {data.anomalies.length === 0 ? <p className="text-sm">Nothing unusual in this window.</p> : null}
        <ol className="grid gap-5">
          {shown.map((anomaly) => (
            <AnomalyRow
              key={`${anomaly.kind} ${anomaly.agent} ${anomaly.from}`}
              anomaly={anomaly}
              zone={data.time_zone}
            />
          ))}
        </ol>
        {shown.length < data.anomalies.length ? (
          <Button size="small" className="mt-4" onClick={() => setAll(true)}>
            Show all {data.anomalies.length}
          </Button>
        ) : null}
        <p className="mt-4 text-xs text-muted">
          {data.method} {counted(data.hours, "hour")} of {counted(data.agents.length, "agent")} were looked at.
          {few.length > 0
            ? ` Too few weeks to say what is usual: ${few.map(({ agent, weeks }) => `${agent} (${counted(weeks, "week")})`).join(", ")}.`
            : ""}
        </p>
      </Card>
    </>
  );
}

function AnomalyRow({ anomaly, zone }: { readonly anomaly: Anomaly; readonly zone: string }) {
  const { kind, agent, from, to, observed, expected, low, high, n, p_value, text, link } = anomaly;
  const unit = kind === "cost" ? "usd" : kind === "failures" && observed <= 1 ? "share" : "count";
  const said = (value: number): string => valueText(value, unit);
  const most = Math.max(observed, high, expected) * 1.1 || 1;
  const x = (value: number): number => (Math.max(0, value) / most) * 300;
  return (
    <li className="grid gap-1.5 text-sm">
      <p className="flex flex-wrap items-center gap-2">
        <Badge tone="warn">{spoken(kind)}</Badge>
        <span className="font-medium">{agent}</span>
        <span className="text-muted">{spanText(from, to, zone)}</span>
      </p>
      <p>
        <Behind link={link}>{text}</Behind>
      </p>
      <svg viewBox="0 0 300 14" aria-hidden="true" className="h-3.5 w-full max-w-md text-accent">
        <line x1="0" x2="300" y1="7" y2="7" className="stroke-line-strong" strokeOpacity="0.5" />
        <rect
          x={x(low)}
          width={Math.max(2, x(high) - x(low))}
          y="3"
          height="8"
          rx="4"
          fill="currentColor"
          opacity="0.3"
        />
        <line x1={x(expected)} x2={x(expected)} y1="2" y2="12" stroke="currentColor" strokeWidth="2" />
        <circle cx={x(observed)} cy="7" r="4.5" className="fill-warn" />
      </svg>
      <p className="text-xs text-muted">
        {said(observed)}; usual are {said(low)} to {said(high)}, median {said(expected)} of {counted(n, "such hour")}; p{" "}
        {p_value < 0.001 ? "< .001" : `= ${p_value.toFixed(3).replace(/^0/, "")}`}
      </p>
    </li>
  );
}
