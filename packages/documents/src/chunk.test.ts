import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CHUNK_LENGTH, chunkDocument } from "./chunk.ts";
import { type Block, type ParsedDocument, plainDocument } from "./document.ts";
import { chunkRecord, recordText } from "./record.ts";

type Part = Pick<Block, "kind"> & { text: string; level?: number; page?: number };

/** A document of parts with an empty line between them. */
function documentOf(parts: readonly Part[]): ParsedDocument {
  let text = "";
  const blocks = parts.map(({ text: own, page = null, ...block }): Block => {
    const start = text === "" ? 0 : text.length + 2;
    text += `${text === "" ? "" : "\n\n"}${own}`;
    return { ...block, start, end: text.length, page };
  });
  return { title: "Title", text, blocks, pages: null, rows: null };
}
const words = (count: number, word = "word"): string => Array.from({ length: count }, () => word).join(" ");
const textsOf = (text: string): string[] => chunkDocument(plainDocument(null, text)).map((piece) => piece.text);

describe("the pieces of a plain text", () => {
  it("end with a paragraph where they can, else with a sentence, else with a word", () => {
    const paragraph = words(150);
    expect(textsOf(`${paragraph}\n\n${paragraph}\n\n${paragraph}`)).toEqual([paragraph, paragraph, paragraph]);
    expect(textsOf("One.\n\nTwo.")).toEqual(["One.\n\nTwo."]);
    const sentence = `${words(100)}.`;
    expect(textsOf(`${sentence} ${sentence} ${sentence}`)).toEqual([`${sentence} ${sentence}`, sentence]);
    for (const piece of textsOf(words(1000))) expect(piece).toMatch(/^word( word)*$/);
  });

  it("are short enough, literal parts of the text in its order, and lose nothing of it but space", () => {
    const text = fc.string({ unit: fc.constantFrom("a", "b", " ", "\n", ".", "😀", "é", "\n\n"), maxLength: 6000 });
    fc.assert(
      fc.property(text, (given) => {
        let from = 0;
        for (const piece of chunkDocument(plainDocument(null, given))) {
          expect(piece.text.length).toBeLessThanOrEqual(CHUNK_LENGTH);
          expect(piece.text.isWellFormed()).toBe(true);
          expect(given.slice(piece.starts_at, piece.ends_at)).toBe(piece.text);
          expect(given.slice(from, piece.starts_at).trim()).toBe("");
          from = piece.ends_at;
        }
        expect(given.slice(from).trim()).toBe("");
      }),
    );
  });
});

