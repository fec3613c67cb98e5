import { sha256 } from "#sha256";
import { sameBytes } from "./bytes.ts";

/** Bytes of one SHA-256 hash. */
export const hashLength = 32;

/** The root of a tree without leaves: SHA-256 of nothing (RFC 6962, section 2.1). */
export const emptyRoot: Uint8Array = sha256("");

/** The hash of a leaf: SHA-256(0x00 ‖ data), with a text taken as UTF-8 (RFC 6962, section 2.1). */
export function leafHash(data: Uint8Array | string): Uint8Array {
  if (typeof data === "string") return sha256(`\u0000${data}`);
  const input = new Uint8Array(data.length + 1);
  input.set(data, 1);
  return sha256(input);
}

const pair = new Uint8Array(1 + 2 * hashLength);
pair[0] = 1;

/** The hash of an inner node: SHA-256(0x01 ‖ left ‖ right) (RFC 6962, section 2.1). */
export function nodeHash(left: Uint8Array, right: Uint8Array): Uint8Array {
  pair.set(left, 1);
  pair.set(right, 1 + hashLength);
  return sha256(pair);
}

/**
 * The root that an inclusion proof leads to (RFC 9162, section 2.1.3.2); undefined where the proof's length does not fit index and
 * size. A proof holds when this equals the signed root.
 */
export function rootOfInclusion(
  leaf: Uint8Array,
  index: number,
  size: number,
  proof: readonly Uint8Array[],
): Uint8Array | undefined {
  if (!isCount(index) || !isCount(size) || index >= size) return undefined;
  let node = index;
  let last = size - 1;
  let root = leaf;
  for (const sibling of proof) {
    if (last === 0 || sibling.length !== hashLength) return undefined;
    if (node % 2 === 1 || node === last) {
      root = nodeHash(sibling, root);
      while (node % 2 === 0 && node !== 0) {
        node /= 2;
        last = half(last);
      }
    } else root = nodeHash(root, sibling);
    node = half(node);
    last = half(last);
  }
  return last === 0 ? root : undefined;
}

/** Whether a proof shows that the leaf with this hash stands at `index` in the tree with this size and root. */
export function verifyInclusion(
  leaf: Uint8Array,
  index: number,
  size: number,
  root: Uint8Array,
  proof: readonly Uint8Array[],
): boolean {
  const found = rootOfInclusion(leaf, index, size, proof);
  return found !== undefined && sameBytes(found, root);
}

/** A tree by its number of leaves and its root. */
export interface TreeHead {
  readonly size: number;
  readonly root: Uint8Array;
}

/** Whether a proof shows that the tree `newer` begins with exactly the leaves of `older` (RFC 9162, section 2.1.4.2). */
export function verifyConsistency(older: TreeHead, newer: TreeHead, proof: readonly Uint8Array[]): boolean {
  if (!isCount(older.size) || !isCount(newer.size) || older.size > newer.size) return false;
  if (older.size === 0) return proof.length === 0 && sameBytes(older.root, emptyRoot);
  if (older.size === newer.size) return proof.length === 0 && sameBytes(older.root, newer.root);
  const path = isPowerOfTwo(older.size) ? [older.root, ...proof] : proof;
  let node = older.size - 1;
  let last = newer.size - 1;
  while (node % 2 === 1) {
    node = half(node);
    last = half(last);
  }
  let oldRoot = path[0];
  let newRoot = path[0];
  if (!oldRoot || !newRoot) return false;
  for (const hash of path.slice(1)) {
    if (last === 0 || hash.length !== hashLength) return false;
    if (node % 2 === 1 || node === last) {
      oldRoot = nodeHash(hash, oldRoot);
      newRoot = nodeHash(hash, newRoot);
      while (node % 2 === 0 && node !== 0) {
        node /= 2;
        last = half(last);
      }
    } else newRoot = nodeHash(newRoot, hash);
    node = half(node);
    last = half(last);
  }
  return last === 0 && sameBytes(oldRoot, older.root) && sameBytes(newRoot, newer.root);
}

/** A run of leaves: from `start` up to, without, `end`. */
export interface LeafRange {
  readonly start: number;
  readonly end: number;
}

/** The runs of leaves whose hashes form the inclusion proof of `index`, from the leaf's sibling up (RFC 6962, section 2.1.1). */
export function inclusionRanges(index: number, size: number): LeafRange[] {
  if (!isCount(index) || !isCount(size) || index >= size)
    throw new RangeError(`leaf ${index} is not in a tree of ${size} leaves`);
  const ranges: LeafRange[] = [];
  let start = 0;
  let end = size;
  while (end - start > 1) {
    const middle = start + largestPowerBelow(end - start);
    ranges.push(index < middle ? { start: middle, end } : { start, end: middle });
    if (index < middle) end = middle;
    else start = middle;
  }
  return ranges.reverse();
}

/** The runs of leaves whose hashes form the consistency proof between two sizes, in the order of RFC 6962, section 2.1.2. */
export function consistencyRanges(older: number, newer: number): LeafRange[] {
  if (!isCount(older) || !isCount(newer) || older > newer)
    throw new RangeError(`a tree of ${newer} leaves has no head of ${older} leaves`);
  if (older === 0 || older === newer) return [];
  const ranges: LeafRange[] = [];
  let start = 0;
  let end = newer;
  while (end !== older) {
    const middle = start + largestPowerBelow(end - start);
    ranges.push(older <= middle ? { start: middle, end } : { start, end: middle });
    if (older <= middle) end = middle;
    else start = middle;
  }
  if (start > 0) ranges.push({ start, end });
  return ranges.reverse();
}

/** The complete subtrees that a run of leaves of a tree falls into, largest and leftmost first: height, and position at that height. */
export function completeSubtrees({ start, end }: LeafRange): { height: number; position: number }[] {
  const nodes: { height: number; position: number }[] = [];
  let at = start;
  while (at < end) {
    let height = 0;
    while (2 ** (height + 1) <= end - at && at % 2 ** (height + 1) === 0) height++;
    nodes.push({ height, position: at / 2 ** height });
    at += 2 ** height;
  }
  return nodes;
}

/** Whether a value can be a number of leaves: a whole number from 0 to 2^53 − 1. */
export function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0;
}

function half(n: number): number {
  return Math.floor(n / 2);
}

function isPowerOfTwo(n: number): boolean {
  return 2 ** Math.round(Math.log2(n)) === n;
}

/** The largest power of two below n, for n ≥ 2: where RFC 6962 splits a tree. */
function largestPowerBelow(n: number): number {
  let power = 1;
  while (power * 2 < n) power *= 2;
  return power;
}
