import { expect, it } from "vitest";
import { chunkDocument } from "../chunk.ts";
import { partsOf, readHere } from "../testing/read-here.ts";
import { contract, handbook, pdfOf } from "../testing/written.ts";

const csv = (text: string, more: object = {}) => readHere(text, { mediaType: "text/csv", ...more });
const html = (text: string) => readHere(text, { mediaType: "text/html" });
const fault = (code: string, detail = /./) => expect.objectContaining({ code, detail: expect.stringMatching(detail) });
const row = (external_id: string | null, fields: object) => ({ external_id, fields });

it("keeps a plain text as it is", async () => {
  const { text, blocks } = await readHere("One.\r\n\r\n  Two.\n", { mediaType: "text/plain" });
  expect(text).toBe("One.\n\n  Two.\n");
  expect(blocks).toEqual([{ kind: "text", start: 0, end: text.length, page: null }]);
});

it("reads headings, lists, tables and code of Markdown, and neither its marks nor its scripts", async () => {
  const given = `---\ntitle: "The guide"\n---\n# Setup\n\nRun *this* &amp; [that](https://example.com).<script>alert(1)</script>

1. one
   - inner
2. two

| name | price |
|---|--:|
| a \\| b | 1 |

\`\`\`js
  if (a) b();
\`\`\`\n`;
  const read = await readHere(given, { fileName: "guide.md", mediaType: "text/plain" });
  expect(read.title).toBe("The guide");
  expect(partsOf(read)).toEqual([
    "heading1: Setup",
    "text: Run this & that.",
    "text: 1. one\n   - inner\n2. two".replace("   -", "  -"),
    "table: | name | price |\n| --- | --- |\n| a \\| b | 1 |",
    "code:   if (a) b();",
  ]);
});

it("reads a long Markdown text in parts, and cuts no code", async () => {
  const code = `\`\`\`\n# no heading\n${"x = 1\n".repeat(60_000)}\`\`\``;
  const read = await readHere(`# One\n\n${code}\n\n# Two\n\n${"Text.\n\n".repeat(1000)}`, { fileName: "long.md" });
  expect(read.blocks.slice(0, 4).map(({ kind }) => kind)).toEqual(["heading", "code", "heading", "text"]);
  expect(read.blocks).toHaveLength(1003);
});

it("reads the main content of an HTML page", async () => {
  const page = `<!doctype html><title>Prices — Amber</title><style>p{}</style><nav>Home</nav>
    <div class="sidebar"><a href=/>Home</a> <a href=/b>Blog</a></div>
    <main><h1>Prices</h1><p>All   prices<br>include <b>tax</b>.<p hidden>secret<script>x()</script>
    <table><caption>Carpets</caption><tr><th>size<th>price<tr><td rowspan=2>small<td>10<tr><td>11</table>
    <table><tr><td>A layout</td></tr></table><ul><li>a<ul><li>b</ul><li>c</ul><pre>x  =\n  1</pre></main><footer>© Amber</footer>`;
  const read = await html(page);
  expect(read.title).toBe("Prices — Amber");
  expect(partsOf(read)).toEqual([
    "heading1: Prices",
    "text: All prices\ninclude tax.",
    "text: Carpets",
    "table: | size | price |\n| --- | --- |\n| small | 10 |\n| small | 11 |",
    "text: A layout",
    "text: - a\n  - b\n- c",
    "code: x  =\n  1",
  ]);
});

it("reads the pages of a PDF, its headings by their size, and its title", async () => {
  const read = await readHere(await handbook({ info: { Title: "The handbook" } }));
  expect(read).toMatchObject({ title: "The handbook", pages: 2 });
  const parts = partsOf(read);
  expect(parts.map((part) => part.slice(0, 22))).toEqual([
    "heading1@1: Handbook",
    "heading2@1: Delivery",
    "text@1: Amber Looms we",
    "text@1: Returns are fr",
    "heading2@2: Prices",
    "text@2: A carpet of tw",
  ]);
  expect(parts[2]).not.toContain("\n");
  expect(chunkDocument(read).map(({ headings, first_page }) => [headings.join(" / "), first_page])).toEqual([
    ["Handbook / Delivery", 1],
    ["Handbook / Prices", 2],
  ]);
});

it("reads two columns of a PDF one after the other, whatever the order in which they were drawn, and no running titles", async () => {
  const lines = (side: string, x: number, pdf: PDFKit.PDFDocument, at: number) =>
    pdf.text(`${side} line ${at} of the column`, x, 120 + at * 14, { lineBreak: false });
  const page = (number: number) => (pdf: PDFKit.PDFDocument) => {
    pdf.fontSize(10);
    for (let at = 0; at < 20; at++)
      for (const [side, x] of [
        ["right", 320],
        ["left", 72],
      ] as const)
        lines(side, x, pdf, at);
    pdf.text("The annual report", 72, 60, { lineBreak: false }).text(`page ${number}`, 280, 760, { lineBreak: false });
  };
  const { text } = await readHere(await pdfOf([page(1), page(2), page(3)]));
  expect(text.startsWith("left line 0 of the column left line 1")).toBe(true);
  expect(text.indexOf("left line 19")).toBeLessThan(text.indexOf("right line 0"));
  expect(text).not.toMatch(/annual report|page \d/);
});

it("reads headings, lists and tables of DOCX", async () => {
  const read = await readHere(await contract());
  expect(read.title).toBe("Contract");
  expect(partsOf(read)).toEqual([
    "heading1: Terms",
    "text: Payment is due in 30 days.",
    "heading2: Services",
    "text: - Weaving\n  - of wool\n- Repair",
    "table: | service | price |\n| --- | --- |\n| Weaving | 400 |\n| Repair | 90 |",
  ]);
});

