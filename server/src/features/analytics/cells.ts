import { type Cell, Histogram, tenthOf } from "@aos/rollup";
import { quantileInterval, wilsonInterval } from "@aos/statistics";
import {
  type Family,
  type Formula,
  familyBins,
  leastOfQuantile,
  type Measure,
  type MeasureName,
  measures,
} from "./measures.ts";
import type { Measured } from "./rollup-types.ts";

// What measures are made of, and how.

type Only = NonNullable<Extract<Formula, { kind: "sum" }>["only"]>;

/** A sum over the rows for which a condition holds. */
export interface Term {
  readonly of: string;
  readonly only?: Only;
}

/** What a cell says: sums by their term, bins by their kind. */
export interface CellReader {
  sum(of: string, only?: Only): number;
  bins(kind: string): Histogram;
}

const texts = new WeakMap<object, Map<string, string>>();
const always = {};

/** A text for a term; asked for with every figure of every row, so it is made once. */
export function termText({ of, only }: Term): string {
  const known = texts.get(only ?? always) ?? new Map<string, string>();
  texts.set(only ?? always, known);
  const text = known.get(of) ?? JSON.stringify([of, only?.dimension ?? null, only?.values]);
  known.set(of, text);
  return text;
}
const term = (of: string, only: Only | undefined): Term => ({ of, ...(only && { only }) });

const sumTerms = (only: Only | undefined, of: string): Term[] => [term(of, only), term("n", only)];

/** The sums and bins that a measure is made of. */
export function partsOf(name: MeasureName): { readonly sums: readonly Term[]; readonly bins: readonly string[] } {
  const { formula }: Measure = measures[name];
  switch (formula.kind) {
    case "sum":
      return {
        sums: [...sumTerms(formula.only, formula.of), ...(formula.less ? sumTerms(formula.less, formula.of) : [])],
        bins: [],
      };
    case "rate":
      return { sums: [term(formula.of, formula.only), term(formula.by, formula.among)], bins: [] };
    case "mean":
      return { sums: [{ of: formula.of }, { of: formula.by }], bins: [] };
    case "quantile":
      return { sums: [], bins: [formula.of] };
    case "calibration":
      return { sums: [], bins: ["judged_bin", "accepted_bin", "trust_bin"] };
  }
}

/** Whether a measure comes with an interval. */
export function hasInterval(name: MeasureName): boolean {
  const { formula, unit }: Measure = measures[name];
  return formula.kind === "rate" || formula.kind === "quantile" || (formula.kind === "mean" && unit === "score");
}

/** Ten thousandths, in which shares and scores are kept. */
const whole = 10_000;
const kept = new Set(["accepted", "trust"]);

/** Takes off the last digits, which binary fractions make up. */
const rounded = (value: number): number =>
  Number.isInteger(value) && Math.abs(value) < 1e14 ? value : Number(value.toPrecision(14));
const without = (value: number | null, n: number): Measured => ({ value, low: null, high: null, n });

export function measured(name: MeasureName, cell: CellReader): Measured {
  const { formula, unit }: Measure = measures[name];
  switch (formula.kind) {
    case "sum": {
      const { of, only, less, scale = 1 } = formula;
      const sum = (what: string): number => cell.sum(what, only) - (less ? cell.sum(what, less) : 0);
      return without(rounded(sum(of) * scale), sum("n"));
    }
    case "rate": {
      const n = cell.sum(formula.by, formula.among);
      return shareOf(cell.sum(formula.of, formula.only) / (formula.over ?? 1), n);
    }
    case "mean": {
      const by = cell.sum(formula.by);
      const n = kept.has(formula.by) ? Math.round(by / whole) : by;
      if (!(by > 0)) return without(null, 0);
      const value = (cell.sum(formula.of) / by) * (formula.scale ?? 1);
      // Sums of squares are not kept: only a mean of scores, which lie between 0 and 1, can be bounded.
      return unit === "score" ? bounded(value, n) : without(rounded(value), n);
    }
    case "quantile":
      return quantileOf(cell.bins(formula.of), formula.at, formula.scale ?? 1);
    case "calibration":
      return calibrationOf(cell);
  }
}

const shareOf = (count: number, n: number): Measured => (n > 0 ? bounded(count / n, n) : without(null, 0));

function bounded(value: number, n: number): Measured {
  const { low, high } = wilsonInterval(Math.min(1, Math.max(0, value)), n) ?? { low: null, high: null };
  return { value: rounded(value), low, high, n };
}

function quantileOf(histogram: Histogram, at: number, scale: number): Measured {
  const n = histogram.total;
  if (n < leastOfQuantile(at)) return without(null, n);
  const valueAt = (place: number | undefined) => {
    const value = place === undefined ? null : histogram.quantile(place);
    return value === null ? null : rounded(value * scale);
  };
  const range = quantileInterval(at, n);
  return { value: valueAt(at), low: valueAt(range?.low), high: valueAt(range?.high), n };
}

function calibrationOf(cell: CellReader): Measured {
  const [judged, accepted, trust] = ["judged_bin", "accepted_bin", "trust_bin"].map((kind) => cell.bins(kind));
  const n = judged?.total ?? 0;
  if (!(n > 0)) return without(null, 0);
  let error = 0;
  for (let tenth = 0; tenth <= tenthOf(whole); tenth++)
    error += Math.abs((accepted?.get(tenth) ?? 0) - (trust?.get(tenth) ?? 0)) / whole;
  return without(rounded(error / n), n);
}

/** Reads cells of one family whose sums and bins stand in the order of `terms` and `kinds`. */
export function readerOf(
  cells: readonly Cell[],
  terms: ReadonlyMap<string, number>,
  kinds: readonly string[],
): CellReader {
  return {
    sum(of, only) {
      const at = terms.get(termText(term(of, only))) ?? -1;
      return cells.reduce((sum, cell) => sum + (cell.sums[at] ?? 0), 0);
    },
    bins(kind) {
      const all = cells.flatMap((cell) => cell.bins[kinds.indexOf(kind)] ?? []);
      if (all.length === 1) return all[0] as Histogram;
      const sum = new Histogram();
      for (const histogram of all) sum.addAll(histogram);
      return sum;
    },
  };
}

/** Bins that measures of a family need, without repetition. */
export function kindsOf(family: Family, names: readonly MeasureName[]): string[] {
  const needed = new Set(names.flatMap((name) => partsOf(name).bins));
  return familyBins[family].filter((kind) => needed.has(kind));
}
