import fc from "fast-check";
import { expect, it } from "vitest";
import type { ColumnType } from "../kernel/append.ts";
import { useDatabase } from "../testing/database.ts";
import { encodeArray } from "./binary-array.ts";

const database = useDatabase({ migrated: false });

const text = fc.string({ unit: "grapheme" }).map((s) => s.replaceAll("\u0000", "").toWellFormed());
const samples: readonly [ColumnType, string, fc.Arbitrary<unknown>][] = [
  ["text", "text", text],
  ["bytea", "bytea", fc.uint8Array().map((bytes) => Buffer.from(bytes))],
  ["int", "int4", fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 })],
  ["bigint", "int8", fc.maxSafeInteger()],
  ["smallint", "int2", fc.integer({ min: -(2 ** 15), max: 2 ** 15 - 1 })],
  ["boolean", "bool", fc.boolean()],
  ["float8", "float8", fc.double({ noNaN: true }).map((n) => (Object.is(n, -0) ? 0 : n))],
  [
    "timestamptz",
    "timestamptz",
    fc.date({ min: new Date("0001-01-01"), max: new Date("9999-01-01"), noInvalidDate: true }),
  ],
];

it.each(samples)("PostgreSQL reads arrays of %s as they were, nulls included", async (type, name, element) => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.option(element), { maxLength: 20 }), async (values) => {
      const { rows } = await database.pool.query(`select value from unnest($1::${name}[]) as u(value)`, [
        encodeArray(type, values),
      ]);
      expect(rows.map((row) => row.value)).toEqual(values);
    }),
    { numRuns: 40 },
  );
});

it("refuses a value that the type cannot hold", () => {
  expect(() => encodeArray("text", [1])).toThrow(TypeError);
  expect(() => encodeArray("int", ["1"])).toThrow(TypeError);
  expect(() => encodeArray("timestamptz", ["soon"])).toThrow(TypeError);
});