it("reads the rows of CSV with the delimiter that its lines have, and names columns that have none", async () => {
  const { rows } = await csv('name;note;\n"Amber; Looms";"two\nlines";x\nBlue;;\n');
  expect(rows).toEqual([
    row("Amber; Looms", { name: "Amber; Looms", note: "two\nlines", column_3: "x" }),
    row("Blue", { name: "Blue", note: "", column_3: "" }),
  ]);
});

it("takes the external id of a row from the column that was named, else from a unique one, an id before others", async () => {
  const idsOf = async (text: string, more?: object) => (await csv(text, more)).rows.map((one) => one.external_id);
  expect(await idsOf("name,customer_id,order_id\na,1,7\nb,1,8\n")).toEqual(["7", "8"]);
  expect(await idsOf("name,price\na,1\nb,1\n")).toEqual(["a", "b"]);
  expect(await idsOf("name,price\na,1\na,1\n")).toEqual([null, null]);
  expect(await idsOf("id,sku\n1,a\n2,b\n", { idColumn: "sku" })).toEqual(["a", "b"]);
  await expect(idsOf("id\n1\n", { idColumn: "sku" })).rejects.toEqual(fault("damaged", /no column "sku"/));
  await expect(idsOf("id,sku\n1,a\n2,\n", { idColumn: "sku" })).rejects.toEqual(fault("damaged", /^Row 2 /));
});

it("reads the objects of JSONL, and refuses a broken line before the first row", async () => {
  const read = (text: string) => readHere(text, { fileName: "rows.jsonl" });
  expect((await read('{"lead_id":7,"a":{"b":[1]}}\r\n\n{"lead_id":8}')).rows).toEqual([
    row("7", { lead_id: 7, a: { b: [1] } }),
    row("8", { lead_id: 8 }),
  ]);
  await expect(read('{"a":1}\n{"a":\n')).rejects.toEqual(fault("damaged", /^Line 2, column 6/));
  await expect(read('{"a":1}\n[1]\n')).rejects.toEqual(fault("damaged", /^Line 2 is no JSON object/));
});

it("reads the charset that a mark or the media type names, and refuses what is not valid in it", async () => {
  const euro = "Preis: 5 €";
  const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(euro, "utf16le")]);
  expect((await readHere(utf16.subarray(2), { mediaType: "text/plain; charset=UTF-16LE" })).text).toBe(euro);
  const windows = Buffer.from([...Buffer.from("Preis: 5 "), 0x80]);
  expect((await readHere(utf16)).text).toBe(euro);
  expect((await readHere(windows, { mediaType: "text/plain; charset=windows-1252" })).text).toBe(euro);
  expect((await readHere(Buffer.concat([Buffer.from('<html><meta charset="windows-1252">'), windows]))).text).toBe(
    euro,
  );
  await expect(readHere(Buffer.concat([Buffer.from("a\n"), windows]))).rejects.toEqual(
    fault("bad_encoding", /UTF-8 in line 2/),
  );
  await expect(readHere("a", { mediaType: "text/plain; charset=klingon" })).rejects.toEqual(
    fault("bad_encoding", /klingon/),
  );
  await expect(readHere(utf16.subarray(0, 5))).rejects.toEqual(fault("bad_encoding", /UTF-16LE/));
});

it("goes by the contents where the name or the media type is wrong", async () => {
  expect((await readHere(await handbook(), { fileName: "a.txt", mediaType: "text/plain" })).pages).toBe(2);
  expect((await readHere(await contract(), { mediaType: "application/pdf" })).title).toBe("Contract");
  expect((await csv("<!DOCTYPE html><p>Not found")).text).toBe("Not found");
  expect((await readHere("Only text.", { mediaType: "application/pdf", fileName: "a.pdf" })).text).toBe("Only text.");
});

it.each([
  ["an image", Buffer.from("\x89PNG\r\n\x1a\n\0", "latin1"), "unsupported_type"],
  ["a binary file", Buffer.from([1, 2, 0, 3]), "unsupported_type"],
  ["an XML file", "<?xml version='1.0'?><a/>", "unsupported_type"],
  ["no bytes", "", "empty"],
  ["nothing but space", " \n ", "no_text"],
  ["a page of scripts", "<html><script>x</script>", "no_text"],
  ["the start of a PDF", "%PDF-1.7\n", "damaged"],
  ["the start of a DOCX", "PK\x03\x04", "damaged"],
])("refuses %s", async (_what, contents, code) => {
  await expect(readHere(contents)).rejects.toEqual(fault(code));
});

it("refuses a PDF with a password, one of pictures, and more pages or text than is allowed", async () => {
  await expect(readHere(await handbook({ userPassword: "secret" }))).rejects.toEqual(fault("encrypted"));
  const drawn = await pdfOf([(pdf) => pdf.rect(10, 10, 50, 50).fill()]);
  await expect(readHere(drawn)).rejects.toEqual(fault("no_text", /OCR/));
  await expect(readHere(await handbook(), { pages: 1 })).rejects.toEqual(fault("too_many_pages", /2 pages/));
  await expect(readHere(await handbook(), { text: 100 })).rejects.toEqual(fault("too_much_text"));
  await expect(readHere(await contract(), { unpacked: 1000 })).rejects.toEqual(fault("too_large_unpacked"));
});
