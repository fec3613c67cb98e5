import { nextTime } from "../../kernel/schedule.ts";
import type { CreateReportBody } from "./reports-schemas.ts";

const dayMs = 86_400_000;
const periods = {
  day: { schedule: "0 0 * * *", longest: dayMs + 7_200_000 },
  week: { schedule: "0 0 * * 1", longest: 7 * dayMs + 7_200_000 },
  month: { schedule: "0 0 1 * *", longest: 31 * dayMs + 7_200_000 },
} as const;

/** The last whole period before a moment, in milliseconds: from midnight to midnight by the clock of the zone. */
export function periodBefore(
  { period, time_zone = "UTC" }: Pick<CreateReportBody, "period" | "time_zone">,
  at: number,
): { readonly from: number; readonly to: number } {
  const { schedule, longest } = periods[period];
  const next = (after: number): number => nextTime({ schedule, time_zone }, after)?.getTime() as number;
  const starts = [next(at - 2 * longest - 1)];
  for (let start = next(starts[0] as number); start <= at; start = next(start)) starts.push(start);
  const [from, to] = starts.slice(-2) as [number, number];
  return { from, to };
}
