import { concat } from "./bytes.ts";
import {
  completeSubtrees,
  consistencyRanges,
  emptyRoot,
  hashLength,
  inclusionRanges,
  isCount,
  type LeafRange,
  nodeHash,
} from "./merkle.ts";

/** Hashes in a full tile (C2SP tlog-tiles: tiles of height 8). */
export const tileWidth = 256;
/** Bytes of a full tile. */
export const tileBytes = tileWidth * hashLength;

/** Which tile: level 0 holds leaf hashes, a hash of level l + 1 is the root of a full tile of level l (C2SP tlog-tiles). */
export interface TileId {
  readonly level: number;
  readonly index: number;
}

/** A tile with its data: up to 256 hashes of 32 bytes, fewer at the right edge. */
export interface Tile extends TileId {
  readonly data: Uint8Array;
}

/**
 * Fetches tiles, in the order asked. A tile may hold more hashes than the tree in question (it has grown since), never fewer.
 */
export type TileReader = (tiles: readonly TileId[]) => Promise<readonly Uint8Array[]>;

/** Says that a tile which a tree of the size in question must have is absent or too short. */
export class MissingTile extends Error {
  constructor(tile: TileId) {
    super(`tile ${tile.level}/${tile.index} is missing or shorter than the tree needs`);
    this.name = "MissingTile";
  }
}

/** Width of tile `id` in a tree of `size` leaves: 0 where it does not exist yet. */
export function widthOfTile(id: TileId, size: number): number {
  const hashes = Math.floor(size / tileWidth ** id.level) - id.index * tileWidth;
  return Math.max(0, Math.min(tileWidth, hashes));
}

/** The address of a tile below the log's prefix, `.p/<width>` when partial (C2SP tlog-tiles: `tile/1/x001/x234/067.p/8`). */
export function tilePath(id: TileId, width: number): string {
  let digits = String(id.index);
  digits = digits.padStart(Math.ceil(digits.length / 3) * 3, "0");
  const parts = digits.match(/.{3}/g) ?? [];
  const path = parts.map((part, i) => (i < parts.length - 1 ? `x${part}` : part)).join("/");
  return `tile/${id.level}/${path}${width < tileWidth ? `.p/${width}` : ""}`;
}

/** The inclusion proof of leaf `index` in the tree of `size` leaves: hashes from the leaf's sibling up. One call of the reader. */
export async function inclusionProof(read: TileReader, index: number, size: number): Promise<Uint8Array[]> {
  return rangeHashes(read, inclusionRanges(index, size));
}

/** The consistency proof between the trees of `older` and `newer` leaves. One call of the reader. */
export async function consistencyProof(read: TileReader, older: number, newer: number): Promise<Uint8Array[]> {
  return rangeHashes(read, consistencyRanges(older, newer));
}

/** The root of the tree of the first `size` leaves. One call of the reader. */
export async function rootAt(read: TileReader, size: number): Promise<Uint8Array> {
  if (size === 0) return emptyRoot;
  const [root] = await rangeHashes(read, [{ start: 0, end: size }]);
  return root as Uint8Array;
}

/** The hashes of the complete subtrees of the tree that a run of leaves consists of, as `completeSubtrees` names them. One call of the reader. */
export async function subtreesOf(read: TileReader, range: LeafRange): Promise<Uint8Array[]> {
  const ranges = completeSubtrees(range).map(({ height, position }) => ({
    start: position * 2 ** height,
    end: (position + 1) * 2 ** height,
  }));
  return rangeHashes(read, ranges);
}

async function rangeHashes(read: TileReader, ranges: readonly LeafRange[]): Promise<Uint8Array[]> {
  const nodes = ranges.map((range) => completeSubtrees(range).map(placeInTile));
  const wanted = new Map<string, TileId>();
  for (const node of nodes.flat()) wanted.set(`${node.tile.level}/${node.tile.index}`, node.tile);
  const ids = [...wanted.values()];
  const data = ids.length === 0 ? [] : await read(ids);
  const tiles = new Map(ids.map((id, i) => [`${id.level}/${id.index}`, data[i] ?? new Uint8Array(0)]));
  return nodes.map((run) => {
    const hashes = run.map((node) =>
      subtreeHash(node, tiles.get(`${node.tile.level}/${node.tile.index}`) as Uint8Array),
    );
    return hashes.reduceRight((right, left) => nodeHash(left, right));
  });
}

interface TileNode {
  readonly tile: TileId;
  readonly offset: number;
  readonly width: number;
}

