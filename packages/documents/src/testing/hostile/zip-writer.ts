import { crc32, deflateRawSync } from "node:zlib";

/** A file in an archive, and what the archive says of it where that is not true. */
export interface Entry {
  readonly name: string;
  readonly data: Uint8Array | string;
  /** Of compressed data that is given: it is written as it is. */
  readonly packed?: Uint8Array;
  readonly size?: number;
  readonly crc?: number;
  readonly method?: number;
  readonly flags?: number;
  /** Its data is that of the first entry. */
  readonly overlaps?: boolean;
}

/** A ZIP archive with whatever is said of its entries. */
export function zipOf(entries: readonly Entry[], { claimed = entries.length, directory = 0 } = {}): Buffer {
  const locals: Buffer[] = [];
  const central: Buffer[] = [];
  let offset = 0;
  for (const { name, data, packed, method = 8, flags = 0, overlaps = false, ...said } of entries) {
    const plain = Buffer.from(data as string);
    const body = packed ?? (method === 8 ? deflateRawSync(plain) : plain);
    const fields = [20, flags, method, 0, 33] as const;
    const sizes = [said.crc ?? crc32(plain), body.length, said.size ?? plain.length] as const;
    const lengths = [Buffer.byteLength(name), 0] as const;
    const own = overlaps ? 0 : offset;
    if (!overlaps) {
      const local = Buffer.concat([
        Buffer.from("PK\x03\x04"),
        shorts(fields),
        longs(sizes),
        shorts(lengths),
        Buffer.from(name),
        body,
      ]);
      locals.push(local);
      offset += local.length;
    }
    central.push(
      Buffer.concat([
        Buffer.from("PK\x01\x02"),
        shorts([20, ...fields]),
        longs(sizes),
        shorts([...lengths, 0, 0, 0]),
        longs([0, own]),
        Buffer.from(name),
      ]),
    );
  }
  const index = Buffer.concat(central);
  const count = Math.min(claimed, 0xffff);
  const end = Buffer.concat([
    Buffer.from("PK\x05\x06"),
    shorts([0, 0, count, count]),
    longs([index.length, offset + directory]),
    shorts([0]),
  ]);
  return Buffer.concat([...locals, index, end]);
}

function shorts(values: readonly number[]): Buffer {
  const buffer = Buffer.alloc(values.length * 2);
  for (const [at, value] of values.entries()) buffer.writeUInt16LE(value, at * 2);
  return buffer;
}

function longs(values: readonly number[]): Buffer {
  const buffer = Buffer.alloc(values.length * 4);
  for (const [at, value] of values.entries()) buffer.writeUInt32LE(value, at * 4);
  return buffer;
}
