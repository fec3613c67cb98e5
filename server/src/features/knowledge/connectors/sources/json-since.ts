import { SourceFault } from "../../ports.ts";
import type { JsonApiSource } from "../source-schemas.ts";
import { valueAt } from "./json-place.ts";

/** The latest time or number of change that was seen, as the API writes it; null: none. */
export type Mark = string | number | null;

/** Milliseconds before the mark that are asked for again: changes of the same moment may be listed late. */
const OVERLAP = 60_000;
/** From here on a number is a time in seconds, or in milliseconds. */
const SECONDS = 100_000_000;
const MILLISECONDS = 100_000_000_000;

/** The later of the mark and the item's own. Throws SourceFault. */
export function laterOf({ since, updated }: JsonApiSource, item: unknown, mark: Mark): Mark {
  if (since === undefined) return mark;
  const value = valueAt(item, updated);
  if (
    typeof value === "number" ||
    (typeof value === "string" && /^\d{4}-\d\d-\d\d/.test(value) && !Number.isNaN(Date.parse(value)))
  )
    return mark === null || placeOf(value) > placeOf(mark) ? value : mark;
  throw new SourceFault(
    "updated_not_time",
    `An item has neither a time such as \`2026-11-30T08:00:00Z\` nor a number at \`${updated}\`. Leave \`since\` out, or name another place.`,
  );
}

const placeOf = (mark: string | number): number => (typeof mark === "number" ? mark : Date.parse(mark));

export function sinceUrl({ url, since }: JsonApiSource, mark: Mark): string {
  if (since === undefined || mark === null) return url;
  const to = new URL(url);
  to.searchParams.set(since.parameter, String(earlier(mark)));
  return to.href;
}

function earlier(mark: string | number): string | number {
  if (typeof mark === "string") return new Date(Date.parse(mark) - OVERLAP).toISOString();
  if (mark >= MILLISECONDS) return mark - OVERLAP;
  return mark >= SECONDS ? mark - OVERLAP / 1000 : mark;
}
