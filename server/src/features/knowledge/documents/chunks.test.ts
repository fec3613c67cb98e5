import { recordText } from "@aos/documents";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CHUNK_LENGTH, chunksOf, type Said } from "./chunks.ts";

const document = (parts: Partial<Said>): Said => ({ external_id: null, title: "", text: null, fields: null, ...parts });
const textsOf = (parts: Partial<Said>): string[] => chunksOf(document(parts)).map(({ text }) => text);
const words = (count: number, word = "word"): string => Array.from({ length: count }, () => word).join(" ");

describe("the chunks of a document", () => {
  it("are one where the text is short, under the document's title or else its own id", () => {
    expect(chunksOf(document({ text: "A short text.", title: "Title", external_id: "t-1" }))).toEqual([
      { number: 1, title: "Title", text: "A short text." },
    ]);
    expect(chunksOf(document({ text: "A short text.", external_id: "t-1" }))[0]?.title).toBe("t-1");
  });

  it("end with a paragraph where they can", () => {
    const paragraph = words(150);
    expect(textsOf({ text: `${paragraph}\n\n${paragraph}\n\n${paragraph}` })).toEqual(
      [paragraph, paragraph, paragraph].map((one) => one),
    );
    expect(textsOf({ text: `One.\n\nTwo.` })).toEqual(["One.\n\nTwo."]);
  });

  it("end with a sentence where a paragraph is too long, and with a word where a sentence is", () => {
    const sentence = `${words(100)}.`;
    const [first, second] = textsOf({ text: `${sentence} ${sentence} ${sentence}` });
    expect([first, second]).toEqual([`${sentence} ${sentence}`, sentence]);
    for (const piece of textsOf({ text: words(1000) })) expect(piece).toMatch(/^word( word)*$/);
  });

  it("hold a record as lines, after the text", () => {
    expect(textsOf({ text: "About it.", fields: { company: "Amber Looms", seats: 40 } })).toEqual([
      "About it.",
      "company: Amber Looms\nseats: 40",
    ]);
  });

  it("are none of a record without values", () => {
    expect(textsOf({ fields: { company: "", notes: null, tags: [], address: {} } })).toEqual([]);
  });

  it("are short enough, literal parts of the text in its order, and lose nothing of it but space", () => {
    const text = fc.string({ unit: fc.constantFrom("a", "b", " ", "\n", ".", "😀", "é", "\n\n"), maxLength: 6000 });
    fc.assert(
      fc.property(text, (given) => {
        let from = 0;
        const pieces = textsOf({ text: given });
        for (const piece of pieces) {
          expect(piece.length).toBeLessThanOrEqual(CHUNK_LENGTH.text);
          expect(piece.isWellFormed()).toBe(true);
          const at = given.indexOf(piece, from);
          expect(at).toBeGreaterThanOrEqual(from);
          expect(given.slice(from, at).trim()).toBe("");
          from = at + piece.length;
        }
        expect(given.slice(from).trim()).toBe("");
      }),
    );
  });
});

describe("a record as lines", () => {
  it("names members of members, writes lists of plain values in one line, and leaves out what is empty", () => {
    const fields = {
      name: "Amber",
      open: false,
      empty: "",
      none: null,
      address: { city: "Porto", floor: 2 },
      tags: ["a", "b"],
      calls: [{ by: "owner" }],
    };
    expect(recordText(fields)).toBe(
      "name: Amber\nopen: false\naddress.city: Porto\naddress.floor: 2\ntags: a, b\ncalls.0.by: owner",
    );
  });
});
