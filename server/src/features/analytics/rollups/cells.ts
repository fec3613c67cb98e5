import { setImmediate as turn } from "node:timers/promises";
import { type Cell, type Condition, Histogram, Scan, type ScanRequest, type Shape, tenthOf } from "@aos/rollup";
import { quantileInterval, wilsonInterval } from "@aos/statistics";
import type { ReadContext } from "../../../kernel/context.ts";
import { BlockGone, type BlockRow, DigestingScan, listBlocks, loadBlocks, type Wanted } from "./blocks-store.ts";
import { type CachedBlock, type DimensionValues, Unpacker, valuesOf } from "./cache.ts";
import { noneNumber } from "./families.ts";
import {
  type Family,
  type Formula,
  familyBins,
  familySums,
  leastOfQuantile,
  type Measure,
  type MeasureName,
  measures,
  mostLabelValues,
} from "./measures.ts";
import { type Plan, planOf, type StoredGrain, windowAt } from "./plan.ts";
import { badRequest, dimensionsOf, mostDistributions, mostJudged, mostRows, type Resolved } from "./requests.ts";
import type { Measured } from "./types.ts";

// What measures are made of, and how.

type Only = NonNullable<Extract<Formula, { kind: "sum" }>["only"]>;

export interface Term {
  readonly of: string;
  readonly only?: Only;
}

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

export function hasInterval(name: MeasureName): boolean {
  const { formula, unit }: Measure = measures[name];
  return formula.kind === "rate" || formula.kind === "quantile" || (formula.kind === "mean" && unit === "score");
}

/** Ten thousandths, in which shares and scores are kept. */
const whole = 10_000;
const kept = new Set(["accepted", "trust"]);

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

export function kindsOf(family: Family, names: readonly MeasureName[]): string[] {
  const needed = new Set(names.flatMap((name) => partsOf(name).bins));
  return familyBins[family].filter((kind) => needed.has(kind));
}

type Reading = Pick<ReadContext, "db" | "scope" | "facts" | "principal">;

export interface FamilyCells {
  readonly cells: readonly Cell[];
  /** Cells by window and dimensions with what is not over yet; the dimension that says so is none of them. */
  readonly open: readonly Cell[];
  readonly openDimensions: readonly string[];
  readonly values: ReadonlyMap<string, DimensionValues>;
  readonly terms: ReadonlyMap<string, number>;
  readonly kinds: readonly string[];
  readonly pendingSince: number | null;
}

/** The value by which a family says that something of it is not over. */
const openValues: Partial<Record<Family, { readonly dimension: string; readonly value: string }>> = {
  tasks: { dimension: "status", value: "open" },
  approvals: { dimension: "decision", value: "pending" },
};

/** Attempts to read blocks that are merged meanwhile. */
const mostAttempts = 8;

export async function scanFamily(ctx: Reading, family: Family, resolved: Resolved): Promise<FamilyCells> {
  const plan = planOf(resolved.windows);
  for (let attempt = 1; ; attempt++) {
    try {
      return await scanOnce(ctx, family, resolved, plan);
    } catch (error) {
      if (!(error instanceof BlockGone) || attempt === mostAttempts) throw error;
    }
  }
}

