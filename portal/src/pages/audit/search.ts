import { searchRecords } from "../../api/audit.ts";
import { textOf, wordsOf } from "../../lib/search.ts";

export const decisions = ["allowed", "refused", "failed"] as const;

export interface AuditSearch {
  /** Words of the task. */
  readonly text?: string;
  readonly actor?: string;
  readonly action?: string;
  readonly decision?: string;
  /** The first and the last day, such as 2026-11-24. */
  readonly from?: string;
  readonly until?: string;
  readonly cursor?: string;
  /** The record that stands open. */
  readonly open?: string;
}

const dayOf = (search: Record<string, unknown>, name: string): string | undefined => {
  const day = textOf(search, name);
  return day !== undefined && /^\d{4}-\d{2}-\d{2}$/.test(day) && !Number.isNaN(Date.parse(day)) ? day : undefined;
};

export const auditSearch = (search: Record<string, unknown>): AuditSearch => ({
  text: textOf(search, "text"),
  actor: textOf(search, "actor"),
  action: textOf(search, "action"),
  decision: wordsOf(search, "decision", decisions)?.join(","),
  from: dayOf(search, "from"),
  until: dayOf(search, "until"),
  cursor: textOf(search, "cursor"),
  open: textOf(search, "open"),
});

/** A day of this browser's clock as a moment: its beginning, or that of the next day. */
function momentOf(day: string, next: number): string {
  const [year = 0, month = 1, date = 1] = day.split("-").map(Number);
  return new Date(year, month - 1, date + next).toISOString();
}

/** What the log's page shows for an address. */
export const recordsOf = ({ text, actor, action, decision, from, until, cursor }: AuditSearch) => {
  const chosen = wordsOf({ decision }, "decision", decisions);
  return searchRecords({
    limit: 25,
    ...(text && { text }),
    ...(actor && { actor }),
    ...(action && { action }),
    ...(chosen && { decision: chosen }),
    ...(from && { created_after: momentOf(from, 0) }),
    ...(until && { created_before: momentOf(until, 1) }),
    ...(cursor && { cursor }),
  });
};
