import fc from "fast-check";
import { expect, it } from "vitest";
import { createIds } from "../../../kernel/ids.ts";
import { citationOf, parseCitation } from "./citations.ts";

const newId = createIds({ now: () => 1_795_000_000_000 } as Parameters<typeof createIds>[0]);
const ordinal = fc.integer({ min: 0, max: 2 ** 31 - 1 });
const chunk = fc.record({
  document: fc.constant(null).map(() => newId("doc")),
  generation: ordinal,
  version: ordinal,
  number: ordinal,
  revision: ordinal,
});

it("leads back to the chunk that it was made of", () => {
  fc.assert(
    fc.property(chunk, (one) => {
      expect(parseCitation(citationOf(one))).toEqual(one);
    }),
  );
});

it("has one text for each chunk, and takes no other", () => {
  const damage = fc.tuple(chunk, fc.nat(63), fc.constantFrom(..."0123456789abcdefghjkmnpqrstvwxyz"));
  fc.assert(
    fc.property(damage, ([one, at, character]) => {
      const text = citationOf(one);
      const damaged = text.slice(0, at) + character + text.slice(at + 1);
      const read = parseCitation(damaged);
      expect(read === undefined || citationOf(read) === damaged).toBe(true);
    }),
  );
});

it.each([
  "",
  "cit_",
  "doc_01jd8x0000000000000000000d",
  "cit_01jd8x0000000000000000000d11111",
  "cit_01jd8x0000000000000000000d1111111111",
])("takes %j for no citation", (text) => expect(parseCitation(text)).toBeUndefined());
