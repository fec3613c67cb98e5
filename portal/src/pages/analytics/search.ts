import { textOf, wordOf } from "../../lib/search.ts";
import { grains, isZone, type Range, ranges, type WindowSearch } from "../../lib/window.ts";

// What the addresses of these pages carry. The pages themselves, with all that they read, come with the first visit.

export const views = [
  ...(["overview", "usage", "costs", "tasks", "value", "quality", "approvals", "service-levels", "risk"] as const),
  ...(["tools", "models", "knowledge", "anomalies", "realtime", "chargeback", "query", "alerts", "reports"] as const),
] as const;
export type View = (typeof views)[number];

export interface AnalyticsSearch extends WindowSearch {
  /** What rows of a table are grouped by. */
  readonly by?: string;
  /** Months of a bill: `2026-11`. */
  readonly month?: string;
  /** An own query: measures, dimensions and a condition. */
  readonly measures?: string;
  readonly dimensions?: string;
  readonly where?: string;
  /** The alert whose history stands open. */
  readonly alert?: string;
  /** A later page of a list. */
  readonly cursor?: string;
}

/** What the address of a report carries. */
export interface ReportSearch {
  readonly issue?: string;
  readonly cursor?: string;
}

const wallTime = (search: Record<string, unknown>, name: string): string | undefined => {
  const text = textOf(search, name);
  return text !== undefined && /^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(text) && !Number.isNaN(Date.parse(`${text}Z`))
    ? text
    : undefined;
};

export const analyticsSearch = (search: Record<string, unknown>): AnalyticsSearch => {
  const zone = textOf(search, "zone");
  const month = textOf(search, "month");
  return {
    range: wordOf(search, "range", Object.keys(ranges) as Range[]),
    from: wallTime(search, "from"),
    to: wallTime(search, "to"),
    grain: wordOf(search, "grain", grains),
    zone: zone !== undefined && isZone(zone) ? zone : undefined,
    agent: textOf(search, "agent"),
    skill: textOf(search, "skill"),
    label: textOf(search, "label"),
    by: textOf(search, "by"),
    month: month !== undefined && /^\d{4}-(0[1-9]|1[0-2])$/.test(month) ? month : undefined,
    measures: textOf(search, "measures"),
    dimensions: textOf(search, "dimensions"),
    where: textOf(search, "where"),
    alert: textOf(search, "alert"),
    cursor: textOf(search, "cursor"),
  };
};

export const reportSearch = (search: Record<string, unknown>): ReportSearch => ({
  issue: textOf(search, "issue"),
  cursor: textOf(search, "cursor"),
});
