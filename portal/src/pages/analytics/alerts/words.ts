import type { Schema } from "../../../api/types.ts";
import { counted, duration } from "../../../lib/words.ts";
import { dimensionTitle, measureText } from "../words.ts";

type Alert = Pick<
  Schema<"AlertSummary">,
  "measure" | "condition" | "filters" | "window_minutes" | "for_minutes" | "least_n"
>;

/** When an alert fires, in a sentence. */
export function conditionText({ measure, condition, filters, window_minutes, for_minutes, least_n }: Alert): string {
  const over = `over ${length(window_minutes)}`;
  const where = Object.entries(filters).map(
    ([dimension, values]) => `${dimensionTitle(dimension).toLowerCase()} ${values.join(" or ")}`,
  );
  const held = for_minutes === 0 ? "" : `, for ${length(for_minutes)}`;
  const least = least_n === 0 ? "" : ` Needs at least ${counted(least_n, "case")}.`;
  const what =
    condition.kind === "anomaly"
      ? `unlike the same window of earlier weeks (${condition.direction}, once in ${condition.once_in.toLocaleString("en")})`
      : `${condition.kind} ${measureText(measure, condition.threshold)}`;
  return `Fires when ${what} ${over}${held}${where.length > 0 ? `; only ${where.join(", ")}` : ""}.${least}`;
}

const length = (minutes: number): string =>
  minutes % 1440 === 0
    ? counted(minutes / 1440, "day")
    : minutes % 60 === 0
      ? counted(minutes / 60, "hour")
      : duration(minutes * 60_000);
