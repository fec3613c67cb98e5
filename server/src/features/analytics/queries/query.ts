import { nearestName } from "@aos/text";
import { timestamp } from "../../../kernel/clock.ts";
import type { ReadContext } from "../../../kernel/context.ts";
import { Refusal, refuse } from "../../../kernel/errors.ts";
import { momentOf } from "../../../kernel/moment.ts";
import { invalidBody, invalidParameter } from "../../../kernel/problems.ts";
import { linkOf } from "../figures/link.ts";
import { hasInterval } from "../rollups/cells.ts";
import { type Dimension, type Measure, type MeasureName, measures } from "../rollups/measures.ts";
import { withNames } from "../rollups/names-store.ts";
import { windowsOf } from "../rollups/plan.ts";
import { badRequest, mostWindows } from "../rollups/requests.ts";
import { type Filters, type RollupRequest, type RollupRow, rollup } from "../rollups/rollup.ts";
import { filtersOf } from "../rollups/where.ts";
import type { Column, QueryAnswer, QueryBody } from "./schemas.ts";

type Reading = Parameters<typeof rollup>[0];

const minute = 60_000;
const standardLength = 30 * 24 * 60 * minute;
const standardLimit = 1_000;

export async function answerQuery(ctx: Reading, body: QueryBody): Promise<QueryAnswer> {
  try {
    return await answer(ctx, body);
  } catch (error) {
    if (!(error instanceof Refusal) || error.type !== invalidParameter) throw error;
    const faults = error.details.errors ?? [];
    const errors = faults.map(({ parameter, code, detail }) => ({ pointer: `/${parameter}`, code, detail }));
    throw refuse(invalidBody, `/${error.details.detail}`, { errors });
  }
}

async function answer(ctx: Reading, body: QueryBody): Promise<QueryAnswer> {
  const request = requestOf(ctx, body);
  const found = await rollup(ctx, request);
  const before = await compared(ctx, body, request);
  const filters = body.where === undefined ? {} : filtersOf(body.where);
  const names = body.measures as MeasureName[];
  return {
    from: timestamp(request.from),
    to: timestamp(request.to),
    time_zone: body.time_zone ?? "UTC",
    grain: body.grain ?? null,
    complete: found.complete,
    as_of: timestamp(found.asOf),
    more: found.more,
    rows: await withNames(
      ctx,
      found.rows.map((row) => ({
        from: timestamp(row.from),
        to: timestamp(row.to),
        complete: row.complete,
        key: { ...row.key },
        figures: figuresOf(names, row, before(row), filters),
      })),
    ),
    columns: columnsOf(body),
  };
}

function requestOf(ctx: Pick<ReadContext, "now">, body: QueryBody): RollupRequest {
  const { dimensions = [], where, grain, time_zone: timeZone, limit = standardLimit } = body;
  const to = body.to === undefined ? Math.ceil(ctx.now / minute) * minute : momentOf(body.to);
  const from = body.from === undefined ? to - standardLength : momentOf(body.from);
  const sort = body.sort === undefined ? undefined : sortOf(body.sort, body.measures);
  return {
    measures: body.measures as MeasureName[],
    dimensions: dimensions as Dimension[],
    from,
    to,
    limit,
    ...(where !== undefined && { where }),
    ...(grain && { grain }),
    ...(timeZone !== undefined && { timeZone }),
    ...(sort !== undefined && { sort }),
  };
}

function sortOf(sort: string, asked: readonly string[]): NonNullable<RollupRequest["sort"]> {
  const name = sort.replace(/^-/, "");
  if (asked.includes(name)) return sort as MeasureName;
  const nearest = nearestName(name, asked);
  const hint = nearest === null ? `asked for are ${asked.join(", ")}` : `did you mean ${nearest}?`;
  throw badRequest("sort", "unknown_measure", `must be a measure that is asked for, not ${name}; ${hint}`);
}

async function compared(
  ctx: Reading,
  { compare_to: other }: QueryBody,
  { sort: _sort, limit: _limit, ...request }: RollupRequest,
): Promise<(row: RollupRow) => RollupRow | undefined> {
  if (other === undefined) return () => undefined;
  const length = request.to - request.from;
  const from = other === "previous" ? request.from - length : momentOf(other);
  if (from % minute !== 0) throw badRequest("compare_to", "not_whole_minute", "must be a whole minute");
  const found = await rollup(ctx, { ...request, from, to: from + length });
  const [then, now] = [placesOf(request, from), placesOf(request, request.from)];
  const rows = new Map(found.rows.map((row) => [rowName(row, then), row]));
  return (row) => rows.get(rowName(row, now));
}

function placesOf({ from: begin, to, grain, timeZone }: RollupRequest, from: number): ReadonlyMap<number, number> {
  const span = { from, to: from + to - begin, ...(grain && { grain }), ...(timeZone !== undefined && { timeZone }) };
  return new Map((windowsOf(span, mostWindows) ?? []).map((window, at) => [window.from, at]));
}

const rowName = ({ from, key }: RollupRow, places: ReadonlyMap<number, number>): string =>
  JSON.stringify([places.get(from), Object.entries(key)]);

function figuresOf(
  names: readonly MeasureName[],
  row: RollupRow,
  before: RollupRow | undefined,
  filters: Filters | null,
): QueryAnswer["rows"][number]["figures"] {
  return Object.fromEntries(
    names.map((name) => {
      const { value, low, high, n } = row.values[name];
      const link = filters === null ? null : linkOf(name, narrowed(filters, row.key), row);
      return [name, { value, low, high, n, previous: before?.values[name].value ?? null, link }];
    }),
  );
}

const narrowed = (filters: Filters, key: RollupRow["key"]): Filters => ({
  ...filters,
  ...Object.fromEntries(Object.entries(key).map(([dimension, value]) => [dimension, [value]])),
});

function columnsOf({ measures: names, dimensions = [], compare_to }: QueryBody): Column[] {
  const plain = (name: string, type: Column["type"], of: string | null = null): Column => ({
    name,
    type,
    of,
    unit: null,
    member: null,
  });
  const figures = (names as MeasureName[]).flatMap((name) => {
    const { unit, formula }: Measure = measures[name];
    const type = formula.kind === "sum" && formula.scale === undefined ? "int64" : "double";
    const column = (member: NonNullable<Column["member"]>, own: Column["type"]): Column => ({
      name: member === "value" ? name : `${name}_${member}`,
      type: own,
      of: name,
      member,
      unit: member === "n" ? "count" : unit,
    });
    const bounds = hasInterval(name) ? [column("low", "double"), column("high", "double")] : [];
    const previous = compare_to === undefined ? [] : [column("previous", type)];
    return [column("value", type), ...bounds, column("n", "int64"), ...previous];
  });
  const head = [plain("from", "timestamp"), plain("to", "timestamp"), plain("complete", "boolean")];
  return [...head, ...dimensions.map((name) => plain(name, "string", name)), ...figures];
}
