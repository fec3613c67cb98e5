import type { Dimension, MeasureName } from "./measures.ts";

/** Length of the windows of a figure; weeks begin on Monday, days, weeks and months in the asked time zone. */
export const grains = ["minute", "hour", "day", "week", "month"] as const;
export type Grain = (typeof grains)[number];

export type Filters = Readonly<Partial<Record<Dimension, readonly (string | null)[]>>>;

/** A request to the rollups. Keys narrowed to agents get only theirs, without a filter. */
export interface RollupRequest {
  readonly measures: readonly MeasureName[];
  /** What rows are grouped by; left out: one row for everything. */
  readonly dimensions?: readonly Dimension[];
  readonly filters?: Filters;
  readonly where?: string;
  /** Milliseconds since the epoch, whole minutes: from `from` up to before `to`. */
  readonly from: number;
  readonly to: number;
  /** Left out: the whole window at once. */
  readonly grain?: Grain;
  /** Default UTC. */
  readonly timeZone?: string;
  /** By a measure, `-` before it for the largest first; default by time, then by dimensions. */
  readonly sort?: MeasureName | `-${MeasureName}`;
  readonly limit?: number;
}

/** A measured value. `low` and `high` bound it with 95 % for rates and means; null: there is none, or nothing to measure. */
export interface Measured {
  readonly value: number | null;
  readonly low: number | null;
  readonly high: number | null;
  readonly n: number;
}

export interface RollupRow {
  readonly from: number;
  readonly to: number;
  /** False where tasks of it are still open, or its time is not over. */
  readonly complete: boolean;
  /** Values of the asked dimensions: `other` for those beyond a dimension's limit, null for none. */
  readonly key: Readonly<Record<string, string | null>>;
  readonly values: Readonly<Record<MeasureName, Measured>>;
}

export interface RollupAnswer {
  readonly rows: readonly RollupRow[];
  readonly more: boolean;
  readonly complete: boolean;
  /** Everything that had happened by then is in it (milliseconds). */
  readonly asOf: number;
}
