import { useEffect, useState } from "react";
import { type NextTimes, nextTimes } from "../lib/next-times.ts";

/** A time as it is in a time zone, such as `Mon 23 Nov 2026, 07:00`. */
export function timeIn(time: Date, zone: string): string {
  const day = { weekday: "short", day: "numeric", month: "short", year: "numeric" } as const;
  return new Intl.DateTimeFormat("en-GB", { ...day, hour: "2-digit", minute: "2-digit", timeZone: zone }).format(time);
}

/** The next times of what is typed, in its time zone. */
export function TimesAhead({ schedule, zone }: { readonly schedule: string; readonly zone: string }) {
  const [found, setFound] = useState<NextTimes | null>(null);
  useEffect(() => {
    let current = true;
    void nextTimes(schedule, zone).then((next) => current && setFound(next));
    return () => {
      current = false;
    };
  }, [schedule, zone]);
  if (found === null || schedule === "") return null;
  return (
    <div aria-live="polite" className="rounded-md border border-line bg-sunken px-3 py-2 text-xs">
      {"fault" in found ? (
        <p className="text-muted">What is typed {found.fault}.</p>
      ) : (
        <>
          <p className="mb-1 font-medium">Next five times, {zone}</p>
          <ol className="grid gap-0.5 text-muted">
            {found.times.map((time) => (
              <li key={time.getTime()}>{timeIn(time, zone)}</li>
            ))}
          </ol>
        </>
      )}
    </div>
  );
}
