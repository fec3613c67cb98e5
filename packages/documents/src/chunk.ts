import { atoms, packed, type Range, trimmed } from "./cut.ts";
import type { Block, ParsedDocument } from "./document.ts";

/** A piece of a document, as it is searched and cited. */
export interface Piece {
  /** From 1, in the order of the text. */
  readonly number: number;
  /** The document's. */
  readonly title: string;
  /** A literal part of the document's text; where a table goes on from the piece before, after the header of the table. */
  readonly text: string;
  /** What most of it is. */
  readonly kind: "text" | "table" | "code";
  /** The titles above it, outermost first, its own heading included. */
  readonly headings: readonly string[];
  readonly first_page: number | null;
  readonly last_page: number | null;
  /** Where it stands in the document's text, in UTF-16 code units, without a repeated header. */
  readonly starts_at: number;
  readonly ends_at: number;
}

type Chunked = Pick<ParsedDocument, "title" | "text" | "blocks">;
interface Lengths {
  /** The longest piece, in UTF-16 code units: about two paragraphs. */
  readonly longest?: number;
}
export const CHUNK_LENGTH = 1200;
/** Pages that a piece reaches over at most: of a deck of slides a piece would otherwise be cited with twenty. */
const MOST_PAGES = 2;
/**
 * So many pieces of a document may be as short as they are. Behind them, one shorter than `shortest` code units goes on over headings, pages and the ends of tables: so
 * a document has at most `free` pieces and one for each 64 code units, whatever it is made of.
 */
const DENSITY = { free: 1000, shortest: 128 } as const;
/** Code units of a heading in the path of a piece. */
const HEADING_LENGTH = 300;

/** Cuts a document into {@link pieces}. */
export function chunkDocument(parsed: Chunked, lengths: Lengths = {}): Piece[] {
  return [...pieces(parsed, lengths)];
}

/**
 * The pieces of a document, one after another. They end where a block, a paragraph, a line, a sentence or a word does, and none reaches over a heading, or over more than
 * two pages; small neighbours under one heading are one piece. A table that is larger is cut between rows. See {@link DENSITY} for documents of very many short sections.
 */
export function* pieces({ title, text, blocks }: Chunked, { longest = CHUNK_LENGTH }: Lengths = {}): Generator<Piece> {
  let number = 0;
  let open = null as Open | null;
  const path: (string | undefined)[] = [];
  const closed = function* (): Generator<Piece> {
    const [start, end] = open === null ? [0, 0] : trimmed(text, open.range, open.first === "code");
    if (open !== null && end > start) yield pieceOf(text, open, [start, end], { number: ++number, title: title ?? "" });
    open = null;
  };
  const goesOn = (): boolean => open !== null && number >= DENSITY.free && lengthOf(open) < DENSITY.shortest;
  for (const block of blocks) {
    if (block.kind === "heading") {
      if (open !== null && !onlyHeadings(open) && !goesOn()) yield* closed();
      enter(path, block.level ?? 1, text.slice(block.start, block.end));
    }
    for (const part of partsOf(text, block, room(open, block, longest))) {
      const over = goesOn();
      if (!fits(open, part, block, { longest, over })) yield* closed();
      const headings = path.filter((one) => one !== undefined);
      const shared = over && open !== null ? sharedPath(open.headings, headings) : headings;
      open = joined(open, part, block);
      open.headings = shared;
    }
  }
  yield* closed();
}

/** What becomes a piece. */
interface Open {
  range: Range;
  headings: readonly string[];
  readonly first: Block["kind"];
  readonly header: string;
  /** Nothing is added to a part of a table. */
  readonly whole: boolean;
  readonly lengths: Record<Block["kind"], number>;
  pages: readonly [number, number] | null;
}

const lengthOf = ({ range }: Open): number => range[1] - range[0];

/** The titles that stand above both. */
function sharedPath(a: readonly string[], b: readonly string[]): readonly string[] {
  const apart = a.findIndex((title, at) => title !== b[at]);
  return apart < 0 ? a : a.slice(0, apart);
}

