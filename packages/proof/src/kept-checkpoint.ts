import { sameBytes } from "./bytes.ts";
import { openCheckpoint } from "./checkpoint.ts";
import type { Findings } from "./findings.ts";
import type { TreeHead } from "./merkle.ts";
import { FormatError, type VerifierKey } from "./note.ts";
import type { TreeBuilder } from "./tiles.ts";

const nowhere = { line: null, recordId: null } as const;

/**
 * Reads a checkpoint that was kept earlier, to be compared with a file of `size` records. Null, with a finding, where it covers more than these, or is
 * not signed by the log's key.
 */
export async function openKept(
  note: string,
  key: VerifierKey,
  size: number,
  findings: Findings,
): Promise<TreeHead | null> {
  let kept: TreeHead;
  try {
    kept = await openCheckpoint(note, key);
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    findings.add({ kind: "signature", leafIndex: null, ...nowhere, message: `the kept checkpoint: ${error.message}` });
    return null;
  }
  if (kept.size <= size) return kept;
  const message = `the kept checkpoint covers ${kept.size} records, this export only ${size}: the newest are missing`;
  findings.add({ kind: "deleted", leafIndex: size, ...nowhere, message });
  return null;
}

/** To be called after each record: where the tree has reached the kept checkpoint's size, it must have its root. */
export function compareKept(kept: TreeHead | null, tree: TreeBuilder, findings: Findings): void {
  if (!kept || kept.size !== tree.size || sameBytes(kept.root, tree.root())) return;
  const message = `the first ${kept.size} records are not those that the kept checkpoint covers: history was rewritten`;
  findings.add({ kind: "root", leafIndex: null, ...nowhere, message });
}
