import {
  Area,
  CartesianGrid,
  ComposedChart,
  ErrorBar,
  Line,
  ReferenceLine,
  ResponsiveContainer,
  Scatter,
  Tooltip,
  XAxis,
  YAxis,
} from "recharts";
import { percent } from "../lib/words.ts";
import type { Bin, LinesProps } from "./charts.tsx";

const colour = { accent: "var(--accent)", warn: "var(--warn)", bad: "var(--bad)", muted: "var(--muted)" };
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
