import {
  attribute,
  type Element,
  elements,
  isAround,
  isElement,
  isMasthead,
  isSkipped,
  isText,
  linkDensity,
  type Node,
} from "./html-tree.ts";
import type { Output } from "./output.ts";
import { tellTable } from "./table.ts";

const blockNames = new Set(
  "address article aside blockquote body center dd details div dl dt fieldset figcaption figure footer form header hgroup hr html legend li main ol p section summary ul caption tr td th".split(
    " ",
  ),
);
const headingNames = /^h([1-6])$/;
const content = new Set(["main", "article", "section"]);
/** A cell that spans more counts as if it spanned so many. */
const MOST_SPAN = 50;

/** Tells the blocks of a tree. With `around`, what stands around the content of a page is left out. */
export function tellBlocks(root: Element, output: Output, { around }: { around: boolean }): void {
  new Walk(output, around).children(root);
}

class Walk {
  readonly #output: Output;
  readonly #around: boolean;
  /** Text of the paragraph or list item that is being read. */
  #inline = "";
  /** Lines of the outermost list that is being read. */
  #lines: string[] = [];
  #lists = 0;
  #bullet = "";
  /** Articles, sections and main contents that are open. */
  #inside = 0;

  constructor(output: Output, around: boolean) {
    this.#output = output;
    this.#around = around;
  }

  children(element: Element): void {
    if (content.has(element.tagName)) this.#inside++;
    for (const node of element.childNodes) this.#node(node);
    this.#endParagraph();
    this.#endList();
  }

  #node(node: Node): void {
    if (isText(node)) this.#inline += node.value.replaceAll(/\s+/g, " ");
    if (!isElement(node) || isSkipped(node) || (this.#around && isAround(node, this.#inside > 0))) return;
    const heading = headingNames.exec(node.tagName);
    const isHeader = node.tagName === "header" && this.#around && this.#inside === 0;
    if (isHeader && isMasthead(node)) this.#masthead(node);
    else if (heading !== null) this.#alone(() => this.#heading(node, Number(heading[1])));
    else if (node.tagName === "pre") this.#alone(() => this.#output.block("code", textOf(node, true)));
    else if (node.tagName === "table") this.#table(node);
    else if (node.tagName === "ul" || node.tagName === "ol") this.#list(node);
    else if (node.tagName === "br") this.#inline += "\n";
    else if (node.tagName === "img") this.#inline += ` ${attribute(node, "alt") ?? ""} `;
    else this.#container(node);
  }

  /** Of the header of a page with its navigation, the title alone. */
  #masthead(header: Element): void {
    for (const element of elements(header, (one) => !isSkipped(one)))
      if (headingNames.test(element.tagName) && !isSkipped(element) && linkDensity(element) < 0.5) this.#node(element);
  }

