import { resolvePointer } from "@aos/strict-json";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { dataClasses, dataClassOf, dataKinds, maximumClass } from "./classes.ts";
import { scanJson } from "./scan-json.ts";
import { corpus } from "./testing/corpus.ts";

const values = corpus().flatMap(({ expects }) => expects.map(({ value }) => value));

describe("scanning JSON", () => {
  it("says by pointer where a finding stands, in values and in names", () => {
    const { findings } = scanJson({ "a/b": [{ note: "mail a@example.com" }], "x@example.com": 1 });
    expect(findings).toEqual([
      {
        kind: "email",
        format: "email",
        data_class: "personal",
        start: 5,
        end: 18,
        pointer: "/a~1b/0/note",
        in: "value",
      },
      {
        kind: "email",
        format: "email",
        data_class: "personal",
        start: 0,
        end: 13,
        pointer: "/x@example.com",
        in: "name",
      },
    ]);
  });

  it("gives pointers and places at which the value stands, for any JSON value", () => {
    const text = fc
      .array(fc.oneof(fc.constantFrom(...values), fc.string({ maxLength: 5 })), { maxLength: 3 })
      .map((parts) => parts.join(" "));
    const json = fc.oneof(
      text,
      fc.array(fc.dictionary(fc.string({ maxLength: 4 }), text, { maxKeys: 3 }), { maxLength: 3 }),
    );
    fc.assert(
      fc.property(json, (value) => {
        for (const { pointer, start, end, kind, data_class } of scanJson(value).findings) {
          const there = resolvePointer(value, pointer);
          expect(typeof there).toBe("string");
          expect((there as string).slice(start, end)).toHaveLength(end - start);
          expect(data_class).toBe(dataClassOf(kind));
        }
      }),
    );
  });

  it("reads the name of a member as a word next to its value, also through lists", () => {
    expect(scanJson({ bsn: "111222333" }).kinds).toEqual(["national_id"]);
    expect(scanJson({ bsnNumbers: ["111222333"] }).kinds).toEqual(["national_id"]);
    expect(scanJson({ number: "111222333" }).count).toBe(0);
    expect(scanJson({ bsn: { value: "111222333" } }).count).toBe(0);
    expect(scanJson({ secretAccessKey: `wJalrXUtnFEMI/K7MDENG/${"bPxRfiCYEXAMPLEKEY"}` }).kinds).toEqual([
      "secret_key",
    ]);
  });

  it("finds cards, ids and telephone numbers that are JSON numbers, where their member's name says so", () => {
    const { findings } = scanJson({
      card_number: 4111111111111111,
      pesel: 44051401359,
      phone: 447700900123,
      order_id: 4111111111111111,
      n: 4111111111111111,
    });
    expect(findings.map(({ pointer, format }) => [pointer, format])).toEqual([
      ["/card_number", "visa"],
      ["/pesel", "pl_pesel"],
      ["/phone", "bare"],
    ]);
  });

  it("lists as many findings as are wanted, and counts them all", () => {
    const { findings, count, kinds, data_class, complete } = scanJson(
      [...Array(150).fill("a@example.com"), "4111 1111 1111 1111"],
      {
        findings: 3,
      },
    );
    expect(findings).toHaveLength(3);
    expect({ count, kinds, data_class, complete }).toEqual({
      count: 151,
      kinds: ["email", "payment_card"],
      data_class: "restricted",
      complete: true,
    });
  });

  it("says when it has not read everything, because there was too much or it was too deep", () => {
    expect(scanJson(["x".repeat(50), "a@example.com"], { characters: 20 })).toMatchObject({
      count: 0,
      complete: false,
    });
    expect(scanJson(["x".repeat(5), "a@example.com"], { characters: 18 })).toMatchObject({ count: 1, complete: true });
    expect(scanJson([[["a@example.com"]]], { depth: 2 })).toMatchObject({ count: 0, complete: false });
    expect(scanJson([[["a@example.com"]]], { depth: 3 })).toMatchObject({ count: 1, complete: true });
  });

  it("passes over what is no JSON", () => {
    expect(scanJson({ a: undefined, b: () => "a@example.com", c: Number.NaN, d: null, e: true }).count).toBe(0);
    expect(scanJson(undefined).complete).toBe(true);
  });
});

describe("the most protected class", () => {
  it("is the last in the order of the classes, whatever the order in which they come", () => {
    const classes = fc.array(fc.constantFrom(...dataClasses), { minLength: 1 });
    fc.assert(
      fc.property(classes, (some) => {
        const highest = maximumClass(some);
        expect(some).toContain(highest);
        for (const one of some) expect(dataClasses.indexOf(one)).toBeLessThanOrEqual(dataClasses.indexOf(highest));
      }),
    );
  });

  it("is public where there is nothing", () => {
    expect(maximumClass([])).toBe("public");
  });

  it("is at least personal for everything that is detected, save account numbers", () => {
    const below = dataKinds.filter(
      (kind) => maximumClass([dataClassOf(kind), "personal"]) === "personal" && dataClassOf(kind) !== "personal",
    );
    expect(below).toEqual(["iban"]);
  });
});
