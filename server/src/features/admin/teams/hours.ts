import type { Fault } from "../../../kernel/errors.ts";
import { nextTime } from "../../../kernel/schedule.ts";
import { isTimeZone } from "../../../kernel/time-zone.ts";
import type { OpeningHours } from "./schemas.ts";

// When a team works. Hours are read by the clock and calendar of its time zone; times that clocks skip or repeat are as `kernel/schedule.ts` says.

const weekdays = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"] as const;
type Weekday = (typeof weekdays)[number];
type Interval = NonNullable<OpeningHours["weekly"][Weekday]>[number];

const minutesOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));

const formats = new Map<string, Intl.DateTimeFormat>();
function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known =
    formats.get(timeZone) ??
    new Intl.DateTimeFormat("en-CA", {
      timeZone,
      hourCycle: "h23",
      year: "numeric",
      month: "2-digit",
      day: "2-digit",
      hour: "2-digit",
      minute: "2-digit",
      weekday: "short",
    });
  formats.set(timeZone, known);
  return known;
}

interface LocalTime {
  readonly date: string;
  readonly weekday: Weekday;
  readonly minutes: number;
}

function localTime(timeZone: string, at: number): LocalTime {
  const parts = Object.fromEntries(
    formatOf(timeZone)
      .formatToParts(at)
      .map(({ type, value }) => [type, value]),
  );
  return {
    date: `${parts.year}-${parts.month}-${parts.day}`,
    weekday: String(parts.weekday).toLowerCase() as Weekday,
    minutes: Number(parts.hour) * 60 + Number(parts.minute),
  };
}

/** Days without any opening are looked through this far. */
const horizonMs = 366 * 86_400_000;

const holds = ({ from, to }: Interval, minutes: number): boolean =>
  minutesOf(from) <= minutes && minutes < minutesOf(to);

/** Whether a team works at a moment (milliseconds since the epoch). */
export function isOpenAt(hours: OpeningHours | null, at: number): boolean {
  if (hours === null) return true;
  const { date, weekday, minutes } = localTime(hours.time_zone, at);
  if (hours.holidays?.includes(date)) return false;
  return (hours.weekly[weekday] ?? []).some((interval) => holds(interval, minutes));
}

/** The moments when intervals of a kind begin or end. `24:00` is the next day's beginning. */
function* edges(hours: OpeningHours, edge: keyof Interval): Generator<string> {
  for (const [day, name] of weekdays.entries())
    for (const interval of hours.weekly[name] ?? []) {
      const minutes = minutesOf(interval[edge]) % 1_440;
      const on = interval[edge] === "24:00" ? (day + 1) % 7 : day;
      yield `${minutes % 60} ${Math.floor(minutes / 60)} * * ${on}`;
    }
}

/** The first moment after `at` at which what holds may change to `open`. Null: there is none within a year. */
function nextChange(hours: OpeningHours, at: number, open: boolean): number | null {
  const schedules = [...edges(hours, open ? "from" : "to")];
  if (!open) schedules.push("0 0 * * *"); // a holiday may begin
  const time_zone = hours.time_zone;
  for (let from = at; from - at < horizonMs; ) {
    const times = schedules.flatMap((schedule) => nextTime({ schedule, time_zone }, from)?.getTime() ?? []);
    if (times.length === 0) return null;
    from = Math.min(...times);
    if (isOpenAt(hours, from) === open) return from;
  }
  return null;
}

/** When a team that is closed at a moment opens (milliseconds). Null: it is open, or does not open within a year. */
export const opensAt = (hours: OpeningHours | null, at: number): number | null =>
  hours === null || isOpenAt(hours, at) ? null : nextChange(hours, at, true);

/** The moment at which so many seconds of opening hours have passed. Null: they never do. */
export function afterOpenSeconds(hours: OpeningHours | null, at: number, seconds: number): number | null {
  if (hours === null) return at + seconds * 1_000;
  let left = seconds * 1_000;
  for (let from: number | null = isOpenAt(hours, at) ? at : opensAt(hours, at); from !== null; ) {
    const closes = nextChange(hours, from, false);
    if (closes === null || closes - from >= left) return from + left;
    left -= closes - from;
    from = nextChange(hours, closes - 1, true);
  }
  return null;
}

const fault = (pointer: string, code: string, detail: string): Fault => ({ pointer, code, detail });

/** What schemas cannot say of opening hours. */
export function hoursFaults(hours: OpeningHours | null): Fault[] {
  if (hours === null) return [];
  const faults: Fault[] = [];
  if (!isTimeZone(hours.time_zone))
    faults.push(
      fault("/hours/time_zone", "unknown_time_zone", "must be an IANA time zone, such as `Europe/Vienna` or `UTC`"),
    );
  for (const day of weekdays)
    for (const [at, interval] of (hours.weekly[day] ?? []).entries()) {
      const pointer = `/hours/weekly/${day}/${at}`;
      if (minutesOf(interval.from) >= minutesOf(interval.to))
        faults.push(
          fault(pointer, "ends_before_start", "must end after it begins; split what goes past midnight over two days"),
        );
    }
  if (weekdays.every((day) => (hours.weekly[day] ?? []).length === 0))
    faults.push(
      fault(
        "/hours/weekly",
        "never_open",
        "must have times on one day at least; leave out `hours` for a team that is always open",
      ),
    );
  return faults;
}
