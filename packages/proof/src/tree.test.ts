import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { concat, toHex, utf8 } from "./bytes.ts";
import { emptyRoot, leafHash, nodeHash, verifyConsistency, verifyInclusion } from "./merkle.ts";
import {
  consistencyProof,
  createTree,
  inclusionProof,
  MissingTile,
  resumeTree,
  rootAt,
  type TileId,
  type TileReader,
  tilePath,
  widthOfTile,
} from "./tiles.ts";

/** MTH of RFC 6962, section 2.1, word by word. */
function naiveRoot(leaves: readonly Uint8Array[]): Uint8Array {
  if (leaves.length === 0) return emptyRoot;
  if (leaves.length === 1) return leaves[0] as Uint8Array;
  const k = split(leaves.length);
  return nodeHash(naiveRoot(leaves.slice(0, k)), naiveRoot(leaves.slice(k)));
}

/** PATH of RFC 6962, section 2.1.1. */
function naivePath(m: number, leaves: readonly Uint8Array[]): Uint8Array[] {
  if (leaves.length === 1) return [];
  const k = split(leaves.length);
  if (m < k) return [...naivePath(m, leaves.slice(0, k)), naiveRoot(leaves.slice(k))];
  return [...naivePath(m - k, leaves.slice(k)), naiveRoot(leaves.slice(0, k))];
}

/** SUBPROOF of RFC 6962, section 2.1.2. */
function naiveSubproof(m: number, leaves: readonly Uint8Array[], whole: boolean): Uint8Array[] {
  if (m === leaves.length) return whole ? [] : [naiveRoot(leaves)];
  const k = split(leaves.length);
  if (m <= k) return [...naiveSubproof(m, leaves.slice(0, k), whole), naiveRoot(leaves.slice(k))];
  return [...naiveSubproof(m - k, leaves.slice(k), false), naiveRoot(leaves.slice(0, k))];
}

function split(n: number): number {
  return 2 ** (Math.ceil(Math.log2(n)) - 1);
}

const leaves = Array.from({ length: 70_000 }, (_, i) => leafHash(`leaf ${i}`));
const hex = (hashes: readonly Uint8Array[]): string[] => hashes.map(toHex);

/** A tree of so many leaves, with a reader over the tiles it made. */
function grown(size: number): { root: Uint8Array; read: TileReader; tiles: Map<string, Uint8Array> } {
  const tree = createTree({ tiles: true });
  const tiles = new Map<string, Uint8Array>();
  for (let i = 0; i < size; i++) {
    tree.append(leaves[i] as Uint8Array);
    if (i % 97 === 0) for (const t of tree.takeTiles()) tiles.set(`${t.level}/${t.index}`, t.data);
  }
  for (const t of tree.takeTiles()) tiles.set(`${t.level}/${t.index}`, t.data);
  return {
    root: tree.root(),
    tiles,
    read: async (ids: readonly TileId[]) => ids.map((id) => tiles.get(`${id.level}/${id.index}`) ?? new Uint8Array(0)),
  };
}

