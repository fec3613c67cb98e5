import { expect, it } from "vitest";
import { codePoints, firstOf, hasAtMost, shortened } from "./text.ts";

const faces = (count: number): string => "\u{1f600}".repeat(count);

it("counts characters as JSON Schema does, and half of a pair as one", () => {
  const texts = ["", "abc", "ü\u{1f600}a", "\ud83d", "a\ude00\ud83d", faces(3)];
  expect(texts.map(codePoints)).toEqual(texts.map((text) => [...text].length));
});

it("holds a text to so many characters, whatever they are", () => {
  expect([hasAtMost(3, faces(3)), hasAtMost(3, faces(4)), hasAtMost(3, "abcd")]).toEqual([true, false, false]);
});

it("cuts no character in half", () => {
  expect(firstOf(`a${faces(3)}`, 2)).toBe(`a${faces(1)}`);
  expect([shortened(faces(3), 3), shortened(faces(3), 2)]).toEqual([faces(3), `${faces(2)}…`]);
});
