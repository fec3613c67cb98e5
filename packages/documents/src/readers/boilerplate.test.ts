import { expect, it } from "vitest";
import { partsOf, readHere } from "../testing/read-here.ts";
import { pdfOf } from "../testing/written.ts";

const html = async (body: string) =>
  partsOf(await readHere(`<!doctype html><body>${body}`, { mediaType: "text/html" }));

it("leaves out what stands around the content of an HTML page without a main element, and keeps its title", async () => {
  const parts = await html(`<a href="#c" class="sr-only">Skip to main content</a>
    <div id="cookie-banner"><p>We use cookies to make this site better for you.</p><button>Accept</button></div>
    <header><b>Amber</b><h1>Prices</h1><nav><a href=/>Home</a></nav></header>
    <div class="breadcrumb"><a href=/>Home</a> / <a href=/p>Prices</a></div>
    <div id=c><h2>Small<a href="#s">¶</a></h2><p>A small carpet costs 400 euros.</p>
    <section><h3>Colours</h3><aside>Red takes longer.</aside><p class="share"><a href=x>Share</a> <a href=y>Post</a></p></section></div>
    <div role="complementary">Related</div><div class="site-footer">© Amber. All rights reserved.</div><footer>Porto</footer>`);
  expect(parts).toEqual([
    "heading1: Prices",
    "heading2: Small",
    "text: A small carpet costs 400 euros.",
    "heading3: Colours",
    "text: Red takes longer.",
  ]);
});

it("keeps a section on cookies, the header of a page without links, and a page of links alone", async () => {
  expect(await html("<header><h1>Guide</h1><p>For readers.</header><section id=cookies><p>A cookie is kept.")).toEqual([
    "heading1: Guide",
    "text: For readers.",
    "text: A cookie is kept.",
  ]);
  expect(await html("<ul class=menu><li><a href=a>First page</a><li><a href=b>Second page</a></ul>")).toEqual([
    "text: - First page\n- Second page",
  ]);
});

it("takes a row over the whole width of a table for its caption", async () => {
  const rows = "<tr><th colspan=3>Prices of 2026</th><tr><th>a<th>b<th>c<tr><td>1<td>2<td>3";
  expect(await html(`<table>${rows}</table>`)).toEqual([
    "text: Prices of 2026",
    "table: | a | b | c |\n| --- | --- | --- |\n| 1 | 2 | 3 |",
  ]);
});

it("leaves out running titles of several lines, pages counted within a line, and titles of chapters", async () => {
  const page = (number: number) => (pdf: PDFKit.PDFDocument) => {
    const at = (text: string, y: number) => pdf.fontSize(10).text(text, 72, y, { lineBreak: false });
    at("Amber Looms", 40);
    at(number <= 5 ? "Chapter one" : "Chapter two", 52);
    at(
      `The text of page number ${["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"][number]}.`,
      120,
    );
    at(`Page ${number} of 10, printed 2026`, 780);
  };
  const { text } = await readHere(await pdfOf(Array.from({ length: 10 }, (_, at) => page(at + 1))));
  expect(text).toContain("The text of page number seven.");
  expect(text).not.toMatch(/Amber|Chapter|printed/);
});
