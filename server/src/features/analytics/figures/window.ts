import { timestamp } from "../../../kernel/clock.ts";
import type { CallContext } from "../../../kernel/context.ts";
import { type Fault, Refusal, refuse } from "../../../kernel/errors.ts";
import { momentOf } from "../../../kernel/moment.ts";
import { limitedTo } from "../../../kernel/narrowing.ts";
import { exempt, governs } from "../../../kernel/operation.ts";
import { invalidParameter } from "../../../kernel/problems.ts";
import { isTimeZone } from "../../../kernel/time-zone.ts";
import {
  type Dimension,
  type Family,
  familyDimensions,
  labelled,
  type MeasureName,
  measures,
} from "../rollups/measures.ts";
import { withNames } from "../rollups/names-store.ts";
import { latestEnd } from "../rollups/plan.ts";
import {
  type Filters,
  type Grain,
  type Measured,
  type RollupAnswer,
  type RollupRow,
  rollup,
} from "../rollups/rollup.ts";
import { linkOf } from "./link.ts";
import type { Breakdown, Figure, Point, WindowQuery } from "./window-schemas.ts";

// What the operations that show figures have in common: their window, figures with the window before, series and tables.

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const mostPoints = 1_500;
/** The shortest window of each grain. */
const lengths: Readonly<Record<Grain, number>> = {
  minute,
  hour,
  day: 23 * hour,
  week: 7 * day - hour,
  month: 28 * day,
};

/** A stretch of time (milliseconds since the epoch, whole minutes) and what of it is looked at. */
export interface FigureWindow {
  readonly from: number;
  readonly to: number;
  readonly grain: Grain;
  readonly timeZone: string;
  readonly filters: Filters;
}

/** The window that a query asks for, and only what its filters name; refused where it makes no sense. */
export function windowOf(ctx: Pick<CallContext, "now">, query: WindowQuery): FigureWindow {
  const to = query.to === undefined ? Math.ceil(ctx.now / minute) * minute : momentOf(query.to);
  const from = query.from === undefined ? to - 30 * day : momentOf(query.from);
  const window = { from, to, timeZone: query.time_zone ?? "UTC", filters: filtersOf(query) };
  const grain = query.grain ?? grainFor(to - from);
  const faults = windowFaults({ ...window, grain });
  if (faults[0]) throw refuse(invalidParameter, `${faults[0].parameter}: ${faults[0].detail}`, { errors: faults });
  return { ...window, grain };
}

const grainFor = (length: number): Grain => (length <= 3 * hour ? "minute" : length <= 3 * day ? "hour" : "day");

function windowFaults({ from, to, grain, timeZone }: FigureWindow): Fault[] {
  const fault = (parameter: string, code: string, detail: string): Fault => ({ parameter, code, detail });
  const faults: Fault[] = [];
  for (const [name, at] of Object.entries({ from, to }))
    if (at % minute !== 0)
      faults.push(fault(name, "not_whole_minute", "must be a whole minute, such as 2026-11-01T00:00:00Z"));
  if (to > latestEnd) faults.push(fault("to", "too_late", `must be at most ${timestamp(latestEnd)}`));
  if (from >= to) faults.push(fault("from", "not_before_to", `must be before \`to\`, which is ${timestamp(to)}`));
  if (!isTimeZone(timeZone))
    faults.push(fault("time_zone", "unknown_time_zone", "must be a time zone such as `Europe/Vienna` or `UTC`"));
  const points = Math.ceil((to - from) / lengths[grain]);
  if (points > mostPoints)
    faults.push(
      fault(
        "grain",
        "too_many_points",
        `would make ${points} windows of a ${grain}, at most ${mostPoints} are returned; ask for a coarser grain or a shorter window`,
      ),
    );
  return faults;
}

