import type { QueryContext } from "../../../kernel/db.ts";
import { citationOf } from "../documents/citations.ts";
import { stemmer } from "./stems.ts";
import { type Token, tokensOf } from "./tokens.ts";

/** A part of a text, in UTF-16 code units. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

export interface FoundRow {
  /** `<document>#<number>`, as long as the document stays as it is. */
  readonly id: string;
  readonly citation: string;
  readonly base: string;
  readonly base_id: string;
  readonly document: string;
  readonly external_id: string | null;
  /** Where people can read the document; null: nowhere by a link. */
  readonly url: string | null;
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
  language: string;
}

/** `asked`: the stems that are highlighted. */
export async function readFound(
  { scope, db }: QueryContext,
  places: readonly number[],
  asked: ReadonlySet<string>,
): Promise<Map<number, FoundRow>> {
  if (places.length === 0) return new Map();
  const rows = await db.query<Stored>(
    `select c.place::float8 as place, c.document || '#' || c.number as id, b.name as base, b.id as base_id, c.document, d.external_id, case when d.url ~* '^https?://' then d.url end as url, c.title, c.headings,
       c.kind, c.first_page, c.last_page, c.text, c.data_classes, c.generation, c.version, c.number, c.revision,
       coalesce(c.language, b.language) as language
     from unnest($3::bigint[]) as f(place) join chunks c on c.place = f.place
     join documents d on d.organization = c.organization and d.environment = c.environment and d.id = c.document
     join knowledge_bases b on b.organization = c.organization and b.environment = c.environment and b.id = c.base
     where c.organization = $1 and c.environment = $2`,
    [scope.organization, scope.environment, places],
  );
  const ranges = new Map<number, Range[]>();
  for (const [language, own] of Map.groupBy(rows, (row) => row.language)) {
    const tokens = own.map(({ text }) => tokensOf(text));
    const stemOf = await stemmer({ db }, language, tokens.flat());
    for (const [at, { place }] of own.entries())
      ranges.set(place, rangesOf((tokens[at] as Token[]).filter((token) => asked.has(stemOf(token) ?? ""))));
  }
  return new Map(
    rows.map(({ place, generation, version, number, revision, language: _language, ...row }) => [
      place,
      {
        ...row,
        citation: citationOf({ document: row.document, generation, version, number, revision }),
        highlights: ranges.get(place) ?? [],
      },
    ]),
  );
}

/** The tokens' places, those that touch as one. */
function rangesOf(tokens: readonly Token[]): Range[] {
  const ranges: { start: number; end: number }[] = [];
  for (const { start, end } of tokens) {
    const last = ranges.at(-1);
    if (last && start < last.end) last.end = Math.max(last.end, end);
    else ranges.push({ start, end });
  }
  return ranges;
}