async function scanOnce(ctx: Reading, family: Family, resolved: Resolved, plan: Plan): Promise<FamilyCells> {
  const { blocks, pendingSince } = await listBlocks(ctx, family, plan);
  const terms = termsOf(resolved.names.get(family) ?? []);
  const values = await valuesOf(ctx, dimensionsNeeded(ctx, family, resolved, terms));
  // A key that is narrowed to agents would learn by it which values others have.
  if (ctx.principal.agents === null) refuseUncounted(resolved, values);
  const columns = new FamilyColumns(family, resolved, values);
  const conditions = columns.conditions(ctx.principal.agents);
  const kinds = kindsOf(family, resolved.names.get(family) ?? []);
  const request: ScanRequest = {
    conditions: conditions.map(({ condition }) => condition),
    group: resolved.dimensions.map((name) => columns.at(name)),
    sums: terms.map(({ of, only }) => ({
      sum: columns.sumAt(of),
      ...(only && { only: columns.valueCondition(only.dimension, only.values) }),
    })),
    bins: kinds.map((kind) => (familyBins[family] as readonly string[]).indexOf(kind)),
  };
  const open = openValues[family];
  const openDimensions = resolved.dimensions.filter((name) => name !== open?.dimension);
  const openRequest: ScanRequest | null = open
    ? {
        conditions: [
          columns.valueCondition(open.dimension, [open.value]),
          ...conditions.filter(({ reads }) => !reads.includes(open.dimension)).map(({ condition }) => condition),
        ],
        group: openDimensions.map((name) => columns.at(name)),
        sums: [{ sum: columns.sumAt("n") }],
        bins: [],
      }
    : null;
  const narrowing = [family, ctx.principal.agents, resolved.filters, resolved.where];
  const scanOf = (one: ScanRequest, ...what: unknown[]) =>
    new DigestingScan(ctx.facts, JSON.stringify([...narrowing, ...what]), new Scan(columns.shape, one));
  const scans = [scanOf(request, resolved.dimensions, terms, kinds)];
  if (openRequest) scans.push(scanOf(openRequest, "open", openDimensions));
  const wanted = wantedOf([request, ...(openRequest ? [openRequest] : [])]);
  await scanBlocks(ctx, family, { blocks, wanted, scans, resolved });
  const [cells, unfinished] = scans.map(({ scan }) => [...scan.cells()].filter(({ sums }) => sums[0] !== 0));
  return {
    cells: cells ?? [],
    open: unfinished ?? [],
    openDimensions,
    values,
    kinds,
    pendingSince,
    terms: new Map(terms.map((term, at) => [termText(term), at])),
  };
}

/** What a label's values beyond its limit came to is not known one by one, so that it does not count as nothing. */
function refuseUncounted({ filters }: Resolved, values: FamilyCells["values"]): void {
  for (const [dimension, texts] of Object.entries(filters)) {
    const known = values.get(dimension);
    if (!dimension.startsWith("label:") || !known?.isFull(mostLabelValues)) continue;
    const foreign = texts?.find((text) => text !== null && text !== "other" && !known.has(text));
    if (foreign === undefined || foreign === null) continue;
    const label = dimension.slice("label:".length);
    const detail = `${foreign} is none of the first ${mostLabelValues} values of the label ${label}; others are counted together, as \`other\``;
    throw badRequest("filters", "counted_as_other", detail);
  }
}

function termsOf(names: readonly MeasureName[]): Term[] {
  const all = [{ of: "n" }, ...names.flatMap((name) => partsOf(name).sums)];
  return [...new Map(all.map((term) => [termText(term), term])).values()];
}

function dimensionsNeeded(
  { principal }: Reading,
  family: Family,
  { dimensions, filters, clauses }: Resolved,
  terms: readonly Term[],
): Set<string> {
  return new Set([
    ...dimensions,
    ...Object.keys(filters),
    ...clauses.flatMap((clause) => clause.dimensions),
    ...terms.flatMap(({ only }) => only?.dimension ?? []),
    ...(openValues[family] ? [openValues[family].dimension] : []),
    ...(principal.agents === null ? [] : ["agent"]),
  ]);
}

interface Named {
  readonly reads: readonly string[];
  readonly condition: Condition;
}

class FamilyColumns {
  readonly #family: Family;
  readonly #dimensions: readonly string[];
  readonly #resolved: Resolved;
  readonly #values: ReadonlyMap<string, DimensionValues>;
  readonly #conditions = new Map<string, Condition>();

  constructor(family: Family, resolved: Resolved, values: ReadonlyMap<string, DimensionValues>) {
    this.#family = family;
    this.#resolved = resolved;
    this.#dimensions = dimensionsOf(family, resolved.labels);
    this.#values = values;
  }

