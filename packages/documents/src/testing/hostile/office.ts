import { deflateRawSync } from "node:zlib";
import { book, deck, epubOf, part, pptxOf, prices, relations, shape, xlsxOf } from "../office.ts";
import { cutOff, files, type Hostile } from "./file.ts";
import type { Entry } from "./zip-writer.ts";

const MB = 2 ** 20;
const bomb = (name: string, said = 300 * MB): Entry => ({
  name,
  data: "",
  packed: deflateRawSync(Buffer.alloc(300 * MB, " "), { level: 1 }),
  size: said,
});
const doctype = (url: string): string => `<!DOCTYPE x [<!ENTITY e SYSTEM "${url}"><!ENTITY f "&e;&e;">]><x>&e;&f;</x>`;

/** Workbooks, presentations and books. */
export const hostileOffice = (url: string): Hostile[] => [
  ...files(
    "sheets.xlsx",
    { "300 MB of blanks": xlsxOf([], {}, bomb("xl/worksheets/sheet9.xml")) },
    "too_large_unpacked",
  ),
  ...files("slides.pptx", { "300 MB of blanks": pptxOf([], "", bomb("ppt/slides/slide9.xml", 10)) }),
  ...files("book.epub", { "300 MB of blanks": epubOf([], "", bomb("OPS/text/a.xhtml")) }, "too_large_unpacked"),
  ...files("sheets.xlsx", { "an entity": xlsxOf([], {}, part("xl/a.xml", doctype(url))) }, "damaged"),
  ...files("slides.pptx", { "an entity": pptxOf([], "", part("ppt/slides/slide1.xml", doctype(url))) }, "damaged"),
  ...files(
    "sheets.xlsx",
    { "rows in one another": xlsxOf([{ name: "S", rows: "<row><c><v>".repeat(100_000) }]) },
    "too_complex",
  ),
  ...files("sheets.xlsx", sheets()),
  ...files("slides.pptx", slides(url)),
  ...files("book.epub", books(url)),
  ...cutOff("valid.xlsx", prices(), 6),
  ...cutOff("valid.pptx", deck(), 6),
  ...cutOff("valid.epub", book(), 6),
];

function sheets(): Record<string, Buffer> {
  const cell = (at: string, value = "1"): string => `<c r="${at}"><v>${value}</v></c>`;
  const sheet = (rows: string, more = {}) => xlsxOf([{ name: "S", rows }], more);
  const rowOf = (cells: string): string => `<row>${cells}</row>`;
  const many = (count: number, of: (at: number) => string): string =>
    Array.from({ length: count }, (_, at) => of(at)).join("");
  const style = '<c r="A1" s="1"><v>45000.5</v></c>';
  return {
    ...brokenParts(),
    "300,000 rows": sheet(rowOf(cell("A1") + cell("B1")).repeat(300_000)),
    "a million cells": sheet(many(1000, () => rowOf("<c><v>1</v></c>".repeat(1000)))),
    "cells in the last column of 50,000 rows": sheet(
      many(50_000, (at) => `<row r="${at + 1}">${cell(`A${at + 1}`)}${cell(`XFD${at + 1}`)}</row>`),
    ),
    "columns and rows beyond any sheet": sheet(
      `<row r="99999999999">${cell("ZZZ99999999999")}${cell("-1")}</row><row r="-4">${cell("")}</row>`,
    ),
    "50,000 merged cells over all rows": xlsxOf([
      {
        name: "S",
        rows: many(5000, () => rowOf(cell("A1") + cell("B1"))),
        merged: Array.from({ length: 50_000 }, () => "A1:B1048576"),
      },
    ]),
    "a merged cell of no cells": xlsxOf([
      { name: "S", rows: rowOf(cell("A1")), merged: ["", "A1", "B9:A1", "A1:ZZZZ9"] },
    ]),
    "strings that are missing": sheet(rowOf('<c t="s"><v>7</v></c><c t="s"><v>-1</v></c><c t="s"><v>x</v></c>')),
    "a string that is repeated 200,000 times": sheet(rowOf('<c t="s"><v>0</v></c>'.repeat(2)).repeat(100_000), {
      strings: ["x".repeat(1000)],
    }),
    "300,000 shared strings": sheet(rowOf('<c t="s"><v>0</v></c>'), {
      strings: Array.from({ length: 300_000 }, (_, at) => `s${at}`),
    }),
    "numbers that are none": sheet(
      rowOf(["1e999", "-1e999", "NaN", "0x10", "", " ", "1,5"].map((value) => cell("", value)).join("")),
    ),
    "dates before and beyond the calendar": sheet(rowOf('<c s="1"><v>-1</v></c><c s="1"><v>1e15</v></c>'), {
      formats: ["yyyy-mm-dd"],
    }),
    "a format of 100,000 characters": sheet(rowOf(style), { formats: ["0".repeat(100_000)] }),
    "a format of many sections": sheet(rowOf(style), { formats: [";".repeat(200)] }),
    "a format of brackets": sheet(rowOf(style), { formats: ["[".repeat(200)] }),
    "100,000 cells of a slow format": sheet(rowOf('<c s="1"><v>0.123456</v></c>'.repeat(100)).repeat(1000), {
      formats: ["# ????????/????????"],
    }),
  };
}

