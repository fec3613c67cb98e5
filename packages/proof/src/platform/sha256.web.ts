import { toHex } from "../bytes.ts";

/**
 * SHA-256 (FIPS 180-4) in plain JavaScript, for browsers: their own digest answers only asynchronously and costs a task per call,
 * which a tree of hundreds of thousands of hashes cannot pay. Round constants are the first 32 bits of the fractional
 * parts of the cube roots of the first 64 primes, initial values those of the square roots of the first 8 (sections 4.2.2 and 5.3.3).
 */
const primes: number[] = [];
for (let n = 2; primes.length < 64; n++) if (primes.every((p) => n % p !== 0)) primes.push(n);

/** The first 32 bits of the fractional part of n^(1/root), by exact integer search (floating point is one bit short for some primes). */
function fraction(n: number, root: 2 | 3): number {
  const target = BigInt(n) << BigInt(32 * root);
  let low = 0n;
  let high = 1n << 40n;
  while (high - low > 1n) {
    const middle = (low + high) >> 1n;
    if (middle ** BigInt(root) <= target) low = middle;
    else high = middle;
  }
  return Number(low & 0xffffffffn);
}

const K = new Uint32Array(primes.map((p) => fraction(p, 3)));
const H0 = new Uint32Array(primes.slice(0, 8).map((p) => fraction(p, 2)));
const schedule = new Uint32Array(64);
const encoder = new TextEncoder();

/** SHA-256 (FIPS 180-4) of bytes, or of the UTF-8 form of a text: 32 bytes. */
export function sha256(data: Uint8Array | string): Uint8Array {
  const message = typeof data === "string" ? encoder.encode(data) : data;
  const state = new Uint32Array(H0);
  const whole = compressBlocks(state, message);
  return finish(state, message.subarray(whole), message.length);
}

/** Takes in all whole blocks of 64 bytes; answers how many bytes they are. */
function compressBlocks(state: Uint32Array, bytes: Uint8Array): number {
  const whole = bytes.length - (bytes.length % 64);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  for (let at = 0; at < whole; at += 64) compress(state, view, at);
  return whole;
}

/** The hash after the last, incomplete block of a message of `length` bytes (padding: section 5.1.1). */
function finish(state: Uint32Array, rest: Uint8Array, length: number): Uint8Array {
  const tail = new Uint8Array(rest.length < 56 ? 64 : 128);
  tail.set(rest);
  tail[rest.length] = 0x80;
  const tailView = new DataView(tail.buffer);
  tailView.setUint32(tail.length - 8, Math.floor(length / 0x20000000));
  tailView.setUint32(tail.length - 4, (length << 3) >>> 0);
  compressBlocks(state, tail);
  const digest = new Uint8Array(32);
  const out = new DataView(digest.buffer);
  for (let i = 0; i < 8; i++) out.setUint32(4 * i, state[i] as number);
  return digest;
}

/** The hash of bytes that come in pieces. */
export interface Sha256Stream {
  update(bytes: Uint8Array): void;
  /** The hash of all pieces as lower-case hexadecimal; once, at the end. */
  hex(): string;
}

/** Begins a hash of bytes that come in pieces. */
export function sha256Stream(): Sha256Stream {
  const state = new Uint32Array(H0);
  const open = new Uint8Array(64);
  let filled = 0;
  let length = 0;
  return {
    update(bytes) {
      length += bytes.length;
      let rest = bytes;
      if (filled > 0) {
        const taken = rest.subarray(0, 64 - filled);
        open.set(taken, filled);
        filled += taken.length;
        if (filled < 64) return;
        compressBlocks(state, open);
        rest = rest.subarray(taken.length);
      }
      const left = rest.subarray(compressBlocks(state, rest));
      open.set(left);
      filled = left.length;
    },
    hex: () => toHex(finish(state, open.subarray(0, filled), length)),
  };
}

/** One block of 64 bytes at `at` (section 6.2.2). */
function compress(state: Uint32Array, data: DataView, at: number): void {
  const w = schedule;
  for (let t = 0; t < 16; t++) w[t] = data.getUint32(at + 4 * t);
  for (let t = 16; t < 64; t++) {
    const x = w[t - 15] as number;
    const y = w[t - 2] as number;
    const s0 = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3);
    const s1 = ((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10);
    w[t] = ((w[t - 16] as number) + s0 + (w[t - 7] as number) + s1) | 0;
  }
  let [a, b, c, d, e, f, g, h] = state as unknown as [number, number, number, number, number, number, number, number];
  for (let t = 0; t < 64; t++) {
    const S1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
    const t1 = (h + S1 + ((e & f) ^ (~e & g)) + (K[t] as number) + (w[t] as number)) | 0;
    const S0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
    const t2 = (S0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + t1) | 0;
    d = c;
    c = b;
    b = a;
    a = (t1 + t2) | 0;
  }
  const sums = [a, b, c, d, e, f, g, h];
  for (let i = 0; i < 8; i++) state[i] = (state[i] as number) + (sums[i] as number);
}

/** The same as lower-case hexadecimal. */
export function sha256Hex(data: Uint8Array | string): string {
  return toHex(sha256(data));
}
