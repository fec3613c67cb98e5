// The window of time that figures are of, as addresses carry it and as the interface takes it.

export const grains = ["minute", "hour", "day", "week", "month"] as const;
export type Grain = (typeof grains)[number];

/** Windows that can be chosen by one press, with their length in days; those of months begin with a month. */
export const ranges = {
  "24h": { title: "Last 24 hours", days: 1 },
  "7d": { title: "Last 7 days", days: 7 },
  "30d": { title: "Last 30 days", days: 30 },
  "90d": { title: "Last 90 days", days: 90 },
  month: { title: "This month", days: 31 },
  last_month: { title: "Last month", days: 31 },
  custom: { title: "Custom", days: 0 },
} as const;
export type Range = keyof typeof ranges;

/** What an address says of the window, and of which tasks the figures are. Times are wall clock times of the zone, `2026-11-23T09:00`. */
export interface WindowSearch {
  readonly range?: Range;
  readonly from?: string;
  readonly to?: string;
  readonly grain?: Grain;
  readonly zone?: string;
  readonly agent?: string;
  readonly skill?: string;
  readonly label?: string;
}

/** Whether the browser knows a time zone by this name. */
export function isZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: zone });
    return true;
  } catch {
    return false;
  }
}
