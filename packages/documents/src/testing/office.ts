import { type Entry, zipOf } from "./hostile/zip-writer.ts";

// Files of Office and EPUB for tests, written as their programs write them.

const office = "http://schemas.openxmlformats.org/officeDocument/2006";
const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';

export const part = (name: string, xml: string): Entry => ({ name, data: declaration + xml });

export const relations = (of: string, all: readonly (readonly [id: string, kind: string, target: string])[]): Entry =>
  part(
    of,
    `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${all
      .map(
        ([id, kind, target]) => `<Relationship Id="${id}" Type="${office}/relationships/${kind}" Target="${target}"/>`,
      )
      .join("")}</Relationships>`,
  );

const types = part(
  "[Content_Types].xml",
  '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/></Types>',
);

const titled = (title: string): Entry =>
  part(
    "docProps/core.xml",
    `<cp:coreProperties xmlns:cp="c" xmlns:dc="d"><dc:title>${title}</dc:title></cp:coreProperties>`,
  );

interface Sheet {
  readonly name: string;
  /** Its rows as SpreadsheetML. */
  readonly rows: string;
  readonly merged?: readonly string[];
  readonly state?: string;
}

interface WorkbookParts {
  readonly strings?: readonly string[];
  /** Number formats of the styles 1, 2 and so on. */
  readonly formats?: readonly string[];
  readonly properties?: string;
}

/** Further parts come first: of two with one name, the first is read. */
export function xlsxOf(
  sheets: readonly Sheet[],
  { strings = [], formats = [], properties = "" }: WorkbookParts = {},
  ...more: Entry[]
): Buffer {
  const listed = sheets.map(
    ({ name, state }, at) =>
      `<sheet name="${name}" sheetId="${at + 1}" ${state === undefined ? "" : `state="${state}" `}r:id="rId${at + 1}"/>`,
  );
  const styles = formats.map((code, at) => `<numFmt numFmtId="${at + 164}" formatCode="${code}"/>`).join("");
  const cells = formats.map((_, at) => `<xf numFmtId="${at + 164}"/>`).join("");
  const shared = strings
    .map((text) => (text.startsWith("<") ? `<si>${text}</si>` : `<si><t>${text}</t></si>`))
    .join("");
  return zipOf([
    ...more,
    types,
    relations("_rels/.rels", [["rId1", "officeDocument", "xl/workbook.xml"]]),
    part(
      "xl/workbook.xml",
      `<workbook xmlns:r="r"><workbookPr ${properties}/><sheets>${listed.join("")}</sheets></workbook>`,
    ),
    relations("xl/_rels/workbook.xml.rels", [
      ...sheets.map((_, at) => [`rId${at + 1}`, "worksheet", `worksheets/sheet${at + 1}.xml`] as const),
      ["rId98", "styles", "styles.xml"],
      ["rId99", "sharedStrings", "/xl/sharedStrings.xml"],
    ]),
    part(
      "xl/styles.xml",
      `<styleSheet><numFmts>${styles}</numFmts><cellStyleXfs><xf numFmtId="9"/></cellStyleXfs><cellXfs><xf numFmtId="0"/>${cells}<xf numFmtId="14"/></cellXfs></styleSheet>`,
    ),
    part("xl/sharedStrings.xml", `<sst>${shared}</sst>`),
    ...sheets.map(({ rows, merged = [] }, at) =>
      part(
        `xl/worksheets/sheet${at + 1}.xml`,
        `<worksheet><sheetData>${rows}</sheetData><mergeCells>${merged.map((ref) => `<mergeCell ref="${ref}"/>`).join("")}</mergeCells></worksheet>`,
      ),
    ),
  ]);
}

interface SlideParts {
  /** Its shapes as PresentationML. */
  readonly shapes: string;
  readonly notes?: string;
  readonly attributes?: string;
}

export const shape = (type: string | null, ...lines: string[]): string =>
  `<p:sp><p:nvSpPr><p:cNvPr id="1" name="x"/><p:nvPr>${type === null ? "" : `<p:ph type="${type}"/>`}</p:nvPr></p:nvSpPr><p:txBody>${lines
    .map(
      (line) =>
        `<a:p><a:pPr lvl="${line.length - line.trimStart().length}"/><a:r><a:t>${line.trimStart()}</a:t></a:r></a:p>`,
    )
    .join("")}</p:txBody></p:sp>`;

export function pptxOf(slides: readonly SlideParts[], title = "PowerPoint Presentation", ...more: Entry[]): Buffer {
  const ids = slides.map((_, at) => `<p:sldId id="${256 + at}" r:id="rId${at + 1}"/>`).join("");
  return zipOf([
    ...more,
    types,
    titled(title),
    relations("_rels/.rels", [["rId1", "officeDocument", "ppt/presentation.xml"]]),
    part("ppt/presentation.xml", `<p:presentation><p:sldIdLst>${ids}</p:sldIdLst></p:presentation>`),
    relations(
      "ppt/_rels/presentation.xml.rels",
      slides.map((_, at) => [`rId${at + 1}`, "slide", `slides/slide${at + 1}.xml`] as const),
    ),
    ...slides.flatMap(({ shapes, notes, attributes = "" }, at) => [
      part(
        `ppt/slides/slide${at + 1}.xml`,
        `<p:sld ${attributes}><p:cSld><p:spTree>${shapes}</p:spTree></p:cSld></p:sld>`,
      ),
      relations(`ppt/slides/_rels/slide${at + 1}.xml.rels`, [["n", "notesSlide", `../notesSlides/notes${at + 1}.xml`]]),
      ...(notes === undefined
        ? []
        : [
            part(
              `ppt/notesSlides/notes${at + 1}.xml`,
              `<p:notes>${shape("sldNum", "7")}${shape("body", notes)}</p:notes>`,
            ),
          ]),
    ]),
  ]);
}