/** Workbooks whose parts do not fit together. */
function brokenParts(): Record<string, Buffer> {
  return {
    "a sheet that refers to the workbook": xlsxOf(
      [{ name: "S", rows: "" }],
      {},
      relations("xl/_rels/workbook.xml.rels", [["rId1", "worksheet", "workbook.xml"]]),
    ),
    "a sheet outside of the file": xlsxOf(
      [{ name: "S", rows: "" }],
      {},
      relations("xl/_rels/a.rels", [["rId1", "worksheet", "../../../../etc/passwd"]]),
    ),
    "names of prototypes": xlsxOf([
      { name: "S", rows: '<row __proto__="1" constructor="2"><c __proto__="x"><v>1</v></c></row>' },
    ]),
    "200,000 sheets": xlsxOf(
      [],
      {},
      part("xl/other.xml", "<a/>"),
      part("xl/workbook.xml", `<workbook>${"<sheet/>".repeat(200_000)}</workbook>`),
    ),
  };
}

function slides(url: string): Record<string, Buffer> {
  const nested = (open: string, close: string, depth: number) =>
    pptxOf([{ shapes: open.repeat(depth) + shape(null, "x") + close.repeat(depth) }]);
  return {
    "50,000 groups in one another": nested("<p:grpSp>", "</p:grpSp>", 50_000),
    "200,000 elements in one another": nested("<x>", "</x>", 200_000),
    "a table of 300,000 cells in a row": pptxOf([
      { shapes: `<p:graphicFrame><a:tbl><a:tr>${"<a:tc/>".repeat(300_000)}</a:tr></a:tbl></p:graphicFrame>` },
    ]),
    "200,000 paragraphs": pptxOf([
      { shapes: shape("body", "x").replace(/<a:p>.*<\/a:p>/, "<a:p><a:t>x</a:t></a:p>".repeat(200_000)) },
    ]),
    "a level of a billion": pptxOf([{ shapes: shape("body", "x", "y").replaceAll('lvl="0"', 'lvl="1000000000"') }]),
    "a slide that is its own notes": pptxOf(
      [{ shapes: shape(null, "x") }],
      "",
      relations("ppt/slides/_rels/slide1.xml.rels", [["n", "notesSlide", "slide1.xml"]]),
    ),
    "a diagram that is missing": pptxOf([{ shapes: '<p:graphicFrame><dgm:relIds r:dm="rId77"/></p:graphicFrame>' }]),
    "a slide at an address": pptxOf(
      [{ shapes: `<a:t>${url}</a:t>` }],
      "",
      relations("ppt/_rels/presentation.xml.rels", [["rId1", "slide", url]]),
    ),
    "XML that is not closed": pptxOf([{ shapes: "<p:sp><p:txBody><a:p><a:t>x" }]),
    "a name of a tag of 10 MB": pptxOf([{ shapes: `<${"x".repeat(10 * MB)}>` }]),
    "100,000 attributes": pptxOf([
      { shapes: `<p:sp ${Array.from({ length: 100_000 }, (_, at) => `a${at}="1"`).join(" ")}>` },
    ]),
  };
}

function books(url: string): Record<string, Buffer> {
  const chapter = (body: string, more: Entry[] = []) => epubOf([{ name: "one", body }], "", ...more);
  return {
    "a chapter 5,000 times": epubOf(Array.from({ length: 5000 }, () => ({ name: "one", body: "<p>x</p>" }))),
    "a package that is its own container": chapter("<p>x</p>", [
      part("META-INF/x.xml", '<rootfile full-path="META-INF/container.xml"/>'),
    ]),
    "a package outside of the file": chapter("<p>x</p>", [
      part("META-INF/y.xml", '<rootfile full-path="../../etc/passwd"/>'),
    ]),
    "external entities in a chapter": chapter(`<p>&e;</p>${doctype(url)}`),
    "scripts and frames": chapter(`<script>while(1);</script><iframe src="${url}"/><p>x</p>`),
    "100,000 elements in one another": chapter("<div>".repeat(100_000)),
    "100,000 empty elements": chapter('<a id="x"/>'.repeat(100_000)),
    "tags without end": chapter('<a b="'.repeat(100_000)),
    "blanks in a tag": chapter(`<a${" ".repeat(500_000)}`),
    "addresses that are none": epubOf([
      { name: "one", body: '<nav><a href="%zz">x</a></nav><p>x</p>', properties: "nav" },
    ]),
    "a table of contents 50,000 deep": chapter("<p>x</p>", [
      part("OPS/toc.ncx", `<navMap>${"<navPoint>".repeat(50_000)}`),
    ]),
    "broken UTF-8": epubOf([{ name: "one", body: "" }], "", {
      name: "OPS/text/one.xhtml",
      data: Buffer.from([0xc0, 0x80]),
    }),
  };
}
