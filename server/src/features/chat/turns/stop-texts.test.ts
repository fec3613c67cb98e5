import fc from "fast-check";
import { expect, it } from "vitest";
import { StopTexts } from "./stop-texts.ts";

function letOut(stops: readonly string[], pieces: readonly string[]): string {
  const filter = new StopTexts(stops);
  return pieces.map((piece) => filter.take(piece)).join("") + filter.end();
}

it.each([
  ["END", "It is due. END of it", "It is due. "],
  ["END", "It is due. EN", "It is due. EN"],
  ["END", "END", ""],
])("ends before %j in %j", (stop, text, rest) => {
  expect(letOut([stop], [text])).toBe(rest);
});

it("gives the same text in whatever pieces it comes, and none that holds a stop text", () => {
  const letters = fc.string({ unit: fc.constantFrom("a", "b", "c"), maxLength: 30 });
  const stops = fc.array(fc.string({ unit: fc.constantFrom("a", "b", "c"), minLength: 1, maxLength: 4 }), {
    maxLength: 4,
  });
  fc.assert(
    fc.property(stops, fc.array(letters, { maxLength: 6 }), (given, pieces) => {
      const whole = letOut(given, [pieces.join("")]);
      expect(letOut(given, pieces)).toBe(whole);
      expect(given.some((stop) => whole.includes(stop))).toBe(false);
    }),
  );
});
