import { createHash } from "node:crypto";

/** The rows in an order that the seed alone decides: by the SHA-256 of seed and place. The same on every machine. */
export function shuffled<T>(rows: readonly T[], seed: number): T[] {
  return rows
    .map((row, at) => ({ row, key: createHash("sha256").update(`${seed}:${at}`).digest("hex") }))
    .sort((a, b) => (a.key < b.key ? -1 : 1))
    .map(({ row }) => row);
}

/** Rows for training and the rest, `count` of them, which nothing is learnt from. Throws a RangeError where that leaves none for training. */
export function split<T>(rows: readonly T[], count: number, seed: number): { readonly train: T[]; readonly rest: T[] } {
  if (!(count > 0 && count < rows.length))
    throw new RangeError(`${rows.length} rows cannot give ${count} tasks and something to learn from`);
  const order = shuffled(rows, seed);
  return { train: order.slice(count), rest: order.slice(0, count) };
}

/** Lists of at most `most` items whose JSON has at most `bytes` bytes together; a single larger item stands alone. */
export function portions<T>(items: readonly T[], most: number, bytes: number): T[][] {
  const lists: T[][] = [];
  let size = Number.POSITIVE_INFINITY;
  for (const item of items) {
    const length = Buffer.byteLength(JSON.stringify(item)) + 1;
    if (size + length > bytes || (lists.at(-1)?.length ?? most) >= most) {
      lists.push([]);
      size = 0;
    }
    lists.at(-1)?.push(item);
    size += length;
  }
  return lists;
}
