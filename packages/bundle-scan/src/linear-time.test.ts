import { describe, expect, it } from "vitest";
import { MOST_PER_UNIT, pieces, stepsOf, structures } from "./testing/worst-texts.ts";

const SMALL = 32 * 1024;

describe("the work of scanning 64 KiB", () => {
  it.each(pieces.map((piece) => [JSON.stringify(piece), piece] as const))(
    "doubles at most with a text of twice the size that repeats %s",
    (_shown, piece) => {
      const small = piece.repeat(Math.ceil(SMALL / piece.length));
      const [one, two] = [stepsOf("readme.md", small), stepsOf("readme.md", small + small)];
      expect(two / one).toBeLessThan(2.05);
      expect(two / (2 * small.length)).toBeLessThan(MOST_PER_UNIT);
    },
  );

  it.each(structures)("doubles at most with twice as much of %s", (_what, path, make) => {
    expect(stepsOf(path, make(2 * SMALL)) / stepsOf(path, make(SMALL))).toBeLessThan(2.05);
  });
});
