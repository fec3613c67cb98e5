import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { generateKey, hashKey, isWellFormedKey, parseKey, startAndLastFour } from "./key-format.ts";
import { environments } from "./principal.ts";

const anyKey = fc
  .tuple(fc.constantFrom(...environments), fc.noShrink(fc.uint8Array({ minLength: 4096, maxLength: 4096 })))
  .map(([environment, bytes]) => {
    let used = 0;
    const next = (count: number) => {
      used += count;
      return bytes.subarray(used - count, used);
    };
    return { environment, key: generateKey(environment, next) };
  });

describe("API keys", () => {
  it("have the form that secret scanners match, and name their environment", () => {
    const labels = { development: "dev", staging: "stg", production: "prd" };
    for (const environment of environments) {
      const key = generateKey(environment, randomBytes);
      expect(key).toMatch(new RegExp(`^aos_${labels[environment]}_[0-9A-Za-z]{38}$`));
      expect(parseKey(key)).toEqual({ ok: true, environment });
      expect(isWellFormedKey(key)).toBe(true);
      expect(isWellFormedKey(key.slice(1))).toBe(false);
    }
  });

  it("carry a CRC-32 of what stands before it", () => {
    // CRC-32 of "aos_dev_" and 32 zeros, worked out by an independent implementation.
    expect(generateKey("development", (count) => new Uint8Array(count))).toBe(
      "aos_dev_000000000000000000000000000000004Gdazi",
    );
  });

  it("show any change of a single character", () => {
    const chars = fc.oneof(fc.constantFrom(..."0129ABCXYZabcxyz_-"), fc.string({ minLength: 1, maxLength: 1 }));
    fc.assert(
      fc.property(anyKey, fc.nat(), chars, ({ key }, at, char) => {
        const place = at % key.length;
        fc.pre(key[place] !== char);
        expect(parseKey(key.slice(0, place) + char + key.slice(place + 1)).ok).toBe(false);
      }),
    );
  });

  it("show a swap of two neighbours", () => {
    fc.assert(
      fc.property(anyKey, fc.nat(), ({ key }, at) => {
        const place = at % (key.length - 1);
        fc.pre(key[place] !== key[place + 1]);
        expect(parseKey(key.slice(0, place) + key[place + 1]! + key[place]! + key.slice(place + 2)).ok).toBe(false);
      }),
    );
  });

  it("tell a mistyped key from something that is no key", () => {
    const key = generateKey("staging", randomBytes);
    expect(parseKey(key.slice(0, -1) + (key.endsWith("a") ? "b" : "a"))).toEqual({ ok: false, reason: "checksum" });
    for (const text of [
      "",
      "aos_dev_",
      `${key} `,
      `${key}\n`,
      ` ${key}`,
      key.slice(1),
      key.toUpperCase(),
      "sk_live_0000",
    ]) {
      expect(parseKey(text)).toEqual({ ok: false, reason: "malformed" });
    }
  });

  it("use every character equally often, drawing large bytes again", () => {
    let next = 0;
    // Every byte value in turn: with plain remainders the first eight characters would come up five times instead of four.
    const counting = (count: number) => Uint8Array.from({ length: count }, () => next++ % 256);
    const counts = new Map<string, number>();
    for (let n = 0; n < 31; n++)
      for (const char of generateKey("production", counting).slice(8, 40))
        counts.set(char, (counts.get(char) ?? 0) + 1);
    expect([...new Set(counts.values())]).toEqual([16]);
    expect(counts.size).toBe(62);
  });

  it("are shown by their start and last four characters only", () => {
    const key = generateKey("production", randomBytes);
    expect(startAndLastFour(key)).toEqual({ start: key.slice(0, 12), last_four: key.slice(-4) });
    expect(() => startAndLastFour("aos_dev_short")).toThrow(TypeError);
  });

  it("are stored as their SHA-256", () => {
    expect(hashKey("abc").toString("hex")).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  });
});
