import { emptyRoot, nodeHash } from "./merkle.ts";

/** A run of leaves that grows at its right end, folded into the complete subtrees of the whole tree that it consists of. */
export interface TreeFold {
  /** Leaf index behind the last leaf. */
  readonly end: number;
  /** Appends a complete subtree of 2^height leaves; 0 is a leaf. Its place must be one where a subtree of that height begins. */
  append(hash: Uint8Array, height?: number): void;
  /** The hashes of the subtrees, from left to right: those of `completeSubtrees`. */
  hashes(): Uint8Array[];
  /** The hash over all of them. The tree's root if the run begins at 0. */
  root(): Uint8Array;
}

/** An empty run that begins at leaf `start`. */
export function createTreeFold(start = 0): TreeFold {
  const nodes: { height: number; hash: Uint8Array }[] = [];
  let end = start;
  return {
    get end() {
      return end;
    },
    append(hash, height = 0) {
      const width = 2 ** height;
      if (end % width !== 0) throw new RangeError(`no subtree of ${width} leaves begins at leaf ${end}`);
      let node = { height, hash };
      let position = end / width;
      for (let left = nodes.at(-1); position % 2 === 1 && left?.height === node.height; left = nodes.at(-1)) {
        node = { height: node.height + 1, hash: nodeHash(left.hash, node.hash) };
        nodes.pop();
        position = Math.floor(position / 2);
      }
      nodes.push(node);
      end += width;
    },
    hashes: () => nodes.map(({ hash }) => hash),
    root: () =>
      nodes.length === 0
        ? emptyRoot
        : nodes.map(({ hash }) => hash).reduceRight((right, left) => nodeHash(left, right)),
  };
}