  get shape(): Shape {
    return {
      dims: this.#dimensions.length,
      sums: familySums[this.#family].length,
      bins: familyBins[this.#family].length,
    };
  }

  at(dimension: string): number {
    return this.#dimensions.indexOf(dimension);
  }

  sumAt(of: string): number {
    return (familySums[this.#family] as readonly string[]).indexOf(of);
  }

  /** The same object for the same condition, which is then judged once. */
  valueCondition(dimension: string, texts: readonly (string | null)[]): Condition {
    const name = JSON.stringify([dimension, texts]);
    const known = this.#conditions.get(name);
    if (known) return known;
    const values = this.#values.get(dimension);
    const judge = ([number]: readonly number[]) => texts.includes(values?.textOf(number as number) ?? null);
    const condition = { dims: [this.at(dimension)], judge };
    this.#conditions.set(name, condition);
    return condition;
  }

  conditions(agents: readonly string[] | null): Named[] {
    const { filters, clauses } = this.#resolved;
    const named = (dimension: string, texts: readonly (string | null)[]): Named => ({
      reads: [dimension],
      condition: this.valueCondition(dimension, texts),
    });
    return [
      ...(agents === null ? [] : [this.at("agent") < 0 ? nothing : named("agent", agents)]),
      ...Object.entries(filters).flatMap(([dimension, texts]) => (texts ? [named(dimension, texts)] : [])),
      ...clauses.map((clause) => this.#clause(clause)),
    ];
  }

  #clause({ dimensions, holds }: Resolved["clauses"][number]): Named {
    const values = dimensions.map((name) => this.#values.get(name));
    let judged = 0;
    const judge = (numbers: readonly number[]): boolean => {
      if (++judged > mostJudged)
        throw badRequest(
          "where",
          "too_many_combinations",
          `would be judged for more than ${mostJudged} combinations of ${dimensions.join(", ")}; ask about fewer of them at once, or join parts by &&`,
        );
      return holds(numbers.map((number, at) => values[at]?.textOf(number) ?? ""));
    };
    return { reads: dimensions, condition: { dims: dimensions.map((name) => this.at(name)), judge } };
  }
}

/** A key that is narrowed to agents sees nothing of what belongs to none. */
const nothing: Named = { reads: [], condition: { dims: [], judge: () => false } };

function wantedOf(requests: readonly ScanRequest[]): Wanted {
  const conditions = requests.flatMap(({ conditions, sums }) => [
    ...conditions,
    ...sums.flatMap(({ only }) => only ?? []),
  ]);
  const unique = (places: readonly number[]) => [...new Set(places)];
  return {
    dims: unique([...requests.flatMap(({ group }) => group), ...conditions.flatMap(({ dims }) => dims)]),
    sums: unique(requests.flatMap(({ sums }) => sums.map(({ sum }) => sum))),
    bins: unique(requests.flatMap(({ bins }) => bins)),
  };
}

/** How much of a batch a block takes; a batch is about a month of days. */
const weights: Readonly<Record<StoredGrain, number>> = { day: 64, hour: 4, quarter: 2, minute: 1 };
const batchWeight = 2_048;

function batchesOf(blocks: readonly BlockRow[]): BlockRow[][] {
  const batches: BlockRow[][] = [];
  let room = 0;
  for (const block of blocks) {
    room -= weights[block.grain];
    if (room < 0) {
      batches.push([]);
      room = batchWeight - weights[block.grain];
    }
    (batches.at(-1) as BlockRow[]).push(block);
  }
  return batches;
}

/** Milliseconds after which other work of the process has its turn. */
const slice = 10;

interface Scanning {
  readonly blocks: readonly BlockRow[];
  readonly wanted: Wanted;
  readonly scans: readonly DigestingScan[];
  readonly resolved: Resolved;
}

async function scanBlocks(ctx: Reading, family: Family, { blocks, wanted, scans, resolved }: Scanning): Promise<void> {
  const unpacker = new Unpacker(noneNumber);
  let since = performance.now();
  const added = async (): Promise<void> => {
    requireRoom((scans[0] as DigestingScan).scan, wanted);
    if (performance.now() - since < slice) return;
    await turn();
    since = performance.now();
  };
  const windowOf = ({ bucket }: BlockRow) => windowAt(resolved.windows, bucket);
  const [known, others] = [[] as BlockRow[], [] as BlockRow[]];
  for (const row of blocks) (scans.every((scan) => scan.knows(row)) ? known : others).push(row);
  for (const row of known) {
    for (const scan of scans) scan.addKnown(row, windowOf(row));
    await added();
  }
  for (const batch of batchesOf(others)) {
    const loaded = await loadBlocks(ctx, family, batch, wanted);
    for (const [at, row] of batch.entries()) {
      const columns = unpacker.columnsOf(loaded[at] as CachedBlock);
      for (const scan of scans) scan.add(row, columns, windowOf(row));
      await added();
    }
  }
}

function requireRoom({ size }: Scan, { bins }: Wanted): void {
  const rule = "ask for fewer dimensions or a coarser grain, or narrow it by filters";
  if (size > mostRows)
    throw badRequest("dimensions", "too_many_rows", `would make more than ${mostRows} rows; ${rule}`);
  if (size * bins.length > mostDistributions) {
    const most = Math.floor(mostDistributions / bins.length);
    throw badRequest("dimensions", "too_many_rows", `would make more than ${most} rows with percentiles; ${rule}`);
  }
}