function filtersOf({ agent, skill, label }: WindowQuery): Filters {
  const [, name, value] = /^([^:]+):(.+)$/.exec(label ?? "") ?? [];
  return {
    ...(agent !== undefined && { agent: [agent] }),
    ...(skill !== undefined && { skill: [skill] }),
    ...(name !== undefined && value !== undefined && { [`label:${name}`]: [value] }),
  };
}

export const windowBefore = <W extends Pick<FigureWindow, "from" | "to">>(window: W): W => ({
  ...window,
  from: window.from - (window.to - window.from),
  to: window.from,
});

/** What every answer begins with; `answers` are those that it is made of. */
export function headOf(window: FigureWindow, ...answers: readonly Pick<RollupAnswer, "complete" | "asOf">[]) {
  return {
    from: timestamp(window.from),
    to: timestamp(window.to),
    time_zone: window.timeZone,
    grain: window.grain,
    complete: answers.every(({ complete }) => complete),
    as_of: timestamp(Math.min(...answers.map(({ asOf }) => asOf))),
  };
}

export interface Asked<M extends MeasureName> {
  readonly measures: readonly M[];
  readonly filters?: Filters;
}

export interface AskedTable<M extends MeasureName> extends Asked<M> {
  readonly dimensions: readonly Dimension[];
  readonly sort?: M | `-${M}`;
  readonly limit?: number;
}

/** What a measure is of: a family that lacks a dimension that is filtered by has nothing to say. */
function hasDimensions(family: Family, dimensions: readonly string[]): boolean {
  const own: readonly string[] = familyDimensions[family];
  return dimensions.every((name) => own.includes(name) || (name.startsWith("label:") && labelled.has(family)));
}

const knownUnder = <M extends MeasureName>(names: readonly M[], filters: Filters): M[] =>
  names.filter((name) => hasDimensions(measures[name].family, Object.keys(filters)));

const nothing: Measured = { value: null, low: null, high: null, n: 0 };

export type Reading = Parameters<typeof rollup>[0];

type Head = Pick<RollupAnswer, "complete" | "asOf">;

/** Figures of the whole window, each with the window before. A measure to which the filters do not apply, such as violations by skill, has no value. */
export async function figuresOf<M extends MeasureName>(
  ctx: Reading,
  window: FigureWindow,
  asked: Asked<M>,
): Promise<Head & { readonly figures: Record<M, Figure> }> {
  const { rows, complete, asOf } = await tableOf(ctx, window, { ...asked, dimensions: [] });
  const figures = rows[0]?.figures ?? figuresOfRow(asked.measures, undefined, undefined, () => null);
  return { figures: figures as Record<M, Figure>, complete, asOf };
}

export async function seriesOf<M extends MeasureName>(
  ctx: Reading,
  window: FigureWindow,
  asked: Asked<M>,
): Promise<Head & { readonly points: Point[] }> {
  const filters = { ...window.filters, ...asked.filters };
  const names = knownUnder(asked.measures, filters);
  const answer = await rolled(ctx, window, { measures: names, filters, grain: window.grain });
  const points = answer.rows.map((row) => pointOf(asked.measures, row));
  return { points, complete: answer.complete, asOf: answer.asOf };
}

const pointOf = (names: readonly MeasureName[], { from, to, complete, values }: RollupRow): Point => ({
  from: timestamp(from),
  to: timestamp(to),
  complete,
  values: Object.fromEntries(names.map((name) => [name, values[name]?.value ?? null])),
});

