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

/** Bytes in PostgreSQL's order, written one after the other into a buffer that grows, and that is used again. */
export class ByteWriter {
  #bytes: Buffer;
  #at = 0;

  constructor(size = 64 * 1024) {
    this.#bytes = Buffer.allocUnsafe(size);
  }

  get length(): number {
    return this.#at;
  }

  /** What was written; valid until `clear`. */
  view(): Buffer {
    return this.#bytes.subarray(0, this.#at);
  }

  clear(): void {
    this.#at = 0;
  }

  int16(value: number): void {
    this.#reserve(2);
    this.#at = this.#bytes.writeInt16BE(value, this.#at);
  }

  int32(value: number): void {
    this.#reserve(4);
    this.#at = this.#bytes.writeInt32BE(value, this.#at);
  }

  /** Overwrites four bytes that were written before, such as a length that is known only later. */
  setInt32(value: number, at: number): void {
    this.#bytes.writeInt32BE(value, at);
  }

  /** One byte: a letter of ASCII. */
  letter(letter: string): void {
    this.#reserve(1);
    this.#at = this.#bytes.writeUInt8(letter.charCodeAt(0), this.#at);
  }

  /** A text that a zero byte ends. */
  zeroEnded(value: string): void {
    this.#reserve(3 * value.length + 1);
    this.#at += this.#bytes.write(value, this.#at);
    this.#at = this.#bytes.writeUInt8(0, this.#at);
  }

  /** Length, then the text. Throws TypeError for what is no text. */
  text(value: unknown): void {
    if (typeof value !== "string") throw new TypeError(`${typeof value} is no text`);
    this.#reserve(4 + 3 * value.length); // UTF-8 takes at most three bytes for each UTF-16 unit
    const size = this.#bytes.write(value, this.#at + 4);
    this.#at = this.#bytes.writeInt32BE(size, this.#at) + size;
  }

  /** An array of a type, without its length. Null and undefined are null. Throws TypeError for a value that its type cannot hold. */
  array(type: ColumnType, values: readonly unknown[]): void {
    this.#reserve(headerBytes);
    const start = this.#at;
    this.#at += headerBytes;
    let nulls = 0;
    for (const value of values) {
      if (value === null || value === undefined) {
        nulls = 1;
        this.int32(-1);
      } else if (type === "text") this.text(value);
      else if (type === "bytea") this.#bytea(value);
      else {
        this.#reserve(widest);
        this.#fixed(type, value);
      }
    }
    this.#bytes.writeInt32BE(1, start);
    this.#bytes.writeInt32BE(nulls, start + 4);
    this.#bytes.writeInt32BE(oids[type], start + 8);
    this.#bytes.writeInt32BE(values.length, start + 12);
    this.#bytes.writeInt32BE(1, start + 16);
  }

  #bytea(value: unknown): void {
    if (!Buffer.isBuffer(value)) throw new TypeError(`${typeof value} is no bytea`);
    this.#reserve(4 + value.length);
    this.#at = this.#bytes.writeInt32BE(value.length, this.#at);
    this.#at += value.copy(this.#bytes, this.#at);
  }

  /** Length, then value; room for the widest is reserved. */
  #fixed(type: Exclude<ColumnType, "text" | "bytea">, value: unknown): void {
    const bytes = this.#bytes;
    const at = this.#at + 4;
    let end: number;
    if (type === "int") end = bytes.writeInt32BE(numberOf(type, value), at);
    else if (type === "bigint") end = bytes.writeBigInt64BE(BigInt(numberOf(type, value)), at);
    else if (type === "smallint") end = bytes.writeInt16BE(numberOf(type, value), at);
    else if (type === "float8") end = bytes.writeDoubleBE(numberOf(type, value), at);
    else if (type === "boolean") end = bytes.writeUInt8(value === true ? 1 : 0, at);
    else end = bytes.writeBigInt64BE(BigInt(millisecondsOf(value) - postgresEpoch) * 1000n, at);
    bytes.writeInt32BE(end - at, this.#at);
    this.#at = end;
  }

  #reserve(bytes: number): void {
    if (this.#at + bytes <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(2 * this.#bytes.length, this.#at + bytes));
    this.#bytes.copy(larger, 0, 0, this.#at);
    this.#bytes = larger;
  }
}

const scratch = new ByteWriter();

/** The array as one parameter of a statement. Null and undefined are null. Throws TypeError for a value that its type cannot hold. */
export function encodeArray(type: ColumnType, values: readonly unknown[]): Buffer {
  scratch.clear();
  scratch.array(type, values);
  return Buffer.from(scratch.view());
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
