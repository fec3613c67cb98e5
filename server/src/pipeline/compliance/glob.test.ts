import fc from "fast-check";
import { expect, test } from "vitest";
import { glob, MAX_GLOB_PATTERN } from "./glob.ts";

/** The definition, word by word; exponential, for short texts only. */
function oracle(text: string, pattern: string): boolean {
  if (pattern === "") return text === "";
  if (pattern[0] === "*") return oracle(text, pattern.slice(1)) || (text !== "" && oracle(text.slice(1), pattern));
  return text !== "" && (pattern[0] === "?" || pattern[0] === text[0]) && oracle(text.slice(1), pattern.slice(1));
}

const letters = (alphabet: string, most: number) => fc.string({ unit: fc.constantFrom(...alphabet), maxLength: most });

test("A pattern fits exactly the texts that the definition says.", () => {
  fc.assert(
    fc.property(letters("ab", 12), letters("ab*?", 9), (text, pattern) => {
      expect(glob(text, pattern)).toBe(oracle(text, pattern));
    }),
  );
});

test("Pieces longer than a machine word are found as well.", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom("a", "b"), minLength: 1, maxLength: 200 }),
      letters("ab", 20),
      letters("ab", 20),
      fc.nat(),
      (piece, before, after, at) => {
        const wild = at % piece.length;
        const pattern = `*${piece.slice(0, wild)}?${piece.slice(wild + 1)}*`;
        const text = before + piece + after;
        expect(glob(text, pattern)).toBe(true);
        expect(glob(text, `${pattern}c*`)).toBe(false);
      },
    ),
  );
});

test("Nothing but star and question mark has a meaning of its own.", () => {
  expect(glob("a.b", "a.b")).toBe(true);
  expect(glob("axb", "a.b")).toBe(false);
  expect(glob("a/b", "a*b")).toBe(true);
  expect(glob("[ab]+\\", "[ab]+\\")).toBe(true);
});

test("A hostile text of a million characters is decided within the test's own time: nothing backtracks, which would take years.", () => {
  const pattern = `${"*a?a".repeat(40)}*b`;
  const text = `${"a".repeat(1_000_000)}c`;
  expect(glob(`${text}b`, pattern)).toBe(true);
  expect(glob(text, pattern)).toBe(false);
  expect(glob(text, `*${"a".repeat(100)}b*`)).toBe(false);
});

test("A pattern beyond the bound is refused.", () => {
  expect(glob("a", "*".repeat(MAX_GLOB_PATTERN))).toBe(true);
  expect(() => glob("a", "*".repeat(MAX_GLOB_PATTERN + 1))).toThrow(RangeError);
});
