import { useId } from "react";
import {
  Area,
  Bar,
  CartesianGrid,
  Cell,
  ComposedChart,
  ErrorBar,
  Line,
  ReferenceArea,
  ReferenceLine,
  ResponsiveContainer,
  Scatter,
  Tooltip,
  XAxis,
  YAxis,
} from "recharts";
import { percent } from "../lib/words.ts";
import type { Bin, LinesProps, SeriesProps } from "./charts.tsx";

const colour = {
  accent: "var(--accent)",
  warn: "var(--warn)",
  bad: "var(--bad)",
  muted: "var(--muted)",
  good: "var(--good)",
  info: "var(--info)",
};
const axis = { stroke: "var(--line-strong)", tick: { fill: "var(--muted)", fontSize: 11 }, tickLine: false } as const;
const tooltip = {
  contentStyle: {
    background: "var(--raised)",
    border: "1px solid var(--line)",
    borderRadius: 8,
    fontSize: 12,
    color: "var(--ink)",
  },
  labelStyle: { color: "var(--muted)" },
  isAnimationActive: false,
} as const;

export function LinesChart({ label, points, x, lines, band, range, format = String }: LinesProps) {
  const data: Record<string, unknown>[] = band
    ? points.map((point) => ({ ...point, "(interval)": [point[band[0]], point[band[1]]] }))
    : [...points];
  return (
    <figure aria-label={label} className="h-56">
      <ResponsiveContainer width="100%" height="100%">
        <ComposedChart data={data} margin={{ top: 8, right: 12, bottom: 0, left: 0 }} accessibilityLayer={false}>
          <CartesianGrid stroke="var(--line)" vertical={false} />
          <XAxis dataKey={x} {...axis} minTickGap={32} />
          <YAxis
            {...axis}
            axisLine={false}
            width={48}
            tickFormatter={format}
            {...(range ? { domain: [...range] } : {})}
          />
          <Tooltip
            {...tooltip}
            formatter={(value) =>
              Array.isArray(value) ? value.map((each) => format(Number(each))).join(" – ") : format(Number(value))
            }
          />
          {band ? (
            <Area
              dataKey="(interval)"
              name="interval"
              stroke="none"
              fill="var(--accent)"
              fillOpacity={0.15}
              isAnimationActive={false}
            />
          ) : null}
          {lines.map(({ member, name, tone = "accent" }) => (
            <Line
              key={member}
              dataKey={member}
              name={name}
              stroke={colour[tone]}
              strokeWidth={2}
              dot={points.length < 3}
              connectNulls
              isAnimationActive={false}
            />
          ))}
        </ComposedChart>
      </ResponsiveContainer>
    </figure>
  );
}

export function ReliabilityChart({ bins, label }: { readonly bins: readonly Bin[]; readonly label: string }) {
  const data = bins
    .filter(({ n, mean_score, mean_outcome }) => n > 0 && mean_score !== null && mean_outcome !== null)
    .map((bin) => {
      const happened = bin.mean_outcome as number;
      return {
        said: bin.mean_score as number,
        happened,
        tasks: bin.n,
        error: [happened - (bin.low ?? happened), (bin.high ?? happened) - happened],
      };
    });
  const ticks = [0, 0.25, 0.5, 0.75, 1];
  return (
    <figure aria-label={label} className="h-64">
      <ResponsiveContainer width="100%" height="100%">
        <ComposedChart data={data} margin={{ top: 8, right: 12, bottom: 16, left: 0 }} accessibilityLayer={false}>
          <CartesianGrid stroke="var(--line)" />
          <XAxis
            type="number"
            dataKey="said"
            name="score"
            domain={[0, 1]}
            ticks={ticks}
            tickFormatter={percent}
            {...axis}
            label={{ value: "score", position: "insideBottom", offset: -8, fill: "var(--muted)", fontSize: 11 }}
          />
          <YAxis
            type="number"
            domain={[0, 1]}
            ticks={ticks}
            tickFormatter={percent}
            width={64}
            {...axis}
            label={{
              value: "accepted",
              angle: -90,
              position: "insideLeft",
              offset: 4,
              fill: "var(--muted)",
              fontSize: 11,
            }}
          />
          <ReferenceLine
            segment={[
              { x: 0, y: 0 },
              { x: 1, y: 1 },
            ]}
            stroke="var(--line-strong)"
            strokeDasharray="4 4"
          />
          <Tooltip
            {...tooltip}
            formatter={(value, name) => (name === "tasks" ? value : percent(Number(value)))}
            labelFormatter={(value) => `score ${percent(Number(value))}`}
          />
          <Line
            dataKey="happened"
            stroke={colour.accent}
            strokeWidth={1.5}
            dot={false}
            isAnimationActive={false}
            tooltipType="none"
          />
          <Scatter dataKey="happened" name="accepted" fill={colour.accent} isAnimationActive={false}>
            <ErrorBar dataKey="error" direction="y" width={5} stroke={colour.accent} strokeOpacity={0.6} />
          </Scatter>
        </ComposedChart>
      </ResponsiveContainer>
    </figure>
  );
}

