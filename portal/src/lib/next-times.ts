import { isZone } from "./window.ts";

/** The next times of a schedule, or why there are none. */
export type NextTimes = { readonly times: readonly Date[] } | { readonly fault: string };

/** Times as the service reckons them: five fields, in a time zone. The reckoner comes with its first use. */
export async function nextTimes(schedule: string, zone: string, most = 5): Promise<NextTimes> {
  if (!isZone(zone)) return { fault: "is no time zone such as Europe/Vienna" };
  const { Cron } = await import("croner");
  try {
    const times = new Cron(schedule, { timezone: zone, mode: "5-part", paused: true }).nextRuns(most);
    return times.length > 0 ? { times } : { fault: "names a time that never comes" };
  } catch {
    return { fault: "must have five fields: minute, hour, day, month, weekday; such as 0 7 * * MON-FRI" };
  }
}
