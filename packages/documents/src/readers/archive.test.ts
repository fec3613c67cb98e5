import { expect, it } from "vitest";
import { chunkDocument } from "../chunk.ts";
import { zipOf } from "../testing/hostile/zip-writer.ts";
import { book, deck, epubOf, part, pptxOf, prices, shape, xlsxOf } from "../testing/office.ts";
import { partsOf, readHere } from "../testing/read-here.ts";

const fault = (code: string, detail = /./) => expect.objectContaining({ code, detail: expect.stringMatching(detail) });

it("reads the sheets of a workbook as tables of what their cells show, merged cells in each of their rows", async () => {
  const read = await readHere(prices(), { fileName: "prices.xlsx" });
  expect(read.title).toBeNull();
  expect(partsOf(read)).toEqual([
    "heading2: Prices",
    "text: Prices of 2026",
    "table: | Product | Size | Price | From |\n| --- | --- | --- | --- |\n| Carpet | large | 1,250.50 EUR | 1 Jan 2026 |\n| Carpet | small | 625.25 EUR | 2026-02-01 |",
    "table: | City | Open |\n| --- | --- |\n| Porto | TRUE |",
  ]);
});

it("takes for the header of a sheet the first row that is about as wide as its table", async () => {
  const row = (...cells: string[]) => `<row>${cells.map((cell) => `<c t="str"><v>${cell}</v></c>`).join("")}</row>`;
  const rows = row("Some", "notes") + row("Name", "Size", "Price") + row("Rug", "small", "90");
  expect(partsOf(await readHere(xlsxOf([{ name: "S", rows }])))).toEqual([
    "heading2: S",
    "text: Some notes",
    "table: | Name | Size | Price |\n| --- | --- | --- |\n| Rug | small | 90 |",
  ]);
});

it("writes each row of a wide sheet as lines that name their columns", async () => {
  const letters = [..."ABCDEFGHIJ"];
  const cells = (row: number, of: (at: number) => string) =>
    letters.map((letter, at) => `<c r="${letter}${row}" t="str"><v>${of(at)}</v></c>`).join("");
  const name = (at: number) => `${"A long name of a column ".repeat(3)}${at}`;
  const rows = `<row r="1">${cells(1, name)}</row><row r="2">${cells(2, (at) => (at === 1 ? "" : `value ${at}`))}</row>`;
  const [, record] = partsOf(await readHere(xlsxOf([{ name: "Wide", rows }])));
  expect(record?.split("\n")).toHaveLength(9);
  expect(record).toMatch(/^text: A long name .* 0: value 0\nA long name .* 2: value 2\n/);
});

it("counts the days of a workbook from 1904 where it says so, and leaves what no format fits as it is", async () => {
  const rows = '<row><c t="str"><v>a</v></c><c s="1"><v>0</v></c><c><v>x</v></c><c s="99"><v>-1.5</v></c></row>';
  const read = await readHere(xlsxOf([{ name: "S", rows }], { formats: ["yyyy-mm-dd"], properties: 'date1904="1"' }));
  expect(read.text).toContain("| a | 1904-01-01 | x | -1.5 |");
});

it("reads the slides of a presentation with their titles, lists, tables and notes, and not what repeats on each", async () => {
  const read = await readHere(deck(), { fileName: "range.pptx" });
  expect(read).toMatchObject({ title: "Our range", pages: 4 });
  expect(partsOf(read)).toEqual([
    "heading2@1: Our range",
    "text@1: - Carpets\n  - of wool\n- Rugs",
    "heading2@2: Slide 2",
    "text@2: Taxes are included.",
    "table@2: | Size | Price |\n| --- | --- |\n| small | 400 |\n| small | 500 |",
    "text@2: Notes: Mention the discount.",
    "heading2@4: Contact",
    "text@4: Write to us.",
  ]);
});

it("reads the chapters of a book in the order of its spine, and names one without a heading by the contents", async () => {
  const read = await readHere(book(), { fileName: "weaver.epub" });
  expect(read.title).toBe("The weaver");
  expect(partsOf(read)).toEqual([
    "heading1: The loom",
    "text: It was a large loom.",
    "heading1: The first chapter",
    "heading2: Morning",
    "text: She wove.",
  ]);
  expect(chunkDocument(read).at(-1)?.headings).toEqual(["The first chapter", "Morning"]);
});

it.each([
  ["an archive", zipOf([part("a.xml", "<a/>")]), "unsupported_type", /archive/],
  [
    "an OpenDocument file",
    zipOf([{ name: "mimetype", data: "application/vnd.oasis.opendocument.text" }]),
    "unsupported_type",
    /OpenDocument/,
  ],
  [
    "a binary workbook",
    zipOf([part("[Content_Types].xml", "<Types/>"), part("xl/workbook.bin", "")]),
    "unsupported_type",
    /XLSX/,
  ],
  [
    "a workbook without its parts",
    zipOf([part("[Content_Types].xml", "<Types/>"), part("xl/a.xml", "<a/>")]),
    "damaged",
    /./,
  ],
  ["an empty workbook", xlsxOf([]), "no_text", /./],
  ["an entity in a slide", pptxOf([], "x", part("ppt/a.xml", "<!DOCTYPE a><a/>")), "damaged", /document type/],
  [
    "a book that is sold for one reader",
    epubOf([], "", part("META-INF/encryption.xml", '<e><CipherReference URI="OPS/text/one.xhtml"/></e>')),
    "encrypted",
    /copy/,
  ],
])("refuses %s", async (_what, bytes, code, detail) => {
  await expect(readHere(bytes)).rejects.toEqual(fault(code, detail));
});

it("refuses more slides, text and unpacked bytes than is allowed", async () => {
  await expect(readHere(deck(), { pages: 2 })).rejects.toEqual(fault("too_many_pages", /4 slides/));
  await expect(readHere(prices(), { text: 60 })).rejects.toEqual(fault("too_much_text"));
  await expect(readHere(book(), { unpacked: 500 })).rejects.toEqual(fault("too_large_unpacked"));
  const many = pptxOf([{ shapes: shape(null, "x".repeat(500)) }]);
  await expect(readHere(many, { text: 100 })).rejects.toEqual(fault("too_much_text"));
});
