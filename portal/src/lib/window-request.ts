import { type Grain, ranges, type WindowSearch } from "./window.ts";

/** The window of an address as the interface takes it. */
export interface WindowRequest {
  readonly from: string;
  readonly to?: string;
  readonly grain: Grain;
  readonly time_zone: string;
  readonly agent?: string;
  readonly skill?: string;
  readonly label?: string;
}

export const ownZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

const minute = 60_000;
const day = 86_400_000;

/** How far the wall clock of a zone is ahead of UTC, in ms. */
function offsetAt(time: number, zone: string): number {
  const parts = new Intl.DateTimeFormat("en-US", {
    timeZone: zone,
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  } as Intl.DateTimeFormatOptions).formatToParts(time);
  const part = (type: string): number => Number(parts.find((one) => one.type === type)?.value);
  const wall = Date.UTC(
    ...([part("year"), part("month") - 1, part("day")] as const),
    ...([part("hour"), part("minute"), part("second")] as const),
  );
  return wall - Math.floor(time / 1000) * 1000;
}

/** The wall clock of a zone, to the minute. */
export const wallClock = (time: number, zone: string): string =>
  new Date(time + offsetAt(time, zone)).toISOString().slice(0, 16);

/** The time at which the wall clock of a zone shows this; of a time that a change of the clock leaves out, the one after. */
export function instantOf(wall: string, zone: string): number {
  const guess = Date.parse(`${wall}Z`);
  return guess - offsetAt(guess - offsetAt(guess, zone), zone);
}

/** Beginning of the month so many months before that of `time`. */
function monthBefore(time: number, zone: string, months: number): number {
  const [year, month] = wallClock(time, zone).split("-").map(Number) as [number, number];
  return instantOf(new Date(Date.UTC(year, month - 1 - months, 1)).toISOString().slice(0, 16), zone);
}

/** Beginning and end; an end that is null is now. */
export function bounds(search: WindowSearch, now: number): readonly [from: number, to: number | null] {
  const { range = "30d", from, to, zone = ownZone() } = search;
  if (range === "month") return [monthBefore(now, zone, 0), null];
  if (range === "last_month") return [monthBefore(now, zone, 1), monthBefore(now, zone, 0)];
  const past = (days: number) => Math.floor((now - days * day) / minute) * minute;
  if (range !== "custom") return [past(ranges[range].days), null];
  const end = to === undefined ? null : instantOf(to, zone);
  return [from === undefined ? past(30) : instantOf(from, zone), end !== null && end < now ? end : null];
}

/** What divides a window into some tens of points. */
export function fittingGrain(length: number): Grain {
  if (length <= 2 * 3_600_000) return "minute";
  if (length <= 3 * day) return "hour";
  if (length <= 100 * day) return "day";
  return length <= 400 * day ? "week" : "month";
}

export function windowRequest(search: WindowSearch, now: number): WindowRequest {
  const [from, to] = bounds(search, now);
  const { grain = fittingGrain((to ?? now) - from), zone = ownZone(), agent, skill, label } = search;
  return {
    from: new Date(from).toISOString(),
    grain,
    time_zone: zone,
    ...(to === null ? {} : { to: new Date(to).toISOString() }),
    ...(agent ? { agent } : {}),
    ...(skill ? { skill } : {}),
    ...(label ? { label } : {}),
  };
}

/** How the beginning of a window of this length is written at an axis. */
export function tickFormat(grain: Grain, zone: string): (time: number | string) => string {
  const options: Intl.DateTimeFormatOptions =
    grain === "minute" || grain === "hour"
      ? { hour: "2-digit", minute: "2-digit", ...(grain === "hour" ? { day: "numeric", month: "short" } : {}) }
      : grain === "month"
        ? { month: "short", year: "numeric" }
        : { day: "numeric", month: "short" };
  const format = new Intl.DateTimeFormat("en-GB", { ...options, timeZone: zone });
  return (time) => format.format(new Date(time));
}

/** A window from beginning to end, in its zone. */
export function spanText(from: string, to: string, zone: string): string {
  return new Intl.DateTimeFormat("en-GB", {
    day: "numeric",
    month: "short",
    year: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    timeZone: zone,
  } as Intl.DateTimeFormatOptions).formatRange(new Date(from), new Date(to));
}
