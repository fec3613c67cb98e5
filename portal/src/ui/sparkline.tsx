import { clsx } from "clsx";

interface SparklineProps {
  readonly values: readonly (number | null)[];
  /** How many of the last windows are not complete; drawn dashed. */
  readonly open?: number;
  readonly className?: string;
}

/** A small series without axes, beside the figure that it belongs to, which says what those who do not see it need. */
export function Sparkline({ values, open = 0, className }: SparklineProps) {
  const known = values.flatMap((value, index) => (value === null ? [] : [{ index, value }]));
  if (known.length < 2) return <span aria-hidden="true" className={clsx("block h-8", className)} />;
  const numbers = known.map(({ value }) => value);
  const [least, most] = [Math.min(...numbers), Math.max(...numbers)];
  const x = (index: number): number => 2 + (index / (values.length - 1)) * 116;
  const y = (value: number): number => (most === least ? 16 : 29 - ((value - least) / (most - least)) * 26);
  const line = (points: typeof known): string =>
    points.map(({ index, value }) => `${x(index).toFixed(1)},${y(value).toFixed(1)}`).join(" ");
  const border = values.length - 1 - open;
  const closed = known.filter(({ index }) => index <= border);
  const pending = [...closed.slice(-1), ...known.filter(({ index }) => index > border)];
  return (
    <svg
      viewBox="0 0 120 32"
      preserveAspectRatio="none"
      aria-hidden="true"
      className={clsx("block h-8 w-full text-accent", className)}
    >
      {[
        { points: closed, dash: undefined },
        { points: pending, dash: "3 3" },
      ].map(({ points, dash }) =>
        points.length < 2 ? null : (
          <polyline
            key={dash ?? "closed"}
            points={line(points)}
            fill="none"
            stroke="currentColor"
            strokeWidth="1.75"
            strokeLinejoin="round"
            vectorEffect="non-scaling-stroke"
            {...(dash ? { strokeDasharray: dash } : {})}
          />
        ),
      )}
    </svg>
  );
}