/** Whether a part may be added to what is open. `over`: also where a piece would end. */
function fits(
  open: Open | null,
  { range, header }: Part,
  { page }: Block,
  { longest, over }: { longest: number; over: boolean },
): boolean {
  if (open === null || range[1] - open.range[0] > longest) return false;
  if (over) return true;
  if (open.whole || header !== "") return false;
  return page === null || page - (open.pages?.[0] ?? page) < MOST_PAGES;
}

/** A part of a block, with the header of its table if that stands elsewhere. */
interface Part {
  readonly range: Range;
  readonly header: string;
  readonly whole: boolean;
}

function joined(open: Open | null, { range, header, whole }: Part, { kind, page }: Block): Open {
  const lengths = open?.lengths ?? { heading: 0, text: 0, table: 0, code: 0 };
  lengths[kind] += range[1] - range[0];
  const pages: Open["pages"] = page === null ? (open?.pages ?? null) : [open?.pages?.[0] ?? page, page];
  const start = open?.range[0] ?? range[0];
  const rest = { header: open?.header ?? header, whole: whole || (open?.whole ?? false), lengths, pages };
  return { range: [start, range[1]], headings: [], first: open?.first ?? kind, ...rest };
}

function pieceOf(text: string, open: Open, [start, end]: Range, names: Pick<Piece, "number" | "title">): Piece {
  const { header, headings, lengths, pages } = open;
  const kind = lengths.table > lengths.text + lengths.code ? "table" : lengths.code > lengths.text ? "code" : "text";
  return {
    ...names,
    text: header + text.slice(start, end),
    kind,
    headings,
    first_page: pages?.[0] ?? null,
    last_page: pages?.[1] ?? null,
    starts_at: start,
    ends_at: end,
  };
}

const onlyHeadings = ({ lengths }: Open): boolean => lengths.text + lengths.table + lengths.code === 0;

/** What a part may be long: less below a heading, so that the heading stays with what follows it. */
function room(open: Open | null, block: Block, longest: number): number {
  if (open === null || !onlyHeadings(open)) return longest;
  const rest = longest - (block.start - open.range[0]);
  return rest > longest / 2 ? rest : longest;
}

/** Makes a heading the last one of the path, and forgets those of its level and below. */
function enter(path: (string | undefined)[], level: number, heading: string): void {
  path.length = Math.max(0, level - 1);
  path[level - 1] = heading.replaceAll(/\s+/g, " ").trim().slice(0, HEADING_LENGTH).toWellFormed();
}

function* partsOf(text: string, block: Block, longest: number): Generator<Part> {
  const range: Range = [block.start, block.end];
  if (block.kind === "table" && block.end - block.start > longest) {
    yield* tableParts(text, range, longest);
    return;
  }
  for (const part of atoms(text, range, longest)) yield { range: part, header: "", whole: false };
}

/** The rows of a table that is too long, as many together as fit below its header. A row that does not fit by itself is cut like text. */
function* tableParts(text: string, [start, end]: Range, longest: number): Generator<Part> {
  const rule = text.indexOf("\n", text.indexOf("\n", start) + 1);
  const header = rule < 0 || rule >= end ? "" : text.slice(start, rule + 1);
  if (header === "" || header.length > longest / 2) {
    for (const range of packed(text, [start, end], longest)) yield { range, header: "", whole: true };
    return;
  }
  let open: Range = [start, rule];
  const part = (range: Range): Part => ({ range, header: range[0] === start ? "" : header, whole: true });
  for (let from = rule + 1; from < end; ) {
    const found = text.indexOf("\n", from);
    const to = found < 0 || found > end ? end : found;
    if (to - open[0] + (open[0] === start ? 0 : header.length) <= longest) open = [open[0], to];
    else {
      if (open[1] > open[0]) yield part(open);
      open = [from, to];
      if (to - from + header.length > longest) {
        for (const range of packed(text, open, longest)) yield { range, header: "", whole: true };
        open = [to, to];
      }
    }
    from = to + 1;
  }
  if (open[1] > open[0]) yield part(open);
}
