import type { Finding } from "./findings.ts";
import { isCount, type LeafRange } from "./merkle.ts";
import type { AuditRecord } from "./record.ts";

/**
 * Text of records may be removed on purpose: a person is erased, or a record is older than records are kept. The leaf's hash stays in the log. Whoever removes text does
 * it by one of these operations, whose own record has the object `leaves:<first>-<last>` and stands behind the leaves that it names. So a missing text is
 * explained by the log itself, which a database alone cannot forge.
 */
export const removals = { "audit.eraseRecords": "erased", "audit.expireRecords": "expired" } as const;

/** Why text was removed. */
export type RemovalReason = (typeof removals)[keyof typeof removals];

/** Leaves of an export whose text was removed. */
export interface Removed {
  readonly reason: RemovalReason;
  /** The record of the call that removed them, `aud_…`. */
  readonly request: string;
  /** How many. */
  readonly leaves: number;
}

/** Finds out why leaves have no text, from all records of a log in their order. */
export interface Removals {
  /** Notes that these leaves have no text. */
  missing(range: LeafRange): void;
  /** Looks whether a record is that of a removal. */
  look(record: Partial<AuditRecord>, leafIndex: number): void;
  /** What removed which, and the leaves that nothing explains. */
  explain(): { removed: Removed[]; unexplained: LeafRange[] };
}

/** A leaf that has no text and no removal. */
export function unexplainedFinding({ start, end }: LeafRange): Finding {
  const which = end - start === 1 ? `leaf ${start} has` : `leaves ${start} to ${end - 1} have`;
  const message = `${which} no text, and no record of a removal explains it`;
  return { kind: "deleted", leafIndex: start, line: null, recordId: null, message };
}

/** Whether a text can be the record of a removal; quick, since nearly none is. */
export function mayRemove(leafData: string): boolean {
  return leafData.includes('"object":"leaves:');
}

interface Removal extends LeafRange {
  readonly reason: RemovalReason;
  readonly request: string;
}

export function createRemovals(): Removals {
  const gaps: { start: number; end: number }[] = [];
  const known: Removal[] = [];
  return {
    missing({ start, end }) {
      const last = gaps.at(-1);
      if (last?.end === start) last.end = end;
      else if (end > start) gaps.push({ start, end });
    },
    look(record, leafIndex) {
      const removal = removalOf(record);
      if (removal && removal.end <= leafIndex) known.push(removal);
    },
    explain() {
      const counts = known.map(({ reason, request }) => ({ reason, request, leaves: 0 }));
      let left: LeafRange[] = gaps;
      for (const [i, removal] of known.entries()) {
        const count = counts[i] as { leaves: number };
        left = left.flatMap((gap) => {
          const start = Math.max(gap.start, removal.start);
          const end = Math.min(gap.end, removal.end);
          if (start >= end) return [gap];
          count.leaves += end - start;
          return [
            { start: gap.start, end: start },
            { start: end, end: gap.end },
          ].filter((rest) => rest.start < rest.end);
        });
      }
      return { removed: counts.filter(({ leaves }) => leaves > 0), unexplained: left };
    },
  };
}

function removalOf({ operation, outcome, object, id }: Partial<AuditRecord>): Removal | null {
  if (outcome !== "allowed" || typeof operation !== "string" || !Object.hasOwn(removals, operation)) return null;
  const [, first, last] = /^leaves:(0|[1-9][0-9]*)-(0|[1-9][0-9]*)$/.exec(object ?? "") ?? [];
  const [start, end] = [Number(first), Number(last) + 1];
  if (typeof id !== "string" || !isCount(start) || !isCount(end) || start >= end) return null;
  return { reason: removals[operation as keyof typeof removals], request: id, start, end };
}
