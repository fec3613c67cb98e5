import fc from "fast-check";
import { expect, it } from "vitest";
import { pagesText, piecesOf, readerParts, readersText, readerTokens, sizeText, windowOf } from "./words.ts";

const marks = fc.array(fc.record({ start: fc.nat(40), end: fc.nat(60) }));

it("cuts a text at its marks without losing or repeating a character", () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 50 }), marks, (text, given) => {
      const pieces = piecesOf(text, given);
      expect(pieces.map((piece) => piece.text).join("")).toBe(text);
      expect(pieces.every((piece) => piece.text !== "")).toBe(true);
    }),
  );
  expect(
    piecesOf("return within 30 days", [
      { start: 14, end: 16 },
      { start: 15, end: 21 },
    ]),
  ).toEqual([
    { text: "return within ", marked: false },
    { text: "30", marked: true },
    { text: " days", marked: true },
  ]);
});

it("shows all of a short text, and of a long one what stands around a place", () => {
  expect(windowOf("short", 0, 3)).toEqual({ from: 0, to: 5 });
  const long = "a line\n".repeat(20_000);
  const { from, to } = windowOf(long, 70_000, 70_100);
  expect(from).toBeGreaterThan(49_000);
  expect(from).toBeLessThan(70_000);
  expect(to).toBeLessThan(91_000);
  expect([long[from - 1], long[to]]).toEqual(["\n", "\n"]);
});

it("names pages, sizes and readers as people do", () => {
  expect([pagesText(3, 3), pagesText(3, 4), pagesText(null, null)]).toEqual(["page 3", "pages 3–4", null]);
  expect([sizeText(512), sizeText(104_857_600), sizeText(3_400_000)]).toEqual(["512 B", "105 MB", "3.4 MB"]);
  const readers = ["role:approver", "agent:sales", "member:mbr_1"];
  expect(readerTokens(readerParts(readers))).toEqual(readers);
  expect(readersText(readers)).toBe("role approver, agent sales, member mbr_1");
  expect(readersText(null)).toBe("Everyone who may read knowledge");
});
