import { randomBytes } from "node:crypto";
import { citationOf } from "../citations.ts";
import type { Looking } from "../store.ts";

/** A part of a text, in UTF-16 code units. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** A found chunk as callers get it. */
export interface FoundRow {
  /** Names the chunk as long as its document stays as it is: `<document>#<number>`. */
  readonly id: string;
  readonly citation: string;
  /** The base's name, and its id. */
  readonly base: string;
  readonly base_id: string;
  readonly document: string;
  /** The document's id in its own system; null: it has none. */
  readonly external_id: string | null;
  readonly title: string;
  readonly headings: readonly string[];
  readonly kind: string;
  readonly first_page: number | null;
  readonly last_page: number | null;
  readonly text: string;
  readonly highlights: readonly Range[];
  readonly data_classes: readonly string[];
}

interface Stored extends Omit<FoundRow, "citation" | "highlights"> {
  place: number;
  generation: number;
  version: number;
  number: number;
  revision: number;
  marked: string;
}

/** Reads found chunks by place, with the words that were looked for marked. */
export async function readFound(
  { scope, db }: Looking,
  found: readonly { readonly place: number; readonly terms: readonly string[]; readonly language: string }[],
): Promise<Map<number, FoundRow>> {
  if (found.length === 0) return new Map();
  const mark = randomBytes(6).toString("hex"); // stands in no text
  const [open, close] = [`\u{2}${mark}`, `\u{3}${mark}`];
  const rows = await db.query<Stored>(
    `select c.place::float8 as place, c.document || '#' || c.number as id, b.name as base, b.id as base_id, c.document, d.external_id, c.title, c.headings,
       c.kind, c.first_page, c.last_page, c.text, c.data_classes, c.generation, c.version, c.number, c.revision,
       ts_headline(f.language::regconfig, c.text, f.query::tsquery, $6) as marked
     from unnest($3::bigint[], $4::text[], $5::text[]) as f(place, language, query) join chunks c on c.place = f.place
     join documents d on d.organization = c.organization and d.environment = c.environment and d.id = c.document
     join knowledge_bases b on b.organization = c.organization and b.environment = c.environment and b.id = c.base
     where c.organization = $1 and c.environment = $2`,
    [
      scope.organization,
      scope.environment,
      found.map(({ place }) => place),
      found.map(({ language }) => language),
      found.map(({ terms }) => terms.map(quoted).join(" | ")),
      `HighlightAll=true, StartSel=${open}, StopSel=${close}`,
    ],
  );
  return new Map(
    rows.map(({ place, marked, generation, version, number, revision, ...row }) => [
      place,
      {
        ...row,
        citation: citationOf({ document: row.document, generation, version, number, revision }),
        highlights: rangesOf(marked, open, close),
      },
    ]),
  );
}

/** A stem as an operand of a tsquery, so that nothing in it is an operator. */
const quoted = (term: string): string => `'${term.replaceAll("\\", "\\\\").replaceAll("'", "''")}'`;

function rangesOf(marked: string, open: string, close: string): Range[] {
  const ranges: Range[] = [];
  let removed = 0;
  for (let at = marked.indexOf(open); at >= 0; at = marked.indexOf(open, at + 1)) {
    const end = marked.indexOf(close, at);
    ranges.push({ start: at - removed, end: end - removed - open.length });
    removed += open.length + close.length;
  }
  return ranges;
}
