import { Download } from "lucide-react";
import { useMemo } from "react";
import type { Point, WindowHead } from "../../api/figures.ts";
import { csvOf, saveText } from "../../lib/csv.ts";
import { tickFormat } from "../../lib/window-request.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { Series, type SeriesLine, type SeriesProps } from "../../ui/charts.tsx";
import { measureText, titleOf } from "./words.ts";

interface TrendProps extends Pick<SeriesProps, "as" | "range" | "marks" | "height"> {
  readonly title: string;
  readonly head: Pick<WindowHead, "grain" | "time_zone">;
  readonly points: readonly Point[];
  /** Measures, or lines where they need another name, tone or interval. */
  readonly lines: readonly (string | SeriesLine)[];
  readonly lead?: string;
}

const tones = ["accent", "info", "warn", "muted", "good", "bad"] as const;

/** A chart of measures over time, with its values as a table. */
export function Trend({ title, head, points, lines: given, lead, ...rest }: TrendProps) {
  const tick = useMemo(() => tickFormat(head.grain, head.time_zone), [head.grain, head.time_zone]);
  const lines = given.map(
    (line, index): SeriesLine =>
      typeof line === "string"
        ? { member: line, name: titleOf(line), tone: tones[index % tones.length] ?? "accent", dashed: index > 2 }
        : line,
  );
  const first = lines[0]?.member ?? "";
  const format = (value: number): string => measureText(first, value);
  return (
    <Card title={title} aside={<Legend lines={lines} />}>
      {lead ? <p className="mb-2 text-sm text-muted">{lead}</p> : null}
      {points.some(({ values }) => lines.some(({ member }) => values[member] != null)) ? (
        <Series
          label={`${title}, a chart; its values are in the table below`}
          points={points}
          lines={lines}
          format={format}
          tick={tick}
          {...rest}
        />
      ) : (
        <p className="py-8 text-center text-sm text-muted">Nothing to draw in this window.</p>
      )}
      {points.some(({ complete }) => !complete) ? (
        <p className="mt-1 text-xs text-muted">Striped: not over, or tasks of it are still open.</p>
      ) : null}
      <PointsTable title={title} points={points} lines={lines} tick={tick} />
    </Card>
  );
}

const dots = {
  accent: "bg-accent",
  info: "bg-info",
  warn: "bg-warn",
  muted: "bg-muted",
  good: "bg-good",
  bad: "bg-bad",
};

function Legend({ lines }: { readonly lines: readonly SeriesLine[] }) {
  if (lines.length < 2) return null;
  return (
    <ul className="flex flex-wrap gap-x-4 gap-y-1 text-xs text-muted">
      {lines.map(({ member, name, tone = "accent" }) => (
        <li key={member} className="flex items-center gap-1.5">
          <span aria-hidden="true" className={`size-2 rounded-full ${dots[tone]}`} />
          {name}
        </li>
      ))}
    </ul>
  );
}

interface PointsProps {
  readonly title: string;
  readonly points: readonly Point[];
  readonly lines: readonly SeriesLine[];
  readonly tick: (time: string) => string;
}

function PointsTable({ title, points, lines, tick }: PointsProps) {
  const download = (): void =>
    saveText(
      `${title.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-")}.csv`,
      csvOf([
        ["from", "to", "complete", ...lines.map(({ member }) => member)],
        ...points.map(({ from, to, complete, values }) => [
          from,
          to,
          complete ? "true" : "false",
          ...lines.map(({ member }) => values[member] ?? null),
        ]),
      ]),
    );
  if (points.length === 0) return null;
  return (
    <details className="mt-2 text-sm">
      <summary className="w-fit rounded py-1 text-muted hover:text-ink">As a table</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be reached with the keyboard */}
      <section aria-label={`${title}, values`} tabIndex={0} className="mt-2 max-h-80 overflow-auto">
        <table className="w-full text-left text-xs tabular-nums">
          <thead className="text-muted">
            <tr>
              <th scope="col" className="py-1 pr-3 font-medium">
                From
              </th>
              {lines.map(({ member, name }) => (
                <th key={member} scope="col" className="py-1 pr-3 text-right font-medium">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {points.map(({ from, complete, values }) => (
              <tr key={from} className="border-t border-line">
                <td className="py-1 pr-3 whitespace-nowrap">
                  {tick(from)}
                  {complete ? "" : " (open)"}
                </td>
                {lines.map(({ member }) => (
                  <td key={member} className="py-1 pr-3 text-right">
                    {values[member] == null ? "–" : measureText(member, values[member])}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <Button
        size="small"
        className="mt-2"
        icon={<Download className="size-4" aria-hidden="true" />}
        onClick={download}
      >
        CSV
      </Button>
    </details>
  );
}
