// A column of whole numbers in the narrowest array that holds them. Its code says which: 0 for zeros only, which take no space; 8 added where all numbers are the
// same and one is stored for all. Little-endian, as all processors are that Node.js is built for here.

const arrays = [null, Uint8Array, Int8Array, Uint16Array, Int16Array, Uint32Array, Int32Array, Float64Array] as const;
const same = 8;

export type Numbers = Uint8Array | Int8Array | Uint16Array | Int16Array | Uint32Array | Int32Array | Float64Array;

/** A column as it is stored. */
export interface Column {
  readonly code: number;
  readonly length: number;
  /** One number where all are the same, none where all are zero. */
  readonly data: Numbers;
}

export function packColumn(numbers: Numbers): Column {
  let [low, high, whole] = [Infinity, -Infinity, true];
  for (const number of numbers) {
    if (number < low) low = number;
    if (number > high) high = number;
    if (!Number.isSafeInteger(number)) whole = false;
  }
  if (!whole) throw new RangeError("a column holds whole numbers only, up to 2^53 − 1");
  const { length } = numbers;
  if (length === 0 || (low === 0 && high === 0)) return { code: 0, length, data: new Uint8Array(0) };
  const type = arrays.findIndex((array, code) => array !== null && fits(code, low, high));
  const make = arrays[type] as Uint8ArrayConstructor;
  if (low === high && length > 1) return { code: type + same, length, data: make.of(low) };
  return { code: type, length, data: make.from(numbers as Uint8Array) };
}

function fits(code: number, low: number, high: number): boolean {
  const array = arrays[code];
  if (!array) return false;
  if (array === Float64Array) return true;
  const bits = 8 * array.BYTES_PER_ELEMENT;
  const signed = code % 2 === 0;
  return signed ? low >= -(2 ** (bits - 1)) && high < 2 ** (bits - 1) : low >= 0 && high < 2 ** bits;
}

/** Bytes that a column with this code takes. */
export function columnBytes(code: number, length: number): number {
  if (code === 0) return 0;
  const array = arrays[code % same];
  if (!array || code >= 2 * same) throw new Error(`no column has the code ${code}`);
  return array.BYTES_PER_ELEMENT * (code >= same ? 1 : length);
}

/** Writes the numbers of a column, which begins at `offset` of `bytes`, into the beginning of an array that is large enough. */
export function unpack<A extends Uint16Array | Int16Array | Uint32Array | Float64Array>(
  { code, length }: { readonly code: number; readonly length: number },
  bytes: Uint8Array,
  offset: number,
  into: A,
): A {
  const size = columnBytes(code, length);
  if (bytes.length < offset + size) throw new Error("the bytes of a column are cut short");
  if (code === 0) return into.fill(0, 0, length) as A;
  const make = arrays[code % same] as Uint8ArrayConstructor;
  const begin = bytes.byteOffset + offset;
  const isAligned = begin % make.BYTES_PER_ELEMENT === 0;
  // An array of wider numbers has to begin at a multiple of their width.
  const buffer = isAligned ? bytes.buffer : Uint8Array.prototype.slice.call(bytes, offset, offset + size).buffer;
  const numbers = new make(buffer as ArrayBuffer, isAligned ? begin : 0, size / make.BYTES_PER_ELEMENT);
  if (code >= same) return into.fill(numbers[0] as number, 0, length) as A;
  into.set(numbers);
  return into;
}
