// What answers of analytics have in common.

/** A measured value with its interval, what it was in the window before, and where the things behind it are listed. */
export interface Figure {
  readonly value: number | null;
  readonly low: number | null;
  readonly high: number | null;
  readonly n: number;
  readonly previous: number | null;
  readonly link: string | null;
}

/** What every answer begins with. */
export interface WindowHead {
  readonly from: string;
  readonly to: string;
  readonly time_zone: string;
  readonly grain: "minute" | "hour" | "day" | "week" | "month";
  readonly complete: boolean;
  readonly as_of: string;
}

/** Values of one window of time, by measure. */
export interface Point {
  readonly from: string;
  readonly to: string;
  readonly complete: boolean;
  readonly values: Readonly<Record<string, number | null>>;
}

/** Figures of one value of a dimension, or of one combination. */
export interface Breakdown {
  readonly key: Readonly<Record<string, string | null>>;
  /** What a value is called, where it is an id. */
  readonly names?: Readonly<Record<string, string>>;
  readonly figures: Readonly<Record<string, Figure>>;
}
