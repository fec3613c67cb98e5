const steps: readonly (readonly [unit: Intl.RelativeTimeFormatUnit, seconds: number])[] = [
  ["year", 31_536_000],
  ["month", 2_592_000],
  ["week", 604_800],
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
];

const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto" });
const exact = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "medium" });
const short = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short" });

/** `3 minutes ago`, `in 2 hours`, `just now`. `now` may be 15 seconds old. */
export function ago(time: string, now: number): string {
  const seconds = (Date.parse(time) - now) / 1000;
  if (Math.abs(seconds) < 45) return seconds > 15 ? "in a moment" : "just now";
  const [unit, length] = steps.find(([, size]) => Math.abs(seconds) >= size) ?? ["minute", 60];
  return relative.format(Math.round(seconds / length), unit);
}

/** To the second, in the time zone of the reader. */
export const exactly = (time: string): string => exact.format(new Date(time));
/** To the minute. */
export const when = (time: string): string => short.format(new Date(time));
