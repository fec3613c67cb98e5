import { firstNamed, type XmlElement } from "./xml.ts";

/** What stands on a slide, in the order in which it is read. */
export type Shape =
  | { readonly kind: "title" | "text" | "list"; readonly text: string }
  | { readonly kind: "table"; readonly rows: readonly (readonly string[])[] }
  /** A diagram, whose texts are in a part of their own. */
  | { readonly kind: "diagram"; readonly relation: string };

/** Placeholders that repeat on each slide: its number, date, footer and header. */
const running = new Set(["sldNum", "dt", "ftr", "hdr"]);
/** Cells of a row that are read. */
const MOST_CELLS = 1000;
const DEEPEST_LEVEL = 8;

/** The shapes of a slide or of its notes that have text, those of groups included; what older programs would show instead is not read twice. */
export function* shapesOf(element: XmlElement): Generator<Shape> {
  for (const child of element.children) {
    if (child.name === "sp") yield* shapeOf(child);
    else if (child.name === "graphicFrame") yield* frameOf(child);
    else if (child.name !== "Fallback") yield* shapesOf(child);
  }
}

function* shapeOf(shape: XmlElement): Generator<Shape> {
  const properties = shape.children.find(({ name }) => name.startsWith("nv"));
  const isHidden = properties?.children.some(({ attributes }) => /^(1|true)$/.test(attributes.hidden ?? ""));
  const placeholder = properties && firstNamed(properties, "ph");
  const type = placeholder?.attributes.type ?? (placeholder ? "body" : "");
  const body = shape.children.find(({ name }) => name === "txBody");
  if (body === undefined || isHidden || running.has(type)) return;
  const lines = linesOf(body);
  const isTitle = /title$/i.test(type) && type !== "subTitle";
  const isList = (type === "body" || type === "obj") && lines.length > 1;
  const text = lines.map((line) => (isList ? line.replace(/^ */, "$&- ") : line.trim())).join("\n");
  if (text.trim() !== "") yield { kind: isTitle ? "title" : isList ? "list" : "text", text };
}

function* frameOf(frame: XmlElement): Generator<Shape> {
  const table = firstNamed(frame, "tbl");
  if (table !== undefined) yield { kind: "table", rows: gridOf(table) };
  const diagram = firstNamed(frame, "relIds");
  const relation = diagram && Object.entries(diagram.attributes).find(([name]) => name.endsWith(":dm"))?.[1];
  if (relation !== undefined) yield { kind: "diagram", relation };
}

/** The paragraphs with text, indented by their level. */
export function linesOf(body: XmlElement): string[] {
  return paragraphsOf(body).flatMap((paragraph) => {
    const level = Number(paragraph.children.find(({ name }) => name === "pPr")?.attributes.lvl ?? 0) || 0;
    const text = textOf(paragraph)
      .replaceAll(/[^\S\n]+/g, " ")
      .trim();
    return text === ""
      ? []
      : ["  ".repeat(Math.min(DEEPEST_LEVEL, Math.max(0, level))) + text.replaceAll(/\s*\n\s*/g, " ")];
  });
}

const paragraphsOf = (element: XmlElement): XmlElement[] =>
  element.children.flatMap((child) => (child.name === "p" ? [child] : paragraphsOf(child)));

/** The text of runs and fields; a line break is a line feed. */
function textOf(element: XmlElement): string {
  if (element.name === "t") return element.text;
  if (element.name === "br") return "\n";
  return element.children.map(textOf).join("");
}

/** The cells of a table as a grid: one that spans rows stands in each of them, one that spans columns is followed by empty ones. */
function gridOf(table: XmlElement): string[][] {
  const grid: string[][] = [];
  for (const row of table.children.filter(({ name }) => name === "tr")) {
    const above = grid.at(-1) ?? [];
    const cells: string[] = [];
    for (const { name, attributes, children } of row.children) {
      if (name !== "tc" || cells.length >= MOST_CELLS) continue;
      const body = children.find((child) => child.name === "txBody");
      const own =
        body === undefined
          ? ""
          : linesOf(body)
              .map((line) => line.trim())
              .join(" ");
      cells.push(isMerged(attributes.vMerge) ? (above[cells.length] ?? "") : isMerged(attributes.hMerge) ? "" : own);
    }
    grid.push(cells);
  }
  return grid;
}

const isMerged = (value: string | undefined): boolean => value === "1" || value === "true";
