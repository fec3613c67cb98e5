import { toBase64 } from "./bytes.ts";

/** One thing that does not hold in an export. */
export interface Finding {
  /** What happened, as far as it is known. `root`: the whole does not fit the checkpoint; `hash_list`: the list that locates changes was itself changed. */
  kind:
    | "changed"
    | "deleted"
    | "inserted"
    | "reordered"
    | "not_canonical"
    | "key_sequence"
    | "other_log"
    | "signature"
    | "root"
    | "hash_list"
    | "format";
  /** The leaf index concerned, in the signed order where it is known. */
  leafIndex: number | null;
  /** Line of the file, from 1. */
  line: number | null;
  /** The `aud_` id, where the record could be read. */
  recordId: string | null;
  message: string;
}

/** Collects findings: the first thousand are kept, all are counted. */
export interface Findings {
  readonly list: Finding[];
  readonly total: number;
  add(finding: Finding): void;
  /** A signed leaf that stands nowhere near its place. */
  gone(leafIndex: number, hash: Uint8Array): void;
  /** A record in the file that is no signed leaf of its tile. If it turns out to be one of another tile, it was moved. */
  stray(leafIndex: number, hash: Uint8Array, line: number, recordId: string | null): void;
}

const kept = 1000;

/** An empty collection. */
export function createFindings(): Findings {
  const list: Finding[] = [];
  const goneByHash = new Map<string, Finding>();
  const strayByHash = new Map<string, Finding>();
  let total = 0;
  const add = (finding: Finding): void => {
    total++;
    if (list.length < kept) list.push(finding);
  };
  const moved = (finding: Finding, from: number, line: number | null, recordId: string | null): void => {
    Object.assign(finding, {
      kind: "reordered",
      leafIndex: from,
      line,
      recordId,
      message: `leaf ${from} stands at line ${line} instead of its place`,
    });
  };
  return {
    list,
    get total() {
      return total;
    },
    add,
    gone(leafIndex, hash) {
      const key = toBase64(hash);
      const stray = strayByHash.get(key);
      if (stray) return moved(stray, leafIndex, stray.line, stray.recordId);
      const finding: Finding = {
        kind: "deleted",
        leafIndex,
        line: null,
        recordId: null,
        message: `leaf ${leafIndex} is missing`,
      };
      add(finding);
      if (goneByHash.size < kept) goneByHash.set(key, finding);
    },
    stray(leafIndex, hash, line, recordId) {
      const key = toBase64(hash);
      const gone = goneByHash.get(key);
      if (gone) return moved(gone, gone.leafIndex as number, line, recordId);
      const finding: Finding = {
        kind: "inserted",
        leafIndex,
        line,
        recordId,
        message: `a record that is not in the log was inserted near leaf ${leafIndex}`,
      };
      add(finding);
      if (strayByHash.size < kept) strayByHash.set(key, finding);
    },
  };
}
