import { DocumentFault } from "../fault.ts";
import type { Output, Source } from "./output.ts";
import { Parts } from "./parts.ts";
import { linesOf, type Shape, shapesOf } from "./pptx-shapes.ts";
import { tellTable } from "./table.ts";
import { firstNamed, named, type XmlElement } from "./xml.ts";

/** Slides, their notes and diagrams; layouts, masters, charts and media stay packed. */
const wanted =
  /^(_rels\/\.rels|docProps\/core\.xml|ppt\/(_rels\/[^/]+|[^/]+\.xml|(slides|notesSlides|diagrams)\/.*\.(xml|rels)))$/;
/** A text that is longer is none that merely repeats. */
const LONGEST_REPEATED = 200;

interface Slide {
  readonly title: string | null;
  readonly shapes: readonly Shape[];
  readonly notes: string;
}

/** The slides of a presentation that are not hidden, each as a heading with its texts, tables and notes. A slide is a page. */
export async function readPptx({ bytes, limits }: Source, output: Output): Promise<void> {
  const parts = await Parts.unpack(bytes, wanted, limits);
  const { part, tree } = parts.main();
  const all = [...named(tree, "sldId")].map((id) => parts.related(part, id));
  if (all.length > limits.pages)
    throw new DocumentFault(
      "too_many_pages",
      `It has ${all.length} slides, and at most ${limits.pages} are read. Split it.`,
    );
  output.progress(0, all.length, true);
  const slides = all.map((slide) => slideOf(parts, slide));
  const repeated = repeatedTexts(slides);
  output.title(parts.title() ?? slides.find((slide) => slide?.title)?.title);
  for (const [at, slide] of slides.entries()) {
    if (slide !== null) tellSlide(slide, at + 1, repeated, output);
    output.progress(at + 1, all.length, true);
  }
}

/** Null: it is hidden, or missing. */
function slideOf(parts: Parts, part: string | undefined): Slide | null {
  const tree = parts.tree(part);
  const root = tree && firstNamed(tree, "sld");
  if (part === undefined || root === undefined || /^(0|false)$/.test(root.attributes.show ?? "")) return null;
  const related = parts.relations(part);
  const shapes = [...shapesOf(root)].map((shape): Shape => {
    if (shape.kind !== "diagram") return shape;
    const diagram = parts.tree(related.get(shape.relation)?.part);
    return { kind: "list", text: diagram === undefined ? "" : diagramLines(diagram).join("\n") };
  });
  const notes = parts.tree([...related.values()].find(({ kind }) => kind === "notesSlide")?.part);
  const first = shapes.find(({ kind }) => kind === "title");
  return {
    title: first !== undefined && "text" in first ? first.text.replaceAll(/\s+/g, " ") : null,
    shapes: shapes.filter((shape) => shape !== first),
    notes: notes === undefined ? "" : notesOf(notes),
  };
}

const diagramLines = (diagram: XmlElement): string[] =>
  [...named(diagram, "pt")].flatMap((point) => linesOf(point).map((line) => `- ${line.trim()}`));

/** The notes themselves; beside them are a picture of the slide, its number and its date. */
const notesOf = (notes: XmlElement): string =>
  [...shapesOf(notes)].flatMap((shape) => ("text" in shape ? [shape.text] : [])).join("\n");

/** Texts that stand on more than half of at least three slides: names, notices and mottos around the content. */
function repeatedTexts(slides: readonly (Slide | null)[]): ReadonlySet<string> {
  const counts = new Map<string, number>();
  for (const slide of slides)
    for (const text of new Set(slide?.shapes.flatMap((shape) => ("text" in shape ? [shape.text] : [])) ?? []))
      counts.set(text, (counts.get(text) ?? 0) + 1);
  const isRepeated = ([text, count]: [string, number]): boolean =>
    count >= 3 && count > slides.length / 2 && text.length <= LONGEST_REPEATED;
  return new Set([...counts].filter(isRepeated).map(([text]) => text));
}

function tellSlide({ title, shapes, notes }: Slide, page: number, repeated: ReadonlySet<string>, output: Output): void {
  const own = shapes.filter((shape) => !("text" in shape && repeated.has(shape.text)));
  if (title === null && own.length === 0 && notes === "") return;
  output.block("heading", title ?? `Slide ${page}`, { level: 2, page });
  for (const shape of own) {
    if (shape.kind === "table") tellTable(output, shape.rows, page);
    else if ("text" in shape) output.block("text", shape.text, { page });
  }
  if (notes !== "") output.block("text", `Notes: ${notes}`, { page });
}
