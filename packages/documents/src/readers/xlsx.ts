import type { Output, Source } from "./output.ts";
import { Parts } from "./parts.ts";
import { SheetTables } from "./sheet-tables.ts";
import { numberTexts } from "./xlsx-formats.ts";
import { readSheet, tallCells, type Workbook } from "./xlsx-sheet.ts";
import { firstNamed, named, readXml } from "./xml.ts";

/** Sheets, strings, styles and what refers to them; charts, images, caches and queries stay packed. */
const wanted =
  /^(?!customXml\/|docProps\/(?!core)|xl\/(?:drawings|charts|theme|pivot[^/]*|externalLinks|queryTables|tables|media)\/).*\.(?:xml|rels)$/;

/** The sheets of a workbook that are not hidden, each as a heading with its tables. Cells read as they are displayed; formulas are not calculated, their results are in the file. */
export async function readXlsx({ bytes, limits }: Source, output: Output): Promise<void> {
  const parts = await Parts.unpack(bytes, wanted, limits);
  const { part, tree } = parts.main();
  const related = [...parts.relations(part).values()];
  const of = (kind: string) => parts.file(related.find((one) => one.kind === kind)?.part);
  const date1904 = firstNamed(tree, "workbookPr")?.attributes.date1904;
  const isFrom1904 = date1904 === "1" || date1904 === "true";
  const workbook: Workbook = {
    strings: stringsOf(of("sharedStrings")),
    numberText: numberTexts(of("styles"), isFrom1904),
  };
  output.title(parts.title());
  for (const sheet of named(tree, "sheet")) {
    const file = parts.file(parts.related(part, sheet));
    if (file === undefined || /hidden/i.test(sheet.attributes.state ?? "")) continue;
    tellSheet(sheet.attributes.name ?? "", file);
  }

  function tellSheet(name: string, file: Buffer): void {
    const tables = new SheetTables(output, limits, tallCells(file));
    let isEmpty = true;
    readSheet(file, workbook, (row) => {
      if (isEmpty) output.block("heading", name, { level: 2 });
      isEmpty = false;
      tables.add(row);
    });
    tables.end();
  }
}

/** The texts that cells share, without the readings that stand above Japanese and Chinese ones. */
function stringsOf(file: Buffer | undefined): string[] {
  const strings: string[] = [];
  let [text, taking, phonetic] = ["", false, false];
  if (file === undefined) return strings;
  readXml(file, {
    open(name) {
      if (name === "si") text = "";
      else if (name === "rPh") phonetic = true;
      else if (name === "t") taking = !phonetic;
    },
    text(part) {
      if (taking) text += part;
    },
    close(name) {
      if (name === "si") strings.push(text);
      else if (name === "rPh") phonetic = false;
      else if (name === "t") taking = false;
    },
  });
  return strings;
}
