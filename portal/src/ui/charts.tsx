import { lazy, Suspense } from "react";
import { Skeleton } from "./states.tsx";

// Charts come with a large library, loaded when the first one is shown.
const LazyLines = lazy(() => import("./charts-lazy.tsx").then((charts) => ({ default: charts.LinesChart })));
const LazyReliability = lazy(() =>
  import("./charts-lazy.tsx").then((charts) => ({ default: charts.ReliabilityChart })),
);
const LazySeries = lazy(() => import("./charts-lazy.tsx").then((charts) => ({ default: charts.SeriesChart })));

export interface LinesProps {
  /** What the chart shows, for those who do not see it. */
  readonly label: string;
  readonly points: readonly Readonly<Record<string, number | string | null>>[];
  /** The member of a point that stands on the horizontal axis. */
  readonly x: string;
  readonly lines: readonly {
    readonly member: string;
    readonly name: string;
    readonly tone?: "accent" | "warn" | "bad" | "muted" | "good" | "info";
  }[];
  /** A pair of members between which the background is coloured: an interval. */
  readonly band?: readonly [low: string, high: string];
  readonly range?: readonly [number, number];
  readonly format?: (value: number) => string;
}

export interface Bin {
  readonly from: number;
  readonly to: number;
  readonly n: number;
  readonly mean_score: number | null;
  readonly mean_outcome: number | null;
  readonly low: number | null;
  readonly high: number | null;
}

/** Values over time or steps. */
export function Lines(props: LinesProps) {
  return (
    <Suspense fallback={<Skeleton className="h-56" />}>
      <LazyLines {...props} />
    </Suspense>
  );
}

/** What was said against what happened: on the diagonal, a score of 80 % came true in 80 of 100 cases. */
export function Reliability({ bins, label }: { readonly bins: readonly Bin[]; readonly label: string }) {
  return (
    <Suspense fallback={<Skeleton className="h-64" />}>
      <LazyReliability bins={bins} label={label} />
    </Suspense>
  );
}

/** A window of a series with its values. */
export interface SeriesPoint {
  readonly from: string;
  readonly to: string;
  /** False: it is not over, or what it counts may still change. */
  readonly complete: boolean;
  readonly values: Readonly<Record<string, number | null>>;
}

export interface SeriesLine {
  /** Name of its values. */
  readonly member: string;
  readonly name: string;
  readonly tone?: "accent" | "warn" | "bad" | "muted" | "good" | "info";
  readonly dashed?: boolean;
  /** Names of the values between which the background is coloured: an interval. */
  readonly band?: readonly [low: string, high: string];
}

export interface SeriesProps {
  /** What the chart shows, for those who do not see it. */
  readonly label: string;
  readonly points: readonly SeriesPoint[];
  readonly lines: readonly SeriesLine[];
  readonly as?: "lines" | "bars";
  readonly format?: (value: number) => string;
  /** How a time is written at the axis. */
  readonly tick: (time: number | string) => string;
  readonly range?: readonly [number, number];
  /** Times at which something happened. */
  readonly marks?: readonly { readonly at: string; readonly label: string; readonly tone?: SeriesLine["tone"] }[];
  readonly height?: string;
}

/** Values by windows of time. What is not complete yet is striped. */
export function Series(props: SeriesProps) {
  return (
    <Suspense fallback={<Skeleton className={props.height ?? "h-56"} />}>
      <LazySeries {...props} />
    </Suspense>
  );
}