interface Chapter {
  readonly name: string;
  readonly body: string;
  readonly properties?: string;
  readonly linear?: string;
}

export function epubOf(chapters: readonly Chapter[], guide = "", ...more: Entry[]): Buffer {
  const items = chapters.map(
    ({ name, properties = "" }) =>
      `<item id="${name}" href="text/${name}.xhtml" media-type="application/xhtml+xml" properties="${properties}"/>`,
  );
  const spine = chapters.map(({ name, linear = "yes" }) => `<itemref idref="${name}" linear="${linear}"/>`);
  return zipOf([
    ...more,
    { name: "mimetype", data: "application/epub+zip", method: 0 },
    part(
      "META-INF/container.xml",
      '<container><rootfiles><rootfile full-path="OPS/book.opf"/></rootfiles></container>',
    ),
    part(
      "OPS/book.opf",
      `<package><metadata xmlns:dc="d"><dc:title>The weaver</dc:title></metadata><manifest>${items.join("")}</manifest><spine>${spine.join("")}</spine><guide>${guide}</guide></package>`,
    ),
    ...chapters.map(({ name, body }) =>
      part(
        `OPS/text/${name}.xhtml`,
        `<!DOCTYPE html><html xmlns="http://www.w3.org/1999/xhtml"><head><title/><script src="x.js"/></head><body>${body}</body></html>`,
      ),
    ),
  ]);
}

const row = (number: number, cells: string): string => `<row r="${number}">${cells}</row>`;
const text = (at: string, string: number): string => `<c r="${at}" t="s"><v>${string}</v></c>`;
const number = (at: string, value: number, style = 0): string => `<c r="${at}" s="${style}"><v>${value}</v></c>`;

/** A list of prices with a caption, a formula, dates, and a second table below. */
export const prices = (): Buffer =>
  xlsxOf(
    [
      {
        name: "Prices",
        merged: ["A1:D1", "A3:A4"],
        rows:
          row(1, text("A1", 0)) +
          row(2, text("A2", 1) + text("B2", 2) + text("C2", 3) + text("D2", 4)) +
          row(3, text("A3", 5) + text("B3", 6) + number("C3", 1250.5, 1) + number("D3", 46_023, 2)) +
          row(4, `${text("B4", 7)}<c r="C4" s="1"><f>C3/2</f><v>625.25</v></c>${number("D4", 46_054, 3)}`) +
          `<row r="5" hidden="1">${text("A5", 8)}</row>` +
          row(8, '<c r="B8" t="inlineStr"><is><t>City</t></is></c><c r="C8" t="str"><f>X</f><v>Open</v></c>') +
          row(9, '<c r="B9" t="inlineStr"><is><t>Porto</t></is></c><c r="C9" t="b"><v>1</v></c>'),
      },
      { name: "Secret", state: "veryHidden", rows: row(1, text("A1", 8)) },
      { name: "Empty", rows: "" },
    ],
    {
      strings: [
        "Prices of 2026",
        "Product",
        "Size",
        "Price",
        "From",
        "<r><t>Car</t></r><r><t>pet</t></r><rPh><t>reading</t></rPh>",
        "large",
        "small",
        "hidden",
      ],
      formats: ["#,##0.00 &quot;EUR&quot;", "d mmm yyyy"],
    },
  );

/** Three slides with a title, a list, a table over rows, notes, and a footer of the deck. */
export function deck(): Buffer {
  const cell = (own: string, attributes = "") =>
    `<a:tc ${attributes}><a:txBody><a:p><a:r><a:t>${own}</a:t></a:r></a:p></a:txBody></a:tc>`;
  const table = `<p:graphicFrame><a:tbl><a:tr>${cell("Size")}${cell("Price")}</a:tr><a:tr>${cell("small", 'rowSpan="2"')}${cell("400")}</a:tr><a:tr>${cell("", 'vMerge="1"')}${cell("500")}</a:tr></a:tbl></p:graphicFrame>`;
  const motto = shape(null, "Amber Looms, confidential") + shape("sldNum", "1") + shape("ftr", "2026");
  return pptxOf([
    { shapes: shape("body", "Carpets", " of wool", "Rugs") + shape("ctrTitle", "Our range") + motto },
    {
      shapes: `<mc:AlternateContent><mc:Choice><p:grpSp>${shape(null, "Taxes are included.")}</p:grpSp></mc:Choice><mc:Fallback>${shape(null, "An old picture")}</mc:Fallback></mc:AlternateContent>${table}${motto}`,
      notes: "Mention the discount.",
    },
    { shapes: shape("title", "Hidden"), attributes: 'show="0"' },
    { shapes: shape("title", "Contact") + shape(null, "Write to us.") + motto },
  ]);
}

/** A book with a cover, a table of contents, and a chapter whose title only the contents know. */
export const book = (): Buffer =>
  epubOf(
    [
      { name: "cover", body: "<p>Cover of the weaver</p>" },
      {
        name: "nav",
        properties: "nav",
        body: '<nav><ol><li><a href="one.xhtml">First</a></li><li><a href="two.xhtml#x">The <i>loom</i></a></li></ol></nav>',
      },
      { name: "two", body: '<p><a id="x"/>It was a large loom.</p>' },
      { name: "one", body: "<h1>The first chapter</h1><h2>Morning</h2><p>She wove.</p>" },
      { name: "answers", linear: "no", body: "<p>Answers</p>" },
    ],
    '<reference type="cover" href="text/cover.xhtml"/>',
  );
