import { lazy, Suspense } from "react";
import { Skeleton } from "./states.tsx";

// Charts come with a large library, loaded when the first one is shown.
const LazyLines = lazy(() => import("./charts-lazy.tsx").then((charts) => ({ default: charts.LinesChart })));
const LazyReliability = lazy(() =>
  import("./charts-lazy.tsx").then((charts) => ({ default: charts.ReliabilityChart })),
);

export interface LinesProps {
  /** What the chart shows, for those who do not see it. */
  readonly label: string;
  readonly points: readonly Readonly<Record<string, number | string | null>>[];
  /** The member of a point that stands on the horizontal axis. */
  readonly x: string;
  readonly lines: readonly {
    readonly member: string;
    readonly name: string;
    readonly tone?: "accent" | "warn" | "bad" | "muted";
  }[];
  /** A pair of members between which the ground is coloured: an interval. */
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
