import { deflateRawSync } from "node:zlib";
import { cutOff, files, type Hostile } from "./file.ts";
import { type Entry, zipOf } from "./zip-writer.ts";

const MB = 2 ** 20;
const types = `<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`;
const office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const relations = (all: string) =>
  `<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${all}</Relationships>`;
const main = relations(`<Relationship Id="r1" Type="${office}/officeDocument" Target="word/document.xml"/>`);
const names = `xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:r="${office}" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"`;
const bodyOf = (body: string) => `<w:document ${names}><w:body>${body}</w:body></w:document>`;
const said = (text: string) => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`;

function docx(document: string | Uint8Array, ...more: Entry[]): Buffer {
  return zipOf([
    { name: "[Content_Types].xml", data: types },
    { name: "_rels/.rels", data: main },
    { name: "word/document.xml", data: document },
    ...more,
  ]);
}

const part = (name: string, data: string): Entry => ({ name, data });
const inside = (body: string, ...more: Entry[]): Buffer => docx(bodyOf(body), ...more);
const related = (type: string, target: string, mode = "External") =>
  part(
    "word/_rels/document.xml.rels",
    relations(`<Relationship Id="r9" Type="${office}/${type}" Target="${target}" TargetMode="${mode}"/>`),
  );

export function hostileDocx(valid: Uint8Array, url: string): Hostile[] {
  return [
    ...files("bomb.docx", bombs(), "too_large_unpacked"),
    ...files("lie.docx", lies()),
    ...files("archive.docx", archives(valid)),
    ...files("doctype.docx", doctypes(url), "damaged"),
    ...files("xml.docx", shapes()),
    ...files("references.docx", references(url)),
    ...cutOff("valid.docx", valid, 14),
  ];
}

function bombs(): Record<string, Buffer> {
  const blank = Buffer.alloc(300 * MB, " ");
  const packed = deflateRawSync(blank, { level: 1 });
  const bomb = (name: string, size = blank.length): Entry => ({ name, data: "", packed, size });
  const partsOf = (size: number) =>
    ["document", "styles", "numbering", "footnotes", "comments"].map((name) => bomb(`word/${name}.xml`, size));
  const rest = [part("[Content_Types].xml", types), part("_rels/.rels", main)];
  return {
    "300 MB of blanks": zipOf([...rest, bomb("word/document.xml")]),
    "300 MB that say they are 4 GB": zipOf([...rest, bomb("word/document.xml", 0xfffffffe)]),
    "five parts of 300 MB": zipOf([...rest, ...partsOf(blank.length)]),
    "300 MB of relationships": zipOf([
      part("[Content_Types].xml", types),
      bomb("_rels/.rels"),
      part("word/document.xml", ""),
    ]),
    "300 MB of content types": zipOf([
      bomb("[Content_Types].xml"),
      part("_rels/.rels", main),
      part("word/document.xml", ""),
    ]),
    "20,000 files": zipOf([...rest, ...Array.from({ length: 20_000 }, (_, at) => part(`word/a${at}.xml`, ""))]),
  };
}

function lies(): Record<string, Buffer> {
  const packed = deflateRawSync(Buffer.alloc(300 * MB, " "), { level: 1 });
  const same = Array.from({ length: 9000 }, (_, at) => ({ name: `word/b${at}.xml`, data: "x", overlaps: true }));
  return {
    "300 MB that say they are 10 bytes": zipOf([
      part("[Content_Types].xml", types),
      { name: "word/document.xml", data: "", packed, size: 10 },
    ]),
    "9,000 files in the same place": zipOf([part("word/a.xml", said("x".repeat(1000))), ...same]),
  };
}

function archives(valid: Uint8Array): Record<string, Buffer> {
  const nested = (depth: number): Buffer =>
    depth === 0 ? Buffer.alloc(MB) : zipOf([{ name: `${depth}.zip`, data: nested(depth - 1) }]);
  const [text, rest] = [bodyOf(said("Hello.")), [part("[Content_Types].xml", types), part("_rels/.rels", main)]];
  const odd = (more: Partial<Entry>) => zipOf([...rest, { name: "word/document.xml", data: text, ...more }]);
  const claims = (size: number) => odd({ size });
  const withEnd = (at: number, value: number) => {
    const copy = Buffer.from(valid);
    copy.writeUInt32LE(value, copy.length - at);
    return copy;
  };
  return {
    "archives in archives": nested(8),
    "a document that is an archive": docx(nested(2)),
    "a file twice": docx(text, part("word/document.xml", bodyOf(said("Other.")))),
    "a wrong checksum": odd({ crc: 1 }),
    "a method that nobody knows": odd({ method: 99 }),
    "a flag of encryption": odd({ flags: 1 }),
    "a size of nothing": claims(0),
    "a size of one": claims(1),
    "a size of 4 GB": claims(0xffffffff),
    "stored data that is packed": odd({ method: 0, size: 5 }),
    "packed data that is none": odd({ packed: Buffer.from("not deflated at all") }),
    "names that leave the folder": docx(
      text,
      part("../../etc/passwd", "x"),
      part("/etc/shadow", "x"),
      part("word\\..\\x", "x"),
    ),
    "a name with NUL": docx(text, part("word/a\0.xml", "x")),
    "an empty name": docx(text, part("", "x")),
    "a name of 60,000 characters": docx(text, part("a".repeat(60_000), "x")),
    "a directory elsewhere": withEnd(6, 0x7fffffff),
    "a directory of other length": withEnd(10, 0x7fffffff),
    "more files than it has": zipOf([...rest, part("word/document.xml", text)], { claimed: 4000 }),
    "an end alone": Buffer.from("PK\x05\x06".padEnd(22, "\0")),
    "no end": docx(text).subarray(0, -22),
    "a directory that is shifted": zipOf([...rest, part("word/document.xml", text)], { directory: 7 }),
    "no document": zipOf(rest),
    "no relationships": zipOf([part("[Content_Types].xml", types), part("word/document.xml", text)]),
    "a workbook": zipOf([part("[Content_Types].xml", types), part("xl/workbook.xml", "<x/>")]),
    "macros and embedded programs": docx(text, part("word/vbaProject.bin", "MZ"), part("word/embeddings/a.exe", "MZ")),
  };
}

function doctypes(url: string): Record<string, Buffer> {
  const laughs = Array.from({ length: 12 }, (_, at) => `<!ENTITY l${at + 1} "${`&l${at};`.repeat(10)}">`).join("");
  const withType = (type: string, text: string) => docx(`<?xml version="1.0"?>${type}${bodyOf(said(text))}`);
  const external = (target: string) => withType(`<!DOCTYPE x [<!ENTITY e SYSTEM "${target}">]>`, "&e;");
  return {
    "a billion laughs": withType(`<!DOCTYPE x [<!ENTITY l0 "ha">${laughs}]>`, "&l12;"),
    "an entity of a megabyte, a thousand times": withType(
      `<!DOCTYPE x [<!ENTITY e "${"a".repeat(MB)}">]>`,
      "&e;".repeat(1000),
    ),
    "an entity of itself": withType(`<!DOCTYPE x [<!ENTITY e "&e;">]>`, "&e;"),
    "an entity that is a file": external("file:///etc/passwd"),
    "an entity that is an address": external(url),
    "a parameter entity": withType(`<!DOCTYPE x [<!ENTITY % e SYSTEM "${url}"> %e;]>`, "a"),
    "a document type elsewhere": withType(`<!DOCTYPE x SYSTEM "${url}">`, "a"),
    "an entity in its styles": docx(
      bodyOf(said("a")),
      part(
        "word/styles.xml",
        `<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><w:styles ${names}>&e;</w:styles>`,
      ),
    ),
    "an entity in UTF-16": docx(
      Buffer.from(`\ufeff<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><x>&e;</x>`, "utf16le"),
    ),
  };
}

function shapes(): Record<string, Buffer> {
  const nested = (open: string, close: string, depth: number) =>
    inside(open.repeat(depth) + said("x") + close.repeat(depth));
  const cell = `<w:tc>${said("x")}</w:tc>`;
  const styled = (styles: string) =>
    inside(
      `<w:p><w:pPr><w:pStyle w:val="A"/></w:pPr>${"<w:r><w:t>x</w:t></w:r>"}</w:p>`,
      part("word/styles.xml", `<w:styles ${names}>${styles}</w:styles>`),
    );
  const numbered = (level: string) =>
    inside(
      `<w:p><w:pPr><w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="1"/></w:numPr></w:pPr><w:r><w:t>x</w:t></w:r></w:p>`,
      part(
        "word/numbering.xml",
        `<w:numbering ${names}><w:abstractNum w:abstractNumId="0"><w:numStyleLink w:val="A"/></w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num></w:numbering>`,
      ),
    );
  return {
    "5,000 tables in one another": nested("<w:tbl><w:tr><w:tc>", "</w:tc></w:tr></w:tbl>", 5000),
    "200,000 elements in one another": nested("<w:x>", "</w:x>", 200_000),
    "50,000 paragraphs in one another": nested("<w:p>", "</w:p>", 50_000),
    "a row of 50,000 cells": inside(`<w:tbl><w:tr>${cell.repeat(50_000)}</w:tr></w:tbl>`),
    "50,000 rows": inside(`<w:tbl>${`<w:tr>${cell}${cell}</w:tr>`.repeat(50_000)}</w:tbl>`),
    "300,000 paragraphs": inside(said("x").repeat(300_000)),
    "a cell over a billion columns": inside(
      `<w:tbl><w:tr><w:tc><w:tcPr><w:gridSpan w:val="1000000000"/></w:tcPr>${said("x")}</w:tc>${cell}</w:tr></w:tbl>`,
    ),
    "styles that are based on each other": styled(
      `<w:style w:type="paragraph" w:styleId="A"><w:basedOn w:val="B"/></w:style><w:style w:type="paragraph" w:styleId="B"><w:basedOn w:val="A"/></w:style>`,
    ),
    "a list of level a billion": numbered("1000000000"),
    "a list of level minus one": numbered("-1"),
    "a list without a level": numbered("x"),
  };
}

function references(url: string): Record<string, Buffer> {
  const image = `<w:p><w:r><w:drawing><a:blip r:link="r9"/></w:drawing></w:r></w:p>`;
  const linked = `<w:p><w:hyperlink r:id="r9"><w:r><w:t>link</w:t></w:r></w:hyperlink></w:p>`;
  return {
    "an image at an address": inside(image, related("image", url)),
    "an image that is a file": inside(image, related("image", "file:///etc/passwd")),
    "an image outside of the folder": inside(image, related("image", "../../../../etc/passwd", "Internal")),
    "a link that is a script": inside(linked, related("hyperlink", "javascript:alert(1)")),
    "a relationship of itself": inside(said("x"), related("officeDocument", "document.xml", "Internal")),
    "100,000 attributes": inside(
      `<w:p ${Array.from({ length: 100_000 }, (_, at) => `a${at}="1"`).join(" ")}>${said("x")}</w:p>`,
    ),
    "an attribute of 10 MB": inside(`<w:p a="${"x".repeat(10 * MB)}">${said("x")}</w:p>`),
    "a text of 60 MB": inside(said("lorem ipsum ".repeat(5 * MB))),
    "XML that is none": docx("this is no XML"),
    "XML that is not closed": docx(`<w:document ${names}><w:body><w:p>`),
    "XML of other bytes": docx(Buffer.from([0x3c, 0xff, 0xfe, 0xc0, 0x80])),
    "XML without a name for its prefix": docx("<w:document><w:body/></w:document>"),
    "control characters": inside(said("a&#0;&#1;&#xD800;b\u0001")),
    "a document without text": inside(""),
    "scripts in its text": inside(said("&lt;script&gt;alert(1)&lt;/script&gt;")),
    "instructions for fields": inside(
      `<w:p><w:r><w:instrText>INCLUDETEXT "${url}"</w:instrText></w:r></w:p>${said("x")}`,
    ),
  };
}
