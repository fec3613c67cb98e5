import { createHash } from "node:crypto";
import { setImmediate as turn } from "node:timers/promises";
import { DocumentFault, type Row, recordText } from "@aos/documents";
import { canonicalJson } from "@aos/strict-json";
import { removeGoneRows, storeRows } from "./operations/store-rows.ts";
import { classesIn, soundValue } from "./pieces.ts";
import type { Working } from "./progress.ts";
import { listRowKeys, type StoredRow } from "./row-store.ts";
import type { Pending, RowCounts } from "./rules.ts";

/** Rows that one call stores, with about so many fields; and rows that a file may have. */
const rowsOfBatch = 1_000;
const fieldsOfBatch = 50_000;
const mostRows = 1_000_000;
/** Yields after so many rows: they come from memory. */
const rowsOfTurn = 20;

/**
 * In batches. Rows with an external id are the document of that id; others are known by their contents. What a former
 * reading brought and this one does not is removed. The first of equal ids counts.
 */
export async function takeRows(work: Working, pending: Pending, rows: AsyncIterable<Row>): Promise<RowCounts> {
  const { row, inside, progress, newId } = work;
  const seen = new Set<string>();
  const counts = { records: 0, added: 0, replaced: 0, unchanged: 0, removed: 0 };
  const held = { parent: row.id, attempt: row.attempt, author: pending.author, deciders: pending.deciders };
  let batch: StoredRow[] = [];
  let fields = 0;
  const flush = async (): Promise<void> => {
    if (batch.length === 0) return;
    const stored = await inside(storeRows, row, { ...held, rows: batch });
    batch = [];
    fields = 0;
    for (const name of ["added", "replaced", "unchanged"] as const) counts[name] += stored[name];
    // How many there are is known at the end; each batch takes half of what is left.
    await progress.report("indexing", 0.4 + 0.5 * (1 - 1 / (1 + seen.size / 10_000)));
  };
  for await (const given of rows) {
    const one = storedRow(row.id, newId("doc"), given);
    const key = keyOf(one);
    if (seen.has(key)) continue;
    if (seen.size >= mostRows) throw new DocumentFault("too_many_rows", `The file has more than ${mostRows} rows.`);
    seen.add(key);
    batch.push(one);
    fields += Object.keys(one.fields).length;
    if (batch.length >= rowsOfBatch || fields >= fieldsOfBatch) await flush();
    else if (batch.length % rowsOfTurn === 0) await turn();
  }
  await flush();
  counts.removed = await removeGone(work, held, seen);
  counts.records = seen.size;
  return counts;
}

async function removeGone(
  { db, row, inside, progress }: Working,
  held: { parent: string; attempt: number },
  seen: ReadonlySet<string>,
): Promise<number> {
  let removed = 0;
  let after = "";
  for (;;) {
    const page = await listRowKeys({ scope: row, db }, row.id, after, rowsOfBatch);
    const last = page.at(-1);
    if (!last) return removed;
    after = last.id;
    const gone = page.filter((one) => !seen.has(keyOf(one))).map(({ id }) => id);
    if (gone.length > 0) removed += (await inside(removeGoneRows, row, { ...held, rows: gone })).removed;
    await progress.report("indexing", 0.95);
  }
}

/** Short, because those of a whole file are in memory. */
function keyOf({ external_id, digest }: { external_id: string | null; digest: string | null }): string {
  const key = external_id === null ? `=${digest}` : `#${external_id}`;
  return key.length <= 24 ? key : createHash("sha256").update(key).digest("base64url").slice(0, 22);
}

function storedRow(parent: string, id: string, given: Row): StoredRow {
  const fields = soundValue(given.fields);
  const named = given.external_id;
  const external_id = named !== null && named !== "" && named.length <= 255 && !named.includes("\0") ? named : null;
  const said = external_id === null ? { parent, fields } : { title: "", text: null, fields };
  const digest = createHash("sha256").update(canonicalJson(said)).digest("hex");
  return { id, external_id, fields, digest, data_classes: classesIn(recordText(fields)) };
}
