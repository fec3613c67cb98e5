import { scanJson, scanText } from "@aos/data-classes";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createIds, type IdPrefix } from "./ids.ts";
import { generateKey } from "./key-format.ts";
import { environments } from "./principal.ts";

const idPrefixes: readonly IdPrefix[] = ["tsk", "aud", "kb", "ds", "whk", "evt", "key", "psk"];
const bytes = fc.uint8Array({ minLength: 4096, maxLength: 4096 });
const time = fc.date({ min: new Date("2020-01-01"), max: new Date("2099-12-31"), noInvalidDate: true });
const digits = (minLength: number, maxLength: number) =>
  fc.string({ unit: fc.constantFrom(..."0123456789"), minLength, maxLength });
const hexadecimal = (length: number) =>
  fc.string({ unit: fc.constantFrom(..."0123456789abcdef"), minLength: length, maxLength: length });

const id = fc.tuple(bytes, time, fc.constantFrom(...idPrefixes)).map(([random, date, prefix]) => {
  return createIds({ now: () => date.getTime() }, (buffer) => buffer.set(random))(prefix);
});
/** Places where such a text stands; names of members, too, are read as words around it. */
const frames = [
  "{}",
  "see {}, please",
  "a {} b",
  '"{}"',
  "/v1/tasks/{}/trust",
  "ids: {}; {}",
  "({})",
  "card {} national id {} phone {}",
  "https://example.com/{}",
];
const framed = (text: fc.Arbitrary<string>) =>
  fc.tuple(text, fc.constantFrom(...frames)).map(([one, frame]) => frame.replaceAll("{}", one));

const nothingIn = (texts: fc.Arbitrary<string>) =>
  fc.assert(
    fc.property(texts, (text) => {
      expect(scanText(text)).toEqual([]);
    }),
  );

describe("the detectors", () => {
  it("never fire on ids of this service, whatever their prefix", () => {
    nothingIn(framed(id));
  });

  it("never fire on ids whose random part has digits alone", () => {
    nothingIn(
      framed(fc.tuple(fc.constantFrom(...idPrefixes), digits(26, 26)).map(([prefix, body]) => `${prefix}_${body}`)),
    );
  });

  it("never fire on ids that callers chose in our forms, such as leads", () => {
    nothingIn(
      framed(
        fc.tuple(fc.constantFrom("ld", "lead", "customer"), digits(1, 19)).map(([prefix, body]) => `${prefix}_${body}`),
      ),
    );
    expect(scanJson({ lead_id: "ld_1001" })).toEqual({
      findings: [],
      count: 0,
      kinds: [],
      data_class: "public",
      complete: true,
    });
  });

  it("never fire on UUIDs, also of digits alone", () => {
    nothingIn(framed(fc.uuid()));
    nothingIn(framed(digits(32, 32).map((all) => all.replace(/(.{8})(.{4})(.{4})(.{4})(.{12})/, "$1-$2-$3-$4-$5"))));
  });

  it("never fire on times in ISO 8601 and in milliseconds since 1970", () => {
    nothingIn(framed(time.map((date) => date.toISOString())));
    nothingIn(framed(time.map((date) => date.toISOString().replace("Z", "+02:00"))));
    nothingIn(framed(time.map((date) => date.toISOString().slice(0, 10))));
    nothingIn(time.map((date) => `took until ${date.getTime()} ms`));
  });

  it("never fire on digests and trace ids in hexadecimal", () => {
    for (const length of [16, 32, 40, 64]) nothingIn(framed(hexadecimal(length).filter((hex) => /[a-f]/.test(hex))));
    nothingIn(framed(hexadecimal(64).map((hex) => `sha256:${hex}`)));
    nothingIn(framed(digits(64, 64)));
  });

  it("never fire on versions", () => {
    const part = fc.nat(99);
    nothingIn(framed(fc.tuple(part, part, part).map((parts) => parts.join("."))));
    nothingIn(fc.tuple(part, part, part, part).map((parts) => `version ${parts.join(".")}`));
    nothingIn(fc.tuple(part, part, part, part).map((parts) => `v${parts.join(".")}-rc.1`));
  });

  it("never fire on numbers of orders, invoices and parcels", () => {
    const named = fc.constantFrom(
      "order ",
      "Order no. ",
      "invoice #",
      "tracking number: ",
      "Bestellung ",
      "ref ",
      "INV-",
      "PO-2026-",
    );
    nothingIn(fc.tuple(named, digits(1, 19)).map(([word, number]) => word + number));
    for (const name of ["order_id", "orderId", "invoice", "tracking_number", "id"]) {
      fc.assert(fc.property(digits(6, 19), (number) => scanJson({ [name]: number }).count === 0));
      fc.assert(fc.property(fc.nat(Number.MAX_SAFE_INTEGER), (number) => scanJson({ [name]: number }).count === 0));
    }
  });

  it("never fire on JSON numbers that nothing names", () => {
    const names = fc.constantFrom("amount", "total", "created_at", "x", "count", "bytes");
    fc.assert(
      fc.property(
        names,
        fc.nat(Number.MAX_SAFE_INTEGER),
        (name, number) => scanJson({ [name]: [number, { n: number }] }).count === 0,
      ),
    );
  });

  it("find keys of this service by their checksum, and leave alone what has only the form", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...environments),
        fc.uint8Array({ minLength: 64, maxLength: 64, max: 247 }),
        (environment, random) => {
          const key = generateKey(environment, (count) => random.subarray(0, count));
          expect(scanText(`key: ${key}.`)).toEqual([
            { kind: "secret_key", format: "aos_key", data_class: "restricted", start: 5, end: 51 },
          ]);
          const last = key.endsWith("0") ? "1" : "0";
          expect(scanText(key.slice(0, -1) + last)).toEqual([]);
        },
      ),
      { numRuns: 50 },
    );
  });
});
