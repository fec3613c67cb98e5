import type { Schema } from "../../../api/types.ts";
import { when } from "../../../lib/time.ts";
import { spanText } from "../../../lib/window-request.ts";

type Report = Schema<"Report">;

/** Chapters of a report, in the order in which they are offered. */
export const chapterNames = ["overview", "costs", "quality", "approvals", "risk"] as const;
/** Those of a report that names none. */
export const usualChapters: readonly string[] = ["overview", "costs", "quality"];

export const periods = {
  day: "the day before",
  week: "the week before, from Monday",
  month: "the month before",
} as const;
export const formats = { markdown: "Text (Markdown)", html: "Page (HTML)", csv: "Table (CSV)" } as const;

/** What a report is about, in a phrase. */
export function aboutText({
  period,
  agent,
  label,
  chapters = usualChapters as NonNullable<Report["chapters"]>,
}: Report) {
  const only = [agent && `agent ${agent}`, label && `label ${label}`].filter(Boolean).join(", ");
  return `${chapters.join(", ")} of ${periods[period]}${only === "" ? "" : `; only ${only}`}`;
}

/** The time that an issue is about. */
export const timeOf = ({ from, to }: Pick<Schema<"ReportIssue">, "from" | "to">, zone: string): string =>
  spanText(from, to, zone);

export const madeText = ({ created_at }: Pick<Schema<"ReportIssue">, "created_at">): string =>
  `made ${when(created_at)}`;

/** How the file of an issue is called. */
export function fileName(
  name: string,
  { from, media_type }: Pick<Schema<"ReportIssue">, "from" | "media_type">,
): string {
  const ending = media_type.includes("html") ? "html" : media_type.includes("csv") ? "csv" : "md";
  const plain = name
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, "-")
    .replaceAll(/^-|-$/g, "");
  return `${plain || "report"}-${from.slice(0, 10)}.${ending}`;
}