  #container(element: Element): void {
    const apart = blockNames.has(element.tagName);
    const isContent = content.has(element.tagName);
    if (apart) this.#endParagraph();
    if (isContent) this.#inside++;
    for (const child of element.childNodes) this.#node(child);
    if (isContent) this.#inside--;
    if (apart) this.#endParagraph();
  }

  /** Ends what is open, so that a block stands by itself. */
  #alone(tell: () => void): void {
    this.#endParagraph();
    this.#endLines();
    tell();
  }

  #heading(element: Element, level: number): void {
    const text = oneLine(textOf(element));
    this.#output.block("heading", text, { level });
  }

  #list(list: Element): void {
    this.#endParagraph();
    this.#lists++;
    const first = Number.parseInt(attribute(list, "start") ?? "1", 10) || 1;
    let at = 0;
    for (const item of list.childNodes) {
      if (!isElement(item) || isSkipped(item)) continue;
      this.#bullet = `${"  ".repeat(Math.min(this.#lists - 1, 20))}${list.tagName === "ol" ? `${first + at++}.` : "-"} `;
      if (item.tagName === "li") this.#container(item);
      else this.#node(item);
    }
    this.#lists--;
    this.#endList();
  }

  #endParagraph(): void {
    const text = this.#inline
      .replaceAll(/ {2,}/g, " ")
      .replaceAll(/ ?\n ?/g, "\n")
      .trim();
    this.#inline = "";
    if (text === "") return;
    if (this.#lists === 0) this.#output.block("text", text);
    else {
      const blank = " ".repeat(this.#bullet.length);
      this.#lines.push(this.#bullet + text.replaceAll("\n", `\n${blank}`));
      this.#bullet = blank;
    }
  }

  #endLines(): void {
    const [first = ""] = this.#lines;
    const indent = first.length - first.trimStart().length;
    if (this.#lines.length > 0) this.#output.block("text", this.#lines.map((line) => line.slice(indent)).join("\n"));
    this.#lines = [];
  }

  #endList(): void {
    if (this.#lists === 0) this.#endLines();
  }

  #table(table: Element): void {
    const caption = table.childNodes.find((node) => node.nodeName === "caption");
    const rows = rowsOf(table);
    const isOfPages = this.#around && rows.some(hasTable);
    const isLayout = rows.every((row) => row.childNodes.filter(isCell).length < 2) || isOfPages;
    if (isLayout || attribute(table, "role") === "presentation") {
      this.#container(table);
      return;
    }
    this.#alone(() => {
      if (caption !== undefined && isElement(caption)) this.#output.block("text", oneLine(textOf(caption)));
      tellTable(this.#output, cellsOf(rows));
    });
  }
}

/** The text of an element: its lines as they are, or with space as one space. */
function textOf(element: Element, literal = false): string {
  let text = "";
  for (const node of element.childNodes) {
    if (isText(node)) text += literal ? node.value : node.value.replaceAll(/\s+/g, " ");
    else if (!isElement(node) || isSkipped(node)) continue;
    else if (node.tagName === "br") text += "\n";
    else if (node.tagName === "img") text += ` ${attribute(node, "alt") ?? ""} `;
    else text += blockNames.has(node.tagName) && !literal ? ` ${textOf(node)} ` : textOf(node, literal);
  }
  return text;
}

const oneLine = (text: string): string => text.replaceAll(/\s+/g, " ").trim();
const isCell = (node: Node): node is Element => node.nodeName === "td" || node.nodeName === "th";

/** The rows of a table, without those of tables inside. */
function rowsOf(table: Element): Element[] {
  return table.childNodes.filter(isElement).flatMap((part) => {
    if (part.tagName === "tr") return [part];
    return /^t(head|body|foot)$/.test(part.tagName)
      ? part.childNodes.filter(isElement).filter(({ tagName }) => tagName === "tr")
      : [];
  });
}

const hasTable = (row: Element): boolean =>
  row.childNodes.some((cell) => isElement(cell) && cell.childNodes.some((node) => node.nodeName === "table"));

/** The cells as a grid: a cell that spans rows stands in each of them, one that spans columns is followed by empty ones. */
function cellsOf(rows: readonly Element[]): string[][] {
  const spanning: { left: number; text: string }[] = [];
  return rows.map((row) => {
    const cells: string[] = [];
    const takeSpanning = (): void => {
      for (let above = spanning[cells.length]; above !== undefined && above.left > 0; above = spanning[cells.length]) {
        above.left--;
        cells.push(above.text);
      }
    };
    for (const cell of row.childNodes.filter(isCell)) {
      takeSpanning();
      const text = oneLine(textOf(cell));
      const left = span(cell, "rowspan") - 1;
      for (let at = 0; at < span(cell, "colspan"); at++) {
        const own = at === 0 ? text : "";
        if (left > 0) spanning[cells.length] = { left, text: own };
        cells.push(own);
      }
    }
    takeSpanning();
    return cells;
  });
}

const span = (cell: Element, name: string): number =>
  Math.min(MOST_SPAN, Math.max(1, Number.parseInt(attribute(cell, name) ?? "1", 10) || 1));
