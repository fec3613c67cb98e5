import { expect, it } from "vitest";
import { BlockCache } from "./cache.ts";

it("keeps of a block no more bytes than it counts, though it was read as a part of many", () => {
  const read = Buffer.alloc(65_536, 1);
  const [dims, sums, bins] = [read.subarray(0, 10), read.subarray(10, 30), read.subarray(30, 60)];
  const { encoded } = new BlockCache().add(1, { rows: 1, dims, sums, bins }, true);
  expect([encoded.dims, encoded.sums, encoded.bins].map(({ buffer }) => buffer.byteLength)).toEqual([10, 20, 30]);
  expect(encoded.bins.at(-1)).toBe(1);
});