/** Stripes over what is not complete yet. */
function Hatch({ id, fill }: { readonly id: string; readonly fill: string }) {
  return (
    <pattern id={id} width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
      <rect width="6" height="6" fill={fill} fillOpacity="0.18" />
      <line x1="0" x2="0" y1="0" y2="6" stroke={fill} strokeWidth="3" strokeOpacity="0.6" />
    </pattern>
  );
}

const time = (text: string): number => Date.parse(text);

/** What recharts draws of a point: its values, and each interval as a pair. */
function drawn({ points, lines }: Pick<SeriesProps, "points" | "lines">): Record<string, unknown>[] {
  return points.map(({ from, values }) => ({
    from,
    at: time(from),
    ...values,
    ...Object.fromEntries(
      lines.flatMap(({ member, band }) =>
        band && values[band[0]] != null && values[band[1]] != null
          ? [[`${member} interval`, [values[band[0]], values[band[1]]]]]
          : [],
      ),
    ),
  }));
}

const marksOf = (marks: NonNullable<SeriesProps["marks"]>, x: (at: string) => number | string) =>
  marks.map(({ at, label, tone = "warn" }) => (
    <ReferenceLine
      key={`${at} ${label}`}
      x={x(at)}
      stroke={colour[tone]}
      strokeDasharray="3 3"
      strokeWidth={1.5}
      label={{ value: label, position: "insideTopLeft", fill: colour[tone], fontSize: 11 }}
    />
  ));

export function SeriesChart(props: SeriesProps) {
  const { label, points, format = String, range, tick, as = "lines", height = "h-56" } = props;
  const data = drawn(props);
  const last = points.at(-1);
  const bars = as === "bars";
  const shown = (value: unknown): string =>
    Array.isArray(value) ? value.map((each) => format(Number(each))).join(" – ") : format(Number(value));
  return (
    <figure aria-label={label} className={height}>
      <ResponsiveContainer width="100%" height="100%">
        <ComposedChart data={data} margin={{ top: 12, right: 12, bottom: 0, left: 0 }} accessibilityLayer={false}>
          <CartesianGrid stroke="var(--line)" vertical={false} />
          {bars ? (
            <XAxis dataKey="from" {...axis} minTickGap={32} tickFormatter={tick} />
          ) : (
            <XAxis
              dataKey="at"
              type="number"
              {...axis}
              minTickGap={32}
              tickFormatter={tick}
              domain={["dataMin", last ? Math.max(time(last.from), ...data.map(({ at }) => Number(at))) : "dataMax"]}
              ticks={data.map(({ at }) => Number(at))}
            />
          )}
          <YAxis
            {...axis}
            axisLine={false}
            width={56}
            tickFormatter={format}
            {...(range ? { domain: [...range] } : {})}
          />
          <Tooltip {...tooltip} formatter={shown} labelFormatter={(at) => tick(at as string | number)} />
          {bars ? <Bars {...props} /> : <Strokes {...props} />}
        </ComposedChart>
      </ResponsiveContainer>
    </figure>
  );
}

/** Lines with their intervals; the background of incomplete windows is striped. */
function Strokes({ points, lines, marks = [] }: SeriesProps) {
  const id = useId();
  return (
    <>
      <defs>
        <Hatch id={id} fill="var(--muted)" />
      </defs>
      {points.map(({ from, complete }, index) =>
        complete ? null : (
          <ReferenceArea
            key={from}
            x1={time((points[index - 1] ?? points[index])?.from as string)}
            x2={time(from)}
            fill={`url(#${id})`}
            fillOpacity={0.5}
            ifOverflow="hidden"
          />
        ),
      )}
      {lines.map(({ member, name, tone = "accent", band }) =>
        band ? (
          <Area
            key={`${member} interval`}
            dataKey={`${member} interval`}
            name={`${name}, interval`}
            stroke="none"
            fill={colour[tone]}
            fillOpacity={0.15}
            isAnimationActive={false}
            connectNulls={true}
          />
        ) : null,
      )}
      {lines.map(({ member, name, tone = "accent", dashed }) => (
        <Line
          key={member}
          dataKey={member}
          name={name}
          stroke={colour[tone]}
          strokeWidth={2}
          isAnimationActive={false}
          {...(dashed ? { strokeDasharray: "5 4" } : {})}
          dot={points.filter(({ values }) => values[member] != null).length < 15 ? { r: 2.5 } : false}
          connectNulls
        />
      ))}
      {marksOf(marks, time)}
    </>
  );
}

/** Bars, one on the other; those of windows that are not complete are striped. */
function Bars({ points, lines, marks = [] }: SeriesProps) {
  const id = useId();
  const before = (at: string): string => points.findLast(({ from }) => from <= at)?.from ?? at;
  return (
    <>
      <defs>
        {lines.map(({ member, tone = "accent" }) => (
          <Hatch key={member} id={`${id}${tone}`} fill={colour[tone]} />
        ))}
      </defs>
      {lines.map(({ member, name, tone = "accent" }) => (
        <Bar key={member} dataKey={member} name={name} stackId="all" fill={colour[tone]} isAnimationActive={false}>
          {points.map(({ from, complete }) => (
            <Cell key={from} fill={complete ? colour[tone] : `url(#${id}${tone})`} />
          ))}
        </Bar>
      ))}
      {marksOf(marks, before)}
    </>
  );
}