describe("a tree", () => {
  it("has the root that RFC 6962 defines, for every size up to 130 and around full tiles", async () => {
    for (const size of [...Array.from({ length: 131 }, (_, i) => i), 255, 256, 257, 511, 512, 513, 1000]) {
      const { root, read } = grown(size);
      const expected = toHex(naiveRoot(leaves.slice(0, size)));
      expect(toHex(root)).toBe(expected);
      expect(toHex(await rootAt(read, size))).toBe(expected);
    }
  });

  it("has the roots that Certificate Transparency publishes for its test leaves", () => {
    const leaves = ["", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f"];
    const rootOf = (size: number) =>
      toHex(naiveRoot(leaves.slice(0, size).map((leaf) => leafHash(Buffer.from(leaf, "hex")))));
    expect([1, 2, 3, 8].map(rootOf)).toEqual([
      "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
      "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
      "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
      "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
    ]);
  });

  it("proves the inclusion of every leaf of every size up to 40 with the path that RFC 6962 defines", async () => {
    const { read } = grown(300);
    for (let size = 1; size <= 40; size++) {
      const own = leaves.slice(0, size);
      for (let i = 0; i < size; i++) {
        const path = await inclusionProof(read, i, size);
        expect(hex(path)).toEqual(hex(naivePath(i, own)));
        expect(verifyInclusion(own[i] as Uint8Array, i, size, naiveRoot(own), path)).toBe(true);
      }
    }
  });

  it("proves consistency between all sizes up to 40 with the hashes that RFC 6962 defines", async () => {
    const { read } = grown(300);
    const roots = Array.from({ length: 41 }, (_, size) => naiveRoot(leaves.slice(0, size)));
    for (let newer = 1; newer <= 40; newer++) {
      for (let older = 1; older <= newer; older++) {
        const proof = await consistencyProof(read, older, newer);
        expect(hex(proof)).toEqual(hex(naiveSubproof(older, leaves.slice(0, newer), true)));
        const heads = [older, newer].map((size) => ({ size, root: roots[size] as Uint8Array }));
        expect(verifyConsistency(heads[0] as never, heads[1] as never, proof)).toBe(true);
      }
    }
  });

  it("proves leaves and older heads across three levels of tiles", async () => {
    const size = 66_000;
    const { read, root } = grown(size);
    await fc.assert(
      fc.asyncProperty(fc.nat(size - 1), fc.integer({ min: 1, max: size }), async (index, older) => {
        expect(
          verifyInclusion(leaves[index] as Uint8Array, index, size, root, await inclusionProof(read, index, size)),
        ).toBe(true);
        const proof = await consistencyProof(read, older, size);
        expect(verifyConsistency({ size: older, root: await rootAt(read, older) }, { size, root }, proof)).toBe(true);
      }),
      { numRuns: 60 },
    );
  });

  it("has tiles of the widths that C2SP tlog-tiles defines", () => {
    const { tiles } = grown(70_000);
    expect(tiles.size).toBe(273 + 1 + 1 + 1 + 1);
    expect(tiles.get("0/273")?.length).toBe(112 * 32);
    expect(tiles.get("1/1")?.length).toBe(17 * 32);
    expect(tiles.get("2/0")?.length).toBe(32);
    expect(widthOfTile({ level: 1, index: 1 }, 70_000)).toBe(17);
    expect(tilePath({ level: 0, index: 1_234_067 }, 256)).toBe("tile/0/x001/x234/067");
    expect(tilePath({ level: 1, index: 0 }, 8)).toBe("tile/1/000.p/8");
  });

  it("goes on from its tiles as if it had never stopped", async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(1_400), fc.nat(1_400), async (first, more) => {
        const { read, tiles } = grown(first);
        const resumed = await resumeTree(read, first);
        for (let i = first; i < first + more; i++) resumed.append(leaves[i] as Uint8Array);
        for (const t of resumed.takeTiles()) tiles.set(`${t.level}/${t.index}`, t.data);
        const whole = grown(first + more);
        expect(toHex(resumed.root())).toBe(toHex(whole.root));
        expect(new Map([...tiles].map(([k, v]) => [k, toHex(v)]))).toEqual(
          new Map([...whole.tiles].map(([k, v]) => [k, toHex(v)])),
        );
      }),
      { numRuns: 25 },
    );
  });

  it("names the tile that is missing", async () => {
    const none: TileReader = async (ids) => ids.map(() => new Uint8Array(0));
    await expect(inclusionProof(none, 3, 1_000)).rejects.toThrow(MissingTile);
    await expect(resumeTree(none, 300)).rejects.toThrow("tile 0/1 is missing");
  });
});

describe("verification", () => {
  it("refuses an inclusion proof with any part changed", async () => {
    const { read } = grown(1_000);
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 2, max: 1_000 }),
        fc.nat(),
        fc.nat(),
        fc.nat(4),
        async (size, pick, which, change) => {
          const index = pick % size;
          const proof = await inclusionProof(read, index, size);
          const root = await rootAt(read, size);
          const leaf = leaves[index] as Uint8Array;
          const at = which % proof.length;
          const flipped = proof.map((h, i) =>
            i === at ? concat(Uint8Array.of((h[0] as number) ^ 1), h.subarray(1)) : h,
          );
          const attempts: boolean[] = [
            verifyInclusion(leaf, index, size, root, flipped),
            verifyInclusion(leafHash("another"), index, size, root, proof),
            verifyInclusion(leaf, (index + 1) % size, size, root, proof),
            verifyInclusion(leaf, index, size, leafHash("another"), proof),
            verifyInclusion(leaf, index, size, root, change % 2 ? proof.slice(1) : [...proof, root]),
          ];
          expect(attempts[change]).toBe(false);
        },
      ),
    );
  });

  it("refuses consistency with a head that is not of this log", async () => {
    const { read, root } = grown(500);
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 499 }), async (older) => {
        const proof = await consistencyProof(read, older, 500);
        expect(verifyConsistency({ size: older, root: leafHash("another") }, { size: 500, root }, proof)).toBe(false);
        expect(
          verifyConsistency(
            { size: older, root: await rootAt(read, older) },
            { size: 500, root: leafHash("another") },
            proof,
          ),
        ).toBe(false);
        expect(
          verifyConsistency({ size: older, root: await rootAt(read, older) }, { size: 500, root }, proof.slice(1)),
        ).toBe(false);
      }),
      { numRuns: 50 },
    );
    expect(verifyConsistency({ size: 0, root: emptyRoot }, { size: 500, root }, [])).toBe(true);
    expect(verifyConsistency({ size: 600, root }, { size: 500, root }, [])).toBe(false);
  });

  it("never throws for a proof of random bytes", () => {
    fc.assert(
      fc.property(
        fc.nat(),
        fc.nat(),
        fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 20 }),
        (index, size, proof) => {
          expect(verifyInclusion(leafHash("a"), index, size, leafHash("b"), proof)).toBe(false);
        },
      ),
    );
  });

  it("hashes a text as its UTF-8 bytes", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "binary" }),
        (text) => void expect(toHex(leafHash(text))).toBe(toHex(leafHash(utf8(text)))),
      ),
    );
  });
});
