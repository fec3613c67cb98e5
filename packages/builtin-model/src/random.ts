/** Numbers in [0, 1) that only the seed decides: the generator `mulberry32`, whose state is 32 bits. */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** Puts the rows in a random order, in place (Fisher and Yates). */
export function shuffle(rows: Int32Array, random: () => number): Int32Array {
  for (let i = rows.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    const held = rows[i] as number;
    rows[i] = rows[j] as number;
    rows[j] = held;
  }
  return rows;
}
