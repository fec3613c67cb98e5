import type { Cell } from "@aos/rollup";
import type { ReadContext } from "../../../kernel/context.ts";
import { knownLabels } from "./cache.ts";
import { type FamilyCells, measured, readerOf, scanFamily } from "./cells.ts";
import type { Family, MeasureName } from "./measures.ts";
import type { TimeWindow } from "./plan.ts";
import { type Resolved, resolve } from "./requests.ts";
import type { Measured, RollupAnswer, RollupRequest, RollupRow } from "./types.ts";

export * from "./types.ts";

/** Measures from rollups, never from the tables of what they measure. Refuses what makes no sense as a fault of the parameter. */
export async function rollup(ctx: Reading, request: RollupRequest): Promise<RollupAnswer> {
  const resolved = resolve(request, await knownLabels(ctx));
  const found = new Map<Family, FamilyCells>();
  for (const family of resolved.families) found.set(family, await scanFamily(ctx, family, resolved));
  const pending = [...found.values()].flatMap(({ pendingSince }) => pendingSince ?? []);
  const asOf = Math.min(ctx.now, ...pending);
  const all = rowsOf(resolved, found, asOf).sort(orderOf(resolved.dimensions, request.sort));
  const rows = request.limit === undefined ? all : all.slice(0, request.limit);
  const open = [...found.values()].some((one) => one.open.length > 0);
  return { rows, more: rows.length < all.length, complete: request.to <= asOf && !open, asOf };
}

type Reading = Pick<ReadContext, "db" | "scope" | "facts" | "principal" | "now">;

interface Place {
  readonly name: string;
  readonly window: number;
  readonly key: Readonly<Record<string, string | null>>;
  readonly cells: Map<Family, Cell[]>;
}

function rowsOf(resolved: Resolved, found: ReadonlyMap<Family, FamilyCells>, asOf: number): RollupRow[] {
  const { dimensions, windows } = resolved;
  const places = new Map<string, Place>();
  const placeOf = (window: number, texts: readonly (string | null)[]): Place => {
    const name = placeName(window, texts);
    const known = places.get(name);
    if (known) return known;
    const key: Record<string, string | null> = {};
    for (const [at, dimension] of dimensions.entries()) key[dimension] = texts[at] as string | null;
    const place: Place = { name, window, key, cells: new Map() };
    places.set(name, place);
    return place;
  };
  if (dimensions.length === 0) for (const window of windows.keys()) placeOf(window, []);
  for (const [family, { cells, values }] of found) {
    for (const cell of cells) {
      const { cells: at } = placeOf(cell.window, textsOf(cell, dimensions, values));
      const others = at.get(family);
      if (others) others.push(cell);
      else at.set(family, [cell]);
    }
  }
  const open = openPlaces(found);
  return [...places.values()].map((place) => {
    const { from, to } = windows[place.window] as TimeWindow;
    const isOpen = open.some((one) => one.names.has(openName(place, dimensions, one.dimensions)));
    return { from, to, complete: to <= asOf && !isOpen, key: place.key, values: valuesAt(place, resolved, found) };
  });
}

/** A request makes one for each of its rows, mostly by one dimension or none. */
function placeName(window: number, texts: readonly (string | null)[]): string {
  const [text = null] = texts;
  if (texts.length < 2) return text === null ? `${window}` : `${window} ${text}`;
  return JSON.stringify([window, texts]);
}

function openName({ name, window, key }: Place, dimensions: readonly string[], open: readonly string[]): string {
  if (open.length === dimensions.length) return name;
  return placeName(
    window,
    open.map((dimension) => key[dimension] ?? null),
  );
}

const textsOf = ({ key }: Cell, dimensions: readonly string[], values: FamilyCells["values"]): (string | null)[] =>
  dimensions.map((dimension, at) => values.get(dimension)?.textOf(key[at] as number) ?? null);

function openPlaces(found: ReadonlyMap<Family, FamilyCells>): { dimensions: readonly string[]; names: Set<string> }[] {
  return [...found.values()].map(({ open, openDimensions, values }) => ({
    dimensions: openDimensions,
    names: new Set(open.map((cell) => placeName(cell.window, textsOf(cell, openDimensions, values)))),
  }));
}

function valuesAt(
  { cells }: Place,
  { families, names }: Resolved,
  found: ReadonlyMap<Family, FamilyCells>,
): RollupRow["values"] {
  const values: Partial<Record<MeasureName, Measured>> = {};
  for (const family of families) {
    const { terms, kinds } = found.get(family) as FamilyCells;
    const reader = readerOf(cells.get(family) ?? [], terms, kinds);
    for (const name of names.get(family) ?? []) values[name] = measured(name, reader);
  }
  return values as Record<MeasureName, Measured>;
}

function orderOf(dimensions: readonly string[], sort: RollupRequest["sort"]): (a: RollupRow, b: RollupRow) => number {
  const byPlace = (a: RollupRow, b: RollupRow): number => {
    if (a.from !== b.from) return a.from - b.from;
    for (const dimension of dimensions) {
      const [left, right] = [a.key[dimension] ?? null, b.key[dimension] ?? null];
      if (left === right) continue;
      if (left === null || right === null) return left === null ? 1 : -1;
      return left < right ? -1 : 1;
    }
    return 0;
  };
  if (sort === undefined) return byPlace;
  const sign = sort.startsWith("-") ? -1 : 1;
  const name = sort.replace(/^-/, "") as MeasureName;
  return (a, b) => {
    const [left, right] = [a.values[name]?.value ?? null, b.values[name]?.value ?? null];
    if (left === right) return byPlace(a, b);
    if (left === null || right === null) return left === null ? 1 : -1;
    return sign * (left - right);
  };
}
