// Figures of one process, gathered as they arise and read when somebody asks (`/metrics`).

export interface MetricSpec {
  /** `aos_…`, with its unit: `_seconds`, `_bytes`; counters end with `_total`. */
  readonly name: string;
  readonly help: string;
  readonly labels: readonly string[];
  /** Sets of label values that are kept, 500 by default; what comes beyond counts under `other` for every label. */
  readonly most?: number;
}

export interface Counter {
  /** Values of the labels, in their order. */
  add(labels: readonly string[], amount?: number): void;
}

export interface Histogram {
  observe(labels: readonly string[], value: number): void;
}

/** The present values of a gauge, by the values of its labels. One that rejects is left out of this answer. */
export type GaugeReader = () => Iterable<Reading> | Promise<Iterable<Reading>>;
export type Reading = readonly [labels: readonly string[], value: number];

/**
 * Where machines enter their metrics, once each, when they are made. A value that a caller chose freely is never a label: ids, addresses, paths and
 * text are not; operations, codes, states and the names of what an installation has are.
 */
export interface Meter {
  counter(spec: MetricSpec): Counter;
  /** `buckets`: upper bounds, ascending. */
  histogram(spec: MetricSpec & { readonly buckets: readonly number[] }): Histogram;
  gauge(spec: MetricSpec, read: GaugeReader): void;
}

/** For durations in seconds, from half a millisecond to half a minute. */
export const secondsBuckets = [
  0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30,
] as const;
/** For what takes microseconds to seconds. */
export const shortBuckets = [
  0.00001, 0.000025, 0.00005, 0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.1, 1,
] as const;
/** For calls of models and tools, in seconds. */
export const longBuckets = [0.001, 0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 40, 80, 160] as const;

/** Forgets what it measures: for machines whose figures nobody reads. */
export const noMeter: Meter = {
  counter: () => ({ add: () => undefined }),
  histogram: () => ({ observe: () => undefined }),
  gauge: () => undefined,
};
