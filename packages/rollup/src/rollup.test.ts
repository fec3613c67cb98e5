import fc from "fast-check";
import { expect, it } from "vitest";
import { binOf, Histogram, valueOfBin, zeroBin } from "./bins.ts";
import { BlockBuilder } from "./builder.ts";
import { binPlacesIn, decode, encode, headBytes, placeIn } from "./codec.ts";
import { merge, negate } from "./merge.ts";
import { columnsOf, Scan } from "./scan.ts";

const shape = { dims: 3, sums: 2, bins: 2 };
const big = fc.oneof(
  fc.integer({ min: -300, max: 300 }),
  fc.maxSafeInteger().map((value) => Math.trunc(value / 64)),
);
const hits = fc.array(fc.tuple(fc.integer({ min: -1, max: 1_500 }), fc.integer({ min: 1, max: 3 })), { maxLength: 3 });
const row = fc.record({
  dims: fc.tuple(...[3, 4, 65_535].map((max) => fc.integer({ min: 0, max }).map((value) => Math.min(value, 60_000)))),
  sums: fc.tuple(big, big),
  bins: fc.tuple(hits, hits),
});
type Row = typeof row extends fc.Arbitrary<infer R> ? R : never;
const rows = fc.array(row, { maxLength: 40 });

function blockOf(all: readonly Row[]) {
  const builder = new BlockBuilder(shape);
  for (const { dims, sums, bins } of all) builder.add(dims, sums, bins);
  return builder.build();
}

it("reads a block as it was written, also when only the heads are looked at", () => {
  fc.assert(
    fc.property(rows, (all) => {
      const block = blockOf(all);
      const encoded = encode(block);
      expect(decode(shape, encoded)).toEqual(block);
      const heads = headBytes(shape);
      for (const at of [0, 1])
        expect(placeIn(encoded.sums.subarray(0, heads.sums), block.rows, at)).toEqual(
          placeIn(encoded.sums, block.rows, at),
        );
      const bins = encoded.bins.subarray(0, heads.bins);
      expect(binPlacesIn(bins, block.rows, 1)).toEqual(binPlacesIn(encoded.bins, block.rows, 1));
      const wider = decode({ ...shape, dims: 4 }, encoded, 7);
      expect(wider).toEqual({ ...block, dims: [...block.dims, new Uint16Array(block.rows).fill(7)] });
    }),
  );
});

it("leaves nothing of what was added and taken back", () => {
  fc.assert(
    fc.property(rows, rows, (kept, taken) => {
      const blocks = [blockOf(kept), blockOf(taken), negate(blockOf(taken))];
      expect(merge(shape, blocks)).toEqual(blockOf(kept));
    }),
  );
});

it("merges to the same block in any order and any grouping", () => {
  fc.assert(
    fc.property(fc.array(rows, { maxLength: 5 }), fc.nat(5), (parts, cut) => {
      const blocks = parts.map(blockOf);
      const whole = blockOf(parts.flat());
      expect(merge(shape, [...blocks].reverse())).toEqual(whole);
      expect(merge(shape, [merge(shape, blocks.slice(0, cut)), merge(shape, blocks.slice(cut))])).toEqual(whole);
    }),
  );
});

it("finds what going through the rows one by one finds, also by digests of blocks", () => {
  const request = {
    conditions: [{ dims: [0, 1], judge: ([a, b]: readonly number[]) => (a as number) + (b as number) !== 3 }],
    group: [1, 0],
    sums: [{ sum: 1 }, { sum: 0, only: { dims: [2], judge: ([c]: readonly number[]) => (c as number) < 9 } }],
    bins: [1],
  };
  fc.assert(
    fc.property(fc.array(rows, { maxLength: 4 }), (parts) => {
      const scan = new Scan(shape, request);
      for (const [at, part] of parts.entries()) {
        const columns = columnsOf(blockOf(part));
        if (at % 3 === 1) scan.addDigest(scan.digestOf(columns), at % 2);
        else scan.add(columns, at % 2);
      }
      const expected = new Map<string, { sums: number[]; hits: number }>();
      for (const [at, part] of parts.entries()) {
        for (const { dims, sums, bins } of part.filter(({ dims: [a, b] }) => a! + b! !== 3)) {
          const key = JSON.stringify([at % 2, [dims[1], dims[0]]]);
          const cell = expected.get(key) ?? { sums: [0, 0], hits: 0 };
          cell.sums[0]! += sums[1];
          if (dims[2]! < 9) cell.sums[1]! += sums[0];
          cell.hits += bins[1].reduce((sum, [, count]) => sum + count, 0);
          expected.set(key, cell);
        }
      }
      const nothing = ({ sums, hits }: { sums: number[]; hits: number }) =>
        sums.every((sum) => sum === 0) && hits === 0;
      const found = [...scan.cells()].map(
        ({ window, key, sums, bins }) =>
          [JSON.stringify([window, key]), { sums: sums.map((sum) => sum + 0), hits: bins[0]!.total }] as const,
      );
      expect(new Map(found.filter(([, cell]) => !nothing(cell)))).toEqual(
        new Map([...expected].filter(([, cell]) => !nothing(cell))),
      );
    }),
  );
});

it("finds quantiles within 1 % of the exact ones", () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof(fc.nat(2_000), fc.nat(3_000_000_000)), { minLength: 1, maxLength: 300 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (values, at) => {
        const histogram = new Histogram();
        for (const value of values) histogram.add(binOf(value), 1);
        const exact = [...values].sort((a, b) => a - b)[Math.floor(at * (values.length - 1))] as number;
        expect(Math.abs((histogram.quantile(at) as number) - exact)).toBeLessThanOrEqual(exact * 0.01 + 1e-9);
      },
    ),
  );
  expect([binOf(0), valueOfBin(zeroBin), new Histogram().quantile(0.5)]).toEqual([zeroBin, 0, null]);
});

it("refuses numbers that are not whole, and blocks of another shape", () => {
  const builder = new BlockBuilder(shape);
  builder.add([1, 2, 3], [0.5, 1]);
  expect(() => encode(builder.build())).toThrow("whole numbers only");
  expect(() => merge({ ...shape, sums: 3 }, [blockOf([])])).toThrow("another shape");
});
