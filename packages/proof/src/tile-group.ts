import { sameBytes, toBase64 } from "./bytes.ts";
import type { Findings } from "./findings.ts";
import { hashLength } from "./merkle.ts";

/** A leaf as it stands in the file. */
export interface GroupLeaf {
  /** The index that the line gives itself. */
  readonly declared: number;
  readonly hash: Uint8Array;
  readonly line: number;
  readonly recordId: string | null;
}

/**
 * Compares the leaves of a file with the hashes of their tile, whose first leaf is `base`, and says which leaf was changed, deleted,
 * moved or inserted. Leaves that only follow a deleted or inserted one are not reported: `numbering.shift` carries from tile to tile
 * by how much their own indices are off.
 */
export function checkGroup(
  base: number,
  hashes: Uint8Array,
  leaves: readonly GroupLeaf[],
  findings: Findings,
  numbering: { shift: number },
): void {
  const width = hashes.length / hashLength;
  const expected = (i: number): Uint8Array => hashes.subarray(i * hashLength, (i + 1) * hashLength);
  const { shift } = numbering;
  if (
    leaves.length === width &&
    leaves.every((leaf, i) => leaf.declared === base + i + shift && sameBytes(leaf.hash, expected(i)))
  )
    return;
  const places = new Map<string, number>();
  for (let i = 0; i < width; i++) places.set(toBase64(expected(i)), base + i);
  const found: Placed[] = [];
  const unknown: GroupLeaf[] = [];
  for (const leaf of leaves) {
    const key = toBase64(leaf.hash);
    const place = places.get(key);
    if (place === undefined) unknown.push(leaf);
    else found.push({ leaf, place });
    places.delete(key);
  }
  const missing = new Set(places.values());
  reportMoved(found, findings, numbering, missing.size === 0 && unknown.length === 0);
  for (const leaf of unknown) {
    const { declared, line, recordId, hash } = leaf;
    const place = declared - shift;
    if (missing.delete(place)) {
      findings.add({
        kind: "changed",
        leafIndex: place,
        line,
        recordId,
        message: `leaf ${place} is not the record that was logged`,
      });
    } else findings.stray(declared, hash, line, recordId);
  }
  for (const place of missing) findings.gone(place, expected(place - base));
}

interface Placed {
  readonly leaf: GroupLeaf;
  readonly place: number;
}

/**
 * Leaves outside a longest rising run of places were moved. A leaf in its place whose own index is off is reported if the tile has all its
 * leaves (`complete`) and none was moved, so that nothing else explains it.
 */
function reportMoved(
  found: readonly Placed[],
  findings: Findings,
  numbering: { shift: number },
  complete: boolean,
): void {
  const stay = longestRising(found.map(({ place }) => place));
  const unexplained = complete && stay.size === found.length;
  for (const [i, { leaf, place }] of found.entries()) {
    const { line, recordId, declared } = leaf;
    const at = { kind: "reordered", leafIndex: place, line, recordId } as const;
    if (!stay.has(i)) findings.add({ ...at, message: `leaf ${place} stands at line ${line} instead of its place` });
    else if (declared - place !== numbering.shift) {
      numbering.shift = declared - place;
      if (unexplained && declared !== place)
        findings.add({ ...at, message: `leaf ${place} calls itself leaf ${declared}` });
    }
  }
}

/**
 * Positions of a longest strictly rising subsequence of distinct values; of several, one with the most values that stand where they would in
 * sorted order. Without that preference the exchange of two leaves around a third could name the third. Quadratic, for at most a tile's values.
 */
function longestRising(values: readonly number[]): Set<number> {
  const sorted = values.toSorted((a, b) => a - b);
  const runs: { weight: number; before: number }[] = [];
  let end = -1;
  for (const [i, value] of values.entries()) {
    let before = -1;
    for (let j = 0; j < i; j++) {
      if ((values[j] as number) < value && weightOf(runs, j) > weightOf(runs, before)) before = j;
    }
    // Length counts before everything else: all values in their places together weigh less than one more value.
    runs.push({ weight: weightOf(runs, before) + values.length + 1 + (sorted[i] === value ? 1 : 0), before });
    if (weightOf(runs, i) > weightOf(runs, end)) end = i;
  }
  const chosen = new Set<number>();
  for (let i = end; i >= 0; i = runs[i]?.before ?? -1) chosen.add(i);
  return chosen;
}

/** The weight of the best run that ends at a position; 0 where there is none. */
function weightOf(runs: readonly { weight: number }[], at: number): number {
  return runs[at]?.weight ?? 0;
}
