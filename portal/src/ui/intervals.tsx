import { clsx } from "clsx";

export interface Interval {
  readonly key: string;
  readonly name: string;
  readonly value: number;
  readonly low: number;
  readonly high: number;
  readonly tone?: "accent" | "muted" | "good" | "warn" | "bad" | "info";
  /** What stands beside it, such as how many it is about. */
  readonly note?: string;
}

interface IntervalsProps {
  readonly label: string;
  readonly rows: readonly Interval[];
  readonly format: (value: number) => string;
  /** The scale; what the intervals need by default. */
  readonly range?: readonly [number, number];
  /** Lines across all rows, such as a tolerance. */
  readonly marks?: readonly { readonly at: number; readonly name: string }[];
}

const tones = {
  accent: "text-accent",
  muted: "text-muted",
  good: "text-good",
  warn: "text-warn",
  bad: "text-bad",
  info: "text-info",
};

/** Values with their intervals on one scale, one under the other. Each row says in words what it draws. */
export function Intervals({ label, rows, format, range, marks = [] }: IntervalsProps) {
  const ends = [...rows.flatMap(({ low, high }) => [low, high]), ...marks.map(({ at }) => at)];
  const [least, most] = range ?? [Math.min(...ends), Math.max(...ends)];
  const room = most - least || 1;
  const place = (value: number): number => Math.max(0, Math.min(100, ((value - least) / room) * 100));
  return (
    <figure aria-label={label} className="grid gap-3">
      {rows.map(({ key, name, value, low, high, tone = "accent", note }) => (
        <div key={key} className="grid gap-1 text-sm">
          <p className="flex flex-wrap justify-between gap-x-4">
            <span className="font-medium">{name}</span>
            <span className="tabular-nums">
              {format(value)}{" "}
              <span className="text-muted">
                {format(low)} to {format(high)}
                {note ? `, ${note}` : ""}
              </span>
            </span>
          </p>
          <div aria-hidden="true" className={clsx("relative h-4", tones[tone])}>
            <span className="absolute inset-x-0 top-1/2 h-px bg-line-strong/60" />
            {marks.map(({ at, name }) => (
              <span
                key={name}
                className="absolute inset-y-0 w-0 border-l border-dashed border-ink"
                style={{ left: `${place(at)}%` }}
              />
            ))}
            <span
              className="absolute top-1 h-2 rounded-full bg-current opacity-30"
              style={{ left: `${place(low)}%`, width: `${Math.max(place(high) - place(low), 0.75)}%` }}
            />
            <span
              className="absolute inset-y-0 -ml-px w-0.75 rounded bg-current"
              style={{ left: `${place(value)}%` }}
            />
          </div>
        </div>
      ))}
      <div aria-hidden="true" className="flex justify-between text-2xs text-muted">
        <span>{format(least)}</span>
        {marks.map(({ at, name }) => (
          <span key={name}>
            ┆ {name} {format(at)}
          </span>
        ))}
        <span>{format(most)}</span>
      </div>
    </figure>
  );
}
