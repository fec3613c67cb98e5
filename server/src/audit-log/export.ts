import {
  type ExportLine,
  formatExportHeader,
  formatExportLine,
  formatVerifierKey,
  hashLength,
  tileWidth,
  verifierKey,
} from "@aos/proof";
import type { Pool } from "pg";
import { leafDataOf } from "./leaf-rows.ts";
import { EmptyLog } from "./proofs.ts";
import type { LogScope } from "./scope.ts";
import { tileReader } from "./tile-store.ts";

/** Tiles that one statement fetches: 4,096 leaves. */
const tilesAtOnce = 16;

/**
 * A whole log as of its newest checkpoint, in the format `aos-audit-log v1` of `@aos/proof`: pieces of text, a few thousand lines each. A leaf whose record is no
 * longer kept is written as its hash. Throws EmptyLog. `publicKey`: 32 bytes of the key that signs the log.
 */
export async function* exportLog(pool: Pool, scope: LogScope, publicKey: Uint8Array): AsyncGenerator<string> {
  const { rows } = await pool.query<{ origin: string; tree_size: string; checkpoint: string }>(
    `select origin, tree_size, cosigned_checkpoint(organization, environment, checkpoint) as checkpoint
     from audit_logs where organization = $1 and environment = $2`,
    [scope.organization, scope.environment],
  );
  const head = rows[0];
  if (!head) throw new EmptyLog();
  const size = Number(head.tree_size);
  const key = formatVerifierKey(verifierKey(head.origin, publicKey));
  yield `${formatExportHeader({ origin: head.origin, public_key: key, checkpoint: head.checkpoint })}\n`;
  for (let first = 0; first * tileWidth < size; first += tilesAtOnce) yield await exportTiles(pool, scope, first, size);
}

async function exportTiles(pool: Pool, scope: LogScope, first: number, size: number): Promise<string> {
  const count = Math.min(tilesAtOnce, Math.ceil(size / tileWidth) - first);
  const ids = Array.from({ length: count }, (_, i) => ({ level: 0, index: first + i }));
  const tiles = await tileReader(pool, scope)(ids);
  const records = await readRecords(pool, scope, first * tileWidth, Math.min(size, (first + count) * tileWidth));
  const lines: string[] = [];
  for (const [i, data] of tiles.entries()) {
    const base = (first + i) * tileWidth;
    const width = Math.min(tileWidth, size - base);
    const hashes = data.subarray(0, width * hashLength);
    lines.push(formatExportLine({ kind: "tile", index: first + i, hashes }));
    for (let at = 0; at < width; at++) {
      const record = records.get(base + at);
      const line: ExportLine =
        record === undefined
          ? { kind: "leaf_hash", index: base + at, hash: hashes.subarray(at * hashLength, (at + 1) * hashLength) }
          : { kind: "leaf", index: base + at, record };
      lines.push(formatExportLine(line));
    }
  }
  return `${lines.join("\n")}\n`;
}

async function readRecords(
  pool: Pool,
  { organization, environment }: LogScope,
  start: number,
  end: number,
): Promise<Map<number, string>> {
  const { rows } = await pool.query<{ leaf_index: string; key_seq: string | null; body: string }>({
    name: "audit_export_read",
    text: `select l.leaf_index - g.first_leaf as leaf_index, l.key_seq, r.body
      from audit_logs g
      join audit_leaves l on l.organization = $1 and l.environment = $2
        and l.leaf_index >= g.first_leaf + $3 and l.leaf_index < g.first_leaf + $4
      join audit_records r on r.organization = l.organization and r.environment = l.environment and r.id = l.record_id
      where g.organization = $1 and g.environment = $2`,
    values: [organization, environment, start, end],
  });
  return new Map(
    rows.map((r) => [Number(r.leaf_index), leafDataOf(r.body, r.key_seq === null ? null : Number(r.key_seq))]),
  );
}