export async function tableOf<M extends MeasureName>(
  ctx: Reading,
  window: FigureWindow,
  asked: AskedTable<M>,
): Promise<Head & { readonly rows: Breakdown[]; readonly more: boolean }> {
  const filters = { ...window.filters, ...asked.filters };
  const { dimensions, sort, limit } = asked;
  const request = { measures: knownUnder(asked.measures, filters), dimensions, filters };
  const now = await rolledTable(ctx, window, { ...request, ...(sort && { sort }), ...(limit && { limit }) });
  const before = await rolled(ctx, windowBefore(window), {
    ...request,
    filters: { ...filters, ...sameRows(dimensions, now) },
  });
  const earlier = new Map(before.rows.map((row) => [keyText(row), row]));
  const rows = now.rows.map((row) => ({
    key: row.key,
    figures: figuresOfRow(asked.measures, row, earlier.get(keyText(row)), (name) =>
      linkOf(name, { ...filters, ...keyFilters(row) }, window),
    ),
  }));
  return { rows: await withNames(ctx, rows), more: now.more, complete: now.complete, asOf: now.asOf };
}

const keyText = ({ key }: RollupRow): string => JSON.stringify(Object.entries(key).sort());
const keyFilters = ({ key }: RollupRow): Filters =>
  Object.fromEntries(Object.entries(key).map(([dimension, value]) => [dimension, [value]]));

const mostNamed = 1_000;

/** A filter for the rows of a table, where it has one dimension: another request about them needs no others. */
function sameRows(dimensions: readonly Dimension[], { rows }: Pick<RollupAnswer, "rows">): Filters {
  const [dimension] = dimensions;
  if (dimension === undefined || dimensions.length > 1 || rows.length === 0 || rows.length > mostNamed) return {};
  return { [dimension]: rows.map(({ key }) => key[dimension] ?? null) };
}

function figuresOfRow(
  names: readonly MeasureName[],
  row: RollupRow | undefined,
  before: RollupRow | undefined,
  link: (name: MeasureName) => string | null,
): Record<string, Figure> {
  return Object.fromEntries(
    names.map((name) => {
      const { value, low, high, n } = row?.values[name] ?? nothing;
      return [name, { value, low, high, n, previous: before?.values[name]?.value ?? null, link: link(name) }];
    }),
  );
}

type Asking = Omit<Parameters<typeof rollup>[1], "from" | "to" | "timeZone">;

/** Where rows are too many for their percentiles, those that are shown are found first. */
async function rolledTable(ctx: Reading, window: FigureWindow, asking: Asking): Promise<RollupAnswer> {
  const { dimensions = [], sort, limit, filters } = asking;
  try {
    return await rolled(ctx, window, asking);
  } catch (error) {
    const [fault] = error instanceof Refusal ? (error.details.errors ?? []) : [];
    if (fault?.code !== "too_many_rows" || sort === undefined || dimensions.length !== 1) throw error;
    const shown = await rolled(ctx, window, { ...asking, measures: [sort.replace(/^-/, "") as MeasureName] });
    const rows = { ...filters, ...sameRows(dimensions, shown) };
    const found = await rolled(ctx, window, { ...asking, filters: rows });
    return { ...found, more: shown.more && limit !== undefined };
  }
}

async function rolled(ctx: Reading, { from, to, timeZone }: FigureWindow, asking: Asking): Promise<RollupAnswer> {
  if (asking.measures.length === 0) return { rows: [], more: false, complete: to <= ctx.now, asOf: ctx.now };
  try {
    return await rollup(ctx, { ...asking, from, to, timeZone });
  } catch (error) {
    throw asParameter(error);
  }
}

/** Members of a request to the rollups by the parameters that say them. */
const parameters: Readonly<Record<string, string>> = { dimensions: "by", filters: "label" };

export function asParameter(error: unknown): unknown {
  const [fault] = error instanceof Refusal ? (error.details.errors ?? []) : [];
  const parameter = parameters[fault?.parameter ?? ""];
  if (fault === undefined || parameter === undefined) return error;
  return refuse(invalidParameter, `${parameter}: ${fault.detail}.`, { errors: [{ ...fault, parameter }] });
}

export const figureRead = {
  permission: "analytics:read",
  load: exempt("names no object"),
  narrowing: limitedTo("shows figures of the key's agents"),
  compliance: governs("analytics.read"),
  audit: "analytics",
} as const;