function placeInTile({ height, position }: { height: number; position: number }): TileNode {
  const level = Math.floor(height / 8);
  const width = 2 ** (height - 8 * level);
  const first = position * width;
  return { tile: { level, index: Math.floor(first / tileWidth) }, offset: first % tileWidth, width };
}

function subtreeHash({ tile, offset, width }: TileNode, data: Uint8Array): Uint8Array {
  if (data.length < (offset + width) * hashLength) throw new MissingTile(tile);
  let row: Uint8Array[] = [];
  for (let i = 0; i < width; i++) row.push(data.subarray((offset + i) * hashLength, (offset + i + 1) * hashLength));
  while (row.length > 1) {
    const above: Uint8Array[] = [];
    for (let i = 0; i < row.length; i += 2) above.push(nodeHash(row[i] as Uint8Array, row[i + 1] as Uint8Array));
    row = above;
  }
  return row[0] as Uint8Array;
}

/** A tree that grows at its right edge, in memory of the order of its height. */
export interface TreeBuilder {
  /** Leaves so far. */
  readonly size: number;
  /** Appends a leaf by its hash. */
  append(leaf: Uint8Array): void;
  /** The root of all leaves so far. */
  root(): Uint8Array;
  /** The tiles that changed since the last call, whole data of each; empty unless built with tiles. */
  takeTiles(): Tile[];
}

interface EdgeTile {
  index: number;
  width: number;
  data: Uint8Array;
}

/** An empty tree. With `tiles`, what `append` changes is also kept as tiles until taken. */
export function createTree({ tiles = false }: { tiles?: boolean } = {}): TreeBuilder {
  return builder(0, [], tiles ? [] : undefined);
}

/** Goes on with a tree of `size` leaves from its partial right-edge tiles. One call of the reader. */
export async function resumeTree(read: TileReader, size: number): Promise<TreeBuilder> {
  if (!isCount(size)) throw new RangeError(`${size} is no number of leaves`);
  const ids: TileId[] = [];
  for (let level = 0; tileWidth ** level <= size; level++)
    ids.push({ level, index: Math.floor(size / tileWidth ** (level + 1)) });
  const partial = ids.filter((id) => widthOfTile(id, size) > 0);
  const data = partial.length === 0 ? [] : await read(partial);
  const edge: EdgeTile[] = ids.map(({ index }) => ({ index, width: 0, data: new Uint8Array(tileBytes) }));
  const peaks: (Uint8Array | undefined)[] = [];
  for (const [i, id] of partial.entries()) {
    const width = widthOfTile(id, size);
    const bytes = (data[i] ?? new Uint8Array(0)).subarray(0, width * hashLength);
    if (bytes.length < width * hashLength) throw new MissingTile(id);
    const tile = edge[id.level] as EdgeTile;
    tile.data.set(bytes);
    tile.width = width;
    for (const { height, position } of completeSubtrees({ start: 0, end: width })) {
      peaks[8 * id.level + height] = subtreeHash(
        { tile: id, offset: position * 2 ** height, width: 2 ** height },
        bytes,
      );
    }
  }
  return builder(size, peaks, edge);
}

/** `peaks[h]` is the hash of the complete subtree of height h at the right edge, present where bit h of the size is set. */
function builder(start: number, peaks: (Uint8Array | undefined)[], edge: EdgeTile[] | undefined): TreeBuilder {
  let size = start;
  const changed = new Map<string, TileId & { tile: EdgeTile }>();
  const push = (level: number, hash: Uint8Array): void => {
    if (!edge) return;
    let tile = edge[level];
    if (!tile || tile.width === tileWidth) {
      tile = { index: tile ? tile.index + 1 : 0, width: 0, data: new Uint8Array(tileBytes) };
      edge[level] = tile;
    }
    tile.data.set(hash, tile.width * hashLength);
    tile.width++;
    changed.set(`${level}/${tile.index}`, { level, index: tile.index, tile });
  };
  return {
    get size() {
      return size;
    },
    append(leaf) {
      push(0, leaf);
      let node = leaf;
      let height = 0;
      for (let below = peaks[0]; below; below = peaks[height]) {
        node = nodeHash(below, node);
        peaks[height] = undefined;
        height++;
        if (height % 8 === 0) push(height / 8, node);
      }
      peaks[height] = node;
      size++;
    },
    root() {
      let root: Uint8Array | undefined;
      for (const peak of peaks) if (peak) root = root ? nodeHash(peak, root) : peak;
      return root ?? emptyRoot;
    },
    takeTiles() {
      const tiles = [...changed.values()].map(({ level, index, tile }) => ({
        level,
        index,
        data: concat(tile.data.subarray(0, tile.width * hashLength)),
      }));
      changed.clear();
      return tiles;
    },
  };
}