describe("the pieces of a document", () => {
  it("name the headings above them, and merge small neighbours under one heading only", () => {
    const pieces = chunkDocument(
      documentOf([
        { kind: "heading", level: 1, text: "Guide", page: 1 },
        { kind: "heading", level: 2, text: "Install", page: 1 },
        { kind: "text", text: "First.", page: 1 },
        { kind: "text", text: "Second.", page: 2 },
        { kind: "heading", level: 2, text: "Use", page: 3 },
        { kind: "text", text: "Third.", page: 3 },
      ]),
    );
    expect(pieces).toMatchObject([
      { number: 1, title: "Title", text: "Guide\n\nInstall\n\nFirst.\n\nSecond.", headings: ["Guide", "Install"] },
      { number: 2, text: "Use\n\nThird.", headings: ["Guide", "Use"] },
    ]);
    expect(pieces.map(({ first_page, last_page }) => [first_page, last_page])).toEqual([
      [1, 2],
      [3, 3],
    ]);
  });

  it("reach over two pages at most, so that the citation of a slide leads to it", () => {
    const slides = Array.from({ length: 5 }, (_, at) => ({
      kind: "text" as const,
      text: `Slide ${at + 1}.`,
      page: at + 1,
    }));
    expect(chunkDocument(documentOf(slides)).map((piece) => [piece.first_page, piece.last_page])).toEqual([
      [1, 2],
      [3, 4],
      [5, 5],
    ]);
  });

  it("keep a heading with what follows it where that is long", () => {
    const [first] = chunkDocument(
      documentOf([
        { kind: "heading", level: 1, text: "Guide" },
        { kind: "text", text: `${words(230)}. ${words(230)}.` },
      ]),
    );
    expect(first?.text).toMatch(/^Guide\n\nword word/);
  });

  it("cut a long table between rows and repeat its header, which the offsets leave out", () => {
    const rows = Array.from({ length: 60 }, (_, at) => `| row ${at} | ${words(8)} |`);
    const header = "| name | words |\n| --- | --- |\n";
    const document = documentOf([
      { kind: "heading", level: 1, text: "Prices" },
      { kind: "table", text: header + rows.join("\n") },
      { kind: "text", text: "After." },
    ]);
    const pieces = chunkDocument(document);
    expect(pieces.length).toBeGreaterThan(3);
    const tables = pieces.filter(({ kind }) => kind === "table");
    expect(tables[0]?.text.startsWith(`Prices\n\n${header}| row 0 |`)).toBe(true);
    for (const [at, { text, starts_at, ends_at }] of tables.entries()) {
      expect(text.length).toBeLessThanOrEqual(CHUNK_LENGTH);
      expect(text).toBe((at === 0 ? "" : header) + document.text.slice(starts_at, ends_at));
    }
    const told = tables.flatMap(({ text }) => text.split("\n").filter((line) => line.startsWith("| row")));
    expect(told).toEqual(rows);
    expect(pieces.at(-1)).toMatchObject({ kind: "text", text: "After." });
  });

  it("are as many as the text is long, not as its table has cells", () => {
    const wide = `| ${Array.from({ length: 40_000 }, () => "a").join(" | ")} |`;
    const pieces = chunkDocument(documentOf([{ kind: "table", text: `${wide}\n| --- |\n${wide}` }]));
    expect(pieces.length).toBeLessThan(2 + (2 * wide.length) / (CHUNK_LENGTH - 4));
    const rows = `| id | n |\n| --- | --- |\n${"| 1 | 2 |\n".repeat(8_000)}`;
    expect(chunkDocument(documentOf([{ kind: "table", text: rows }])).length).toBeLessThan(80);
    const row = chunkDocument(documentOf([{ kind: "table", text: `| a |\n| --- |\n${wide}` }]));
    expect(row.length).toBeLessThan(3 + wide.length / (CHUNK_LENGTH - 4));
  });

  it("are no more than a thousand and one for each 64 characters, whatever the document is made of", () => {
    const entry = (at: number): Part[] => [
      { kind: "heading", level: 1 + (at % 6), text: `T${at}`, page: at },
      { kind: at % 2 === 0 ? "text" : "table", text: "x", page: at },
    ];
    const document = documentOf(Array.from({ length: 20_000 }, (_, at) => entry(at)).flat());
    const pieces = chunkDocument(document);
    expect(pieces.length).toBeLessThanOrEqual(1000 + document.text.length / 64);
    expect(pieces.slice(0, 1000).every(({ text }) => text.length < 20)).toBe(true);
    let from = 0;
    for (const { text, starts_at, ends_at } of pieces) {
      expect(text).toBe(document.text.slice(starts_at, ends_at));
      expect(document.text.slice(from, starts_at).trim()).toBe("");
      from = ends_at;
    }
    expect(document.text.slice(from).trim()).toBe("");
  });

  it("that hold several sections name the titles above all of them", () => {
    const terms = Array.from({ length: 1_200 }, (_, at): Part[] => [
      { kind: "heading", level: 2, text: `Term ${at}` },
      { kind: "text", text: "Short." },
    ]);
    const pieces = chunkDocument(documentOf([{ kind: "heading", level: 1, text: "Glossary" }, ...terms.flat()]));
    expect(pieces[10]?.headings).toEqual(["Glossary", "Term 10"]);
    expect(pieces.at(-2)?.headings).toEqual(["Glossary"]);
  });

  it("carry a long heading in their path by its beginning", () => {
    const [piece] = chunkDocument(documentOf([{ kind: "heading", level: 1, text: "h".repeat(900) }]));
    expect(piece?.headings).toEqual(["h".repeat(300)]);
  });

  it("keep the indentation of code", () => {
    expect(chunkDocument(documentOf([{ kind: "code", text: "  if (a)\n    b();" }]))).toMatchObject([
      { kind: "code", text: "  if (a)\n    b();" },
    ]);
  });

  it("hold all of its text, and no more than is allowed, whatever its blocks are", () => {
    const part = fc.record({
      kind: fc.constantFrom<Block["kind"]>("heading", "text", "table", "code"),
      text: fc
        .string({ unit: fc.constantFrom("a", " ", "\n", ". ", "😀", "|"), minLength: 1, maxLength: 900 })
        .map((text) => `x${text}x`),
      level: fc.integer({ min: 1, max: 6 }),
    });
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), fc.integer({ min: 40, max: 600 }), (parts, longest) => {
        const document = documentOf(parts);
        const pieces = chunkDocument(document, { longest });
        let from = 0;
        for (const { text, starts_at, ends_at, number } of pieces) {
          expect(text.length).toBeLessThanOrEqual(longest);
          expect(text.isWellFormed()).toBe(true);
          expect(text.endsWith(document.text.slice(starts_at, ends_at))).toBe(true);
          expect(document.text.slice(from, starts_at).trim()).toBe("");
          expect(pieces[number - 1]?.text).toBe(text);
          from = ends_at;
        }
        expect(document.text.slice(from).trim()).toBe("");
      }),
    );
  });
});

describe("a record", () => {
  it("is not made long by the names of its members", () => {
    const inner = Object.fromEntries(Array.from({ length: 1_000 }, (_, at) => [`m${at}`, at]));
    const text = recordText({ [`start ${"n".repeat(100_000)} end`]: inner, short: { a: 1 } });
    expect(text.length).toBeLessThan(1_000 * 220);
    expect(text.split("\n")[7]).toMatch(/^…n+ end\.m7: 7$/);
    expect(text).toMatch(/\nshort\.a: 1$/);
  });

  it("is lines that name members of members, write lists of plain values in one line, and leave out what is empty", () => {
    const fields = {
      name: "Amber",
      open: false,
      empty: "",
      none: null,
      address: { city: "Porto", floor: 2 },
      tags: ["a", "b"],
      calls: [{ by: "owner" }],
    };
    const text = "name: Amber\nopen: false\naddress.city: Porto\naddress.floor: 2\ntags: a, b\ncalls.0.by: owner";
    expect(recordText(fields)).toBe(text);
    expect(chunkRecord(fields)).toEqual([{ number: 1, text }]);
    expect(chunkRecord({ tags: [], company: "" })).toEqual([]);
  });

  it("is several pieces where it is long", () => {
    expect(chunkRecord({ a: words(500), b: words(500) }, { longest: 3000 })).toMatchObject([
      { number: 1, text: /^a: / },
      { number: 2, text: /^b: / },
    ]);
  });
});
