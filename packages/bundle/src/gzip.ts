import { crc32, deflateRawSync, inflateRawSync } from "node:zlib";
import { BundleFault, type BundleFaultCode } from "./faults.ts";

// RFC 1952: magic, deflate, no flags, time 0, slowest algorithm (2), unknown system (255). Node's own header names the
// system.
const HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 2, 255]);
const TRAILER_LENGTH = 8;
const fault = (code: BundleFaultCode, what: string): BundleFault =>
  new BundleFault(code, { part: "archive", at: "" }, what);

/** One gzip member without name and time. */
export function gzip(bytes: Buffer): Buffer {
  return Buffer.concat([HEADER, deflateRawSync(bytes, { level: 9 }), trailerOf(bytes)]);
}

function trailerOf(bytes: Buffer): Buffer {
  const trailer = Buffer.alloc(TRAILER_LENGTH);
  trailer.writeUInt32LE(crc32(bytes), 0);
  trailer.writeUInt32LE(bytes.length % 2 ** 32, 4);
  return trailer;
}

/**
 * Unpacks exactly one gzip member, and no more than `most` bytes. Throws a BundleFault for anything before, after or
 * beyond it.
 */
export function gunzip(bytes: Buffer, most: number): Buffer {
  if (!bytes.subarray(0, HEADER.length).equals(HEADER))
    throw fault("gzip_header", "The archive begins with another header.");
  const { contents, length } = inflate(bytes.subarray(HEADER.length), most);
  const trailer = bytes.subarray(HEADER.length + length);
  if (trailer.length < TRAILER_LENGTH) throw fault("gzip_broken", "The archive ends before the checksum.");
  if (!trailer.subarray(0, TRAILER_LENGTH).equals(trailerOf(contents)))
    throw fault("gzip_checksum", "The contents do not fit their checksum.");
  const rest = trailer.subarray(TRAILER_LENGTH);
  if (rest.length === 0) return contents;
  if (rest[0] === HEADER[0] && rest[1] === HEADER[1])
    throw fault("gzip_second_member", "A second gzip member follows the first.");
  throw fault("gzip_trailing_data", `${rest.length} bytes follow the gzip member.`);
}

/** What a deflate stream at the start of `bytes` contains, and how long the stream is. */
function inflate(bytes: Buffer, most: number): { readonly contents: Buffer; readonly length: number } {
  try {
    // With `info` the result has the engine as well, of which the types of Node know nothing.
    const { buffer, engine } = inflateRawSync(bytes, { info: true, maxOutputLength: most }) as unknown as {
      buffer: Buffer;
      engine: { bytesWritten: number };
    };
    return { contents: buffer, length: engine.bytesWritten };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE")
      throw fault("unpacked_too_large", `The archive unpacks to more than ${most} bytes.`);
    throw fault("gzip_broken", "The archive cannot be decompressed.");
  }
}
