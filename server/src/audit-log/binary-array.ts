import type { ColumnType } from "../kernel/append.ts";

/**
 * One-dimensional arrays in PostgreSQL's binary format (src/backend/utils/adt/arrayfuncs.c, array_send): what a batch sends. The text
 * format would be escaped here and parsed there character by character; records and bodies are long texts full of quotation marks.
 */

/** Object ids of the element types (pg_type.dat). */
const oids: Readonly<Record<ColumnType, number>> = {
  text: 25,
  bytea: 17,
  int: 23,
  bigint: 20,
  smallint: 21,
  boolean: 16,
  float8: 701,
  timestamptz: 1184,
};

const headerBytes = 20;
/** Milliseconds between the Unix epoch and PostgreSQL's, 2000-01-01. */
const postgresEpoch = 946_684_800_000;
/** Every fixed element fits into so many bytes, its length included. */
const widest = 12;

/** Where arrays are put together: written in one pass, then copied out at their length. */
let scratch = Buffer.allocUnsafe(64 * 1024);

/** The array as one parameter. Null and undefined are null. Throws TypeError for a value that its type cannot hold. */
export function encodeArray(type: ColumnType, values: readonly unknown[]): Buffer {
  let nulls = 0;
  let at = headerBytes;
  for (const value of values) {
    if (value === null || value === undefined) {
      nulls = 1;
      reserve(at, widest);
      at = scratch.writeInt32BE(-1, at);
    } else at = writeElement(type, value, at);
  }
  scratch.writeInt32BE(1, 0);
  scratch.writeInt32BE(nulls, 4);
  scratch.writeInt32BE(oids[type], 8);
  scratch.writeInt32BE(values.length, 12);
  scratch.writeInt32BE(1, 16);
  return Buffer.from(scratch.subarray(0, at));
}

function reserve(at: number, bytes: number): void {
  if (at + bytes <= scratch.length) return;
  const larger = Buffer.allocUnsafe(Math.max(2 * scratch.length, at + bytes));
  scratch.copy(larger, 0, 0, at);
  scratch = larger;
}

/** Length, then value; answers where the next element begins. */
function writeElement(type: ColumnType, value: unknown, at: number): number {
  switch (type) {
    case "text":
      return writeText(value, at);
    case "bytea":
      return writeBytes(value, at);
    default:
      reserve(at, widest);
      return writeFixed(type, value, at);
  }
}

function writeText(value: unknown, at: number): number {
  if (typeof value !== "string") throw new TypeError(`${typeof value} is no text`);
  reserve(at, 4 + 3 * value.length); // UTF-8 takes at most three bytes for each UTF-16 unit
  const size = scratch.write(value, at + 4);
  scratch.writeInt32BE(size, at);
  return at + 4 + size;
}

function writeBytes(value: unknown, at: number): number {
  if (!Buffer.isBuffer(value)) throw new TypeError(`${typeof value} is no bytea`);
  reserve(at, 4 + value.length);
  scratch.writeInt32BE(value.length, at);
  value.copy(scratch, at + 4);
  return at + 4 + value.length;
}

function writeFixed(type: Exclude<ColumnType, "text" | "bytea">, value: unknown, at: number): number {
  switch (type) {
    case "int":
      return scratch.writeInt32BE(numberOf(type, value), scratch.writeInt32BE(4, at));
    case "bigint":
      return scratch.writeBigInt64BE(BigInt(numberOf(type, value)), scratch.writeInt32BE(8, at));
    case "smallint":
      return scratch.writeInt16BE(numberOf(type, value), scratch.writeInt32BE(2, at));
    case "float8":
      return scratch.writeDoubleBE(numberOf(type, value), scratch.writeInt32BE(8, at));
    case "boolean":
      return scratch.writeUInt8(value === true ? 1 : 0, scratch.writeInt32BE(1, at));
    case "timestamptz":
      return scratch.writeBigInt64BE(BigInt(millisecondsOf(value) - postgresEpoch) * 1000n, scratch.writeInt32BE(8, at));
  }
}

function numberOf(type: ColumnType, value: unknown): number {
  if (typeof value !== "number") throw new TypeError(`${typeof value} is no ${type}`);
  return value;
}

function millisecondsOf(value: unknown): number {
  const ms = value instanceof Date ? value.getTime() : Date.parse(String(value));
  if (Number.isNaN(ms)) throw new TypeError("the text is no time");
  return ms;
}
