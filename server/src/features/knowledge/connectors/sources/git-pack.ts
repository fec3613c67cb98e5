import { setImmediate as turn } from "node:timers/promises";
import { inflateSync } from "node:zlib";
import { SourceFault } from "../../ports.ts";

// A pack of a stranger is checked before it is read: its library unpacks whatever a pack declares.

export interface PackLimits {
  readonly objects: number;
  /** Bytes of one object, and of all objects, unpacked. */
  readonly object: number;
  readonly total: number;
}

const TYPES = { ofsDelta: 6, refDelta: 7 } as const;
const HEADER_BYTES = 12;
const TRAILER_BYTES = 20;
/** Objects between two turns of the event loop. */
const STEP = 500;

const megabytes = (bytes: number): string => `${Math.round(bytes / 1_048_576)} MiB`;

/** Throws SourceFault for a pack that is damaged or unpacks to more than the limits. */
export async function checkPack(pack: Buffer, limits: PackLimits, signal: AbortSignal): Promise<void> {
  if (pack.length < HEADER_BYTES + TRAILER_BYTES || pack.toString("latin1", 0, 4) !== "PACK") throw damaged();
  const objects = pack.readUInt32BE(8);
  if (objects > limits.objects)
    throw tooLarge(
      `holds ${objects.toLocaleString("en-US")} objects; ${limits.objects.toLocaleString("en-US")} may be`,
    );
  const end = pack.length - TRAILER_BYTES;
  let [at, total] = [HEADER_BYTES, 0];
  for (let n = 0; n < objects; n++) {
    const found = readObject(pack.subarray(0, end), at, limits);
    at = found.end;
    total += found.bytes;
    if (total > limits.total) throw tooLarge(`unpacks to more than ${megabytes(limits.total)}`);
    if (n % STEP === 0) {
      await turn();
      signal.throwIfAborted();
    }
  }
  if (at !== end) throw damaged();
}

/** Where an object ends, and what it takes unpacked: for a delta also what it makes of its base. */
function readObject(pack: Buffer, from: number, limits: PackLimits): { end: number; bytes: number } {
  const reader = new Reader(pack, from);
  const first = reader.byte();
  const type = (first >> 4) & 7;
  const length = first & 128 ? reader.length(4, first & 15) : first & 15;
  if (type === TYPES.ofsDelta) while (reader.byte() & 128);
  if (type === TYPES.refDelta) reader.at += 20;
  if (length > limits.object) throw tooLarge(`holds a file of more than ${megabytes(limits.object)}`);
  const { buffer, engine } = inflated(pack.subarray(reader.at), length);
  if (buffer.length !== length) throw damaged();
  const isDelta = type === TYPES.ofsDelta || type === TYPES.refDelta;
  const made = isDelta ? madeBy(buffer) : 0;
  if (made > limits.object) throw tooLarge(`holds a file of more than ${megabytes(limits.object)}`);
  return { end: reader.at + engine.bytesWritten, bytes: length + made };
}

/** Never more than is declared. */
function inflated(packed: Buffer, length: number): { buffer: Buffer; engine: { readonly bytesWritten: number } } {
  try {
    const options = { maxOutputLength: Math.max(1, length), info: true };
    return inflateSync(packed, options) as unknown as ReturnType<typeof inflated>;
  } catch (cause) {
    throw damaged(cause);
  }
}

/** Bytes of what a delta makes; before it stands the length of its base. */
function madeBy(delta: Buffer): number {
  const reader = new Reader(delta, 0);
  reader.length(0, 0);
  return reader.length(0, 0);
}

class Reader {
  at: number;
  readonly #bytes: Buffer;

  constructor(bytes: Buffer, at: number) {
    this.#bytes = bytes;
    this.at = at;
  }

  byte(): number {
    const byte = this.#bytes[this.at++];
    if (byte === undefined) throw damaged();
    return byte;
  }

  /** Seven bits a byte, the lowest first. */
  length(shift: number, low: number): number {
    let [value, power] = [low, 2 ** shift];
    for (;;) {
      const byte = this.byte();
      value += (byte & 127) * power;
      power *= 128;
      if (!Number.isSafeInteger(value)) throw damaged();
      if (!(byte & 128)) return value;
    }
  }
}

const tooLarge = (what: string): SourceFault =>
  new SourceFault(
    "repository_too_large",
    `The repository ${what}. Take another repository, or a branch with fewer and smaller files.`,
  );

const damaged = (cause?: unknown): SourceFault =>
  new SourceFault(
    "repository_damaged",
    "The server sent a pack that is damaged. Check the repository with `git fsck`.",
    {
      cause,
    },
  );
