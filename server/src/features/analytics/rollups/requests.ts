import { nearestName } from "@aos/text";
import { timestamp } from "../../../kernel/clock.ts";
import { type Fault, type Refusal, refuse } from "../../../kernel/errors.ts";
import { invalidParameter } from "../../../kernel/problems.ts";
import { isTimeZone } from "../../../kernel/time-zone.ts";
import { labelDimension } from "./families.ts";
import { type Family, familyDimensions, labelled, type MeasureName, measures } from "./measures.ts";
import { latestEnd, type TimeWindow, windowsOf } from "./plan.ts";
import type { Filters, RollupRequest } from "./types.ts";
import { type Clause, clausesOf, WhereFault } from "./where.ts";

export const mostWindows = 3_000;
export const mostRows = 50_000;
/** Distributions that a request may keep: rows by measures of percentiles. */
export const mostDistributions = 15_000;
/** Combinations of values that a part of a condition may be judged for. */
export const mostJudged = 100_000;

export function badRequest(parameter: string, code: string, detail: string): Refusal {
  const errors: Fault[] = [{ parameter, code, detail }];
  return refuse(invalidParameter, `${parameter}: ${detail}${/[.?]$/.test(detail) ? "" : "."}`, { errors });
}

export interface Resolved {
  readonly families: readonly Family[];
  readonly names: ReadonlyMap<Family, readonly MeasureName[]>;
  readonly windows: readonly TimeWindow[];
  readonly dimensions: readonly string[];
  readonly filters: Filters;
  readonly clauses: readonly Clause[];
  readonly where: string | null;
  readonly labels: readonly string[];
}

export const dimensionsOf = (family: Family, labels: readonly string[]): string[] => [
  ...familyDimensions[family],
  ...(labelled.has(family) ? labels.map(labelDimension) : []),
];

export function resolve(request: RollupRequest, labels: readonly string[]): Resolved {
  const families = [...new Set(request.measures.map((name) => measures[name].family))];
  if (families.length === 0) throw badRequest("measures", "required", "name at least one measure");
  const dimensions = [...new Set<string>(request.dimensions ?? [])];
  const filters = request.filters ?? {};
  for (const family of families) {
    for (const name of dimensions) requireDimension("dimensions", name, family, labels, request);
    for (const name of Object.keys(filters)) requireDimension("filters", name, family, labels, request);
  }
  return {
    families,
    dimensions,
    filters,
    labels,
    windows: requireWindows(request),
    names: new Map(families.map((one) => [one, request.measures.filter((name) => measures[name].family === one)])),
    where: request.where ?? null,
    clauses: request.where === undefined ? [] : requireClauses(request.where, families, labels),
  };
}

function requireDimension(
  parameter: string,
  name: string,
  family: Family,
  labels: readonly string[],
  request: RollupRequest,
): void {
  const own = dimensionsOf(family, labels);
  if (own.includes(name)) return;
  const nearest = nearestName(name, own);
  const hint = nearest === null ? `they have ${own.join(", ")}` : `did you mean ${nearest}?`;
  const asked = request.measures.filter((one) => measures[one].family === family);
  const detail = name.startsWith("label:")
    ? `no label ${name.slice("label:".length)} of ${family} is declared as a dimension; ${hint}`
    : `${family} (${asked.join(", ")}) have no dimension ${name}; ${hint}`;
  throw badRequest(parameter, "unknown_dimension", detail);
}

function requireWindows({ from, to, grain, timeZone }: RollupRequest): TimeWindow[] {
  for (const [name, at] of [
    ["from", from],
    ["to", to],
  ] as const)
    if (at % 60_000 !== 0)
      throw badRequest(name, "not_whole_minute", "must be a whole minute, such as 2026-11-01T00:00:00Z");
  if (to > latestEnd) throw badRequest("to", "too_late", `must be at most ${timestamp(latestEnd)}`);
  if (from >= to) throw badRequest("from", "not_before_to", "must be before `to`");
  if (timeZone !== undefined && !isTimeZone(timeZone))
    throw badRequest("time_zone", "unknown_time_zone", "must be a time zone such as Europe/Vienna or UTC");
  const windows = windowsOf({ from, to, ...(grain && { grain }), ...(timeZone && { timeZone }) }, mostWindows);
  if (windows) return windows;
  const detail = `would make more than ${mostWindows} windows; ask for a coarser grain or a shorter time`;
  throw badRequest("grain", "too_many_points", detail);
}

function requireClauses(where: string, families: readonly Family[], labels: readonly string[]): Clause[] {
  const [first, ...rest] = families.map((family) => dimensionsOf(family, labels));
  const common = rest.reduce((shared, own) => shared.filter((name) => own.includes(name)), first as string[]);
  try {
    return clausesOf(where, common);
  } catch (error) {
    if (!(error instanceof WhereFault)) throw error;
    const of = families.length === 1 ? "" : ` (it holds for ${families.join(", ")} together)`;
    throw badRequest("where", error.code, `${error.message}${of}`);
  }
}
