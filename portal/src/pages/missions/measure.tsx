import type { Measure, Measured } from "../../api/missions.ts";
import { counted } from "../../lib/words.ts";
import { Badge } from "../../ui/badge.tsx";
import { Card } from "../../ui/card.tsx";
import { measureName, measureText, targetText } from "./words.ts";

interface MeasureProps {
  readonly measure: Measure;
  readonly measured: Measured;
}

/** What success comes to now, with its interval, against the target. It is computed from results; no agent reports it. */
export function MeasureCard({ measure, measured }: MeasureProps) {
  const { value, low, high, reached, results, counted: counts, faults } = measured;
  const said = (number: number): string => measureText(number, measure.aggregate);
  return (
    <Card
      title="Success"
      aside={<Badge tone={reached ? "good" : "neutral"}>{reached ? "target reached" : "target not reached"}</Badge>}
    >
      <p className="flex flex-wrap items-baseline gap-x-2">
        <span className="text-3xl font-semibold tracking-tight">{value === null ? "–" : said(value)}</span>
        <span className="text-sm text-muted">target {targetText(measured, measure)}</span>
      </p>
      <Scale measure={measure} measured={measured} />
      <p className="mt-2 text-sm text-muted">
        {low !== null && high !== null && low !== high ? `95 % interval ${said(low)} to ${said(high)}. ` : ""}
        {counts.toLocaleString("en")} of {counted(results, "result")} count.
        {faults > 0 ? ` ${counted(faults, "result")} could not be evaluated.` : ""}
      </p>
      <p className="mt-1 text-sm text-muted">
        <code className="id">{measureName(measure)}</code>
      </p>
    </Card>
  );
}

/** The value as a mark on a scale, its interval as a band, the target as a line. */
function Scale({ measure, measured }: MeasureProps) {
  const { value, low, high, target, reached } = measured;
  if (value === null) return null;
  const least = Math.min(0, value, low ?? value, target);
  const most = measure.aggregate === "rate" ? 1 : Math.max(value, high ?? value, target) * 1.1 || 1;
  const x = (number: number): number => 4 + ((number - least) / (most - least)) * 292;
  const label = `${measureText(value, measure.aggregate)} of ${targetText(measured, measure)}`;
  return (
    <svg viewBox="0 0 300 30" role="img" aria-label={label} className={reached ? "text-good" : "text-warn"}>
      <title>{label}</title>
      <line x1="4" x2="296" y1="15" y2="15" className="stroke-line-strong" strokeOpacity="0.55" strokeLinecap="round" />
      <rect
        x={x(low ?? value)}
        width={Math.max(x(high ?? value) - x(low ?? value), 3)}
        y="10"
        height="10"
        rx="5"
        fill="currentColor"
        opacity="0.3"
      />
      <line
        x1={x(target)}
        x2={x(target)}
        y1="3"
        y2="27"
        className="stroke-ink"
        strokeWidth="1.5"
        strokeDasharray="3 2"
      />
      <line x1={x(value)} x2={x(value)} y1="5" y2="25" stroke="currentColor" strokeWidth="3.5" strokeLinecap="round" />
    </svg>
  );
}
