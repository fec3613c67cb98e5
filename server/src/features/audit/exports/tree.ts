import {
  type AuditRecord,
  completeSubtrees,
  createRemovals,
  createTreeFold,
  type ExportRow,
  type Removed,
  type TreeFold,
  toBase64,
} from "@aos/proof";
import type { Scope } from "../../../kernel/principal.ts";
import { type IndexColumns, inspectLeaf } from "../log/checks.ts";
import { LogAltered, type LogHead } from "../ports.ts";

export interface LeafRow extends IndexColumns {
  readonly leaf_index: number;
  readonly key_seq: number | null;
  /** The record's canonical JSON, its `key_seq` still open; null where it is gone. */
  readonly body: string | null;
}

export interface CheckedLeaf {
  readonly index: number;
  readonly hash: Uint8Array;
  /** Null where there is no text of it. */
  readonly content: { readonly leafData: string; readonly record: AuditRecord } | null;
}

/** Checks what the database has of leaf `index` against its hash in the log. Throws LogAltered. */
export function checkLeaf(row: LeafRow | undefined, index: number, hash: Uint8Array, scope: Scope): CheckedLeaf {
  if (!row || row.body === null) return { index, hash, content: null };
  const altered = (what: string): LogAltered =>
    new LogAltered(`The record ${row.record_id} at place ${index} of the log ${what}.`);
  const found = inspectLeaf({ ...row, body: row.body }, hash);
  if (found.fault !== undefined) throw altered(found.fault);
  const { organization, environment } = found.record;
  if (organization !== scope.organization || environment !== scope.environment)
    throw altered(`is one of ${organization}/${environment}`);
  return { index, hash, content: found };
}

/** Rows of leaves `from` on, one a place: undefined where the index has none. Throws LogAltered where two claim one place. */
export function byPlace<R extends LeafRow>(rows: readonly R[], from: number, end: number): (R | undefined)[] {
  const places = new Array<R | undefined>(end - from).fill(undefined);
  for (const row of rows) {
    const other = places[row.leaf_index - from];
    if (other) {
      throw new LogAltered(
        `The records ${other.record_id} and ${row.record_id} are both said to be at place ${row.leaf_index} of the log.`,
      );
    }
    places[row.leaf_index - from] = row;
  }
  return places;
}

export interface ExportEnd {
  readonly skipped: string;
  readonly without_record: readonly Removed[];
}

/** Follows an export, leaf after leaf, up to the head that it is signed with. */
export interface ExportTree {
  take(leaf: CheckedLeaf, chosen: boolean): ExportRow | null;
  /** After the last leaf. Throws LogAltered where the leaves do not lead to the head, or one has no text and nothing explains it. */
  end(head: LogHead): ExportEnd;
}

/** `before`: the subtrees of the leaves that the export begins after. */
export function createExportTree(from: number, before: readonly Uint8Array[]): ExportTree {
  const [tree, removals] = [createTreeFold(), createRemovals()];
  let between: TreeFold = createTreeFold();
  for (const [i, { height }] of completeSubtrees({ start: 0, end: from }).entries()) {
    tree.append(before[i] as Uint8Array, height);
    between.append(before[i] as Uint8Array, height);
  }
  const takeBetween = (next: number): string => {
    const hashes = Buffer.concat(between.hashes());
    between = createTreeFold(next);
    return toBase64(hashes);
  };
  return {
    take({ index, hash, content }, chosen) {
      tree.append(hash);
      if (content) removals.look(content.record, index);
      else removals.missing({ start: index, end: index + 1 });
      if (content && chosen) return { leafIndex: index, leafData: content.leafData, skipped: takeBetween(index + 1) };
      between.append(hash);
      return null;
    },
    end(head) {
      if (tree.end !== head.size || toBase64(tree.root()) !== head.root) {
        throw new LogAltered(
          `The records of the log do not lead to its signed head of ${head.size} records: its tiles were changed.`,
        );
      }
      const { removed, unexplained } = removals.explain();
      if (unexplained[0]) {
        throw new LogAltered(
          `The record at place ${unexplained[0].start} of the log has no text, and no record of a removal explains it.`,
        );
      }
      return { skipped: takeBetween(tree.end), without_record: removed };
    },
  };
}
