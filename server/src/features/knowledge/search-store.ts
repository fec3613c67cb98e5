import type { BaseHead, Looking } from "./store.ts";

/** A chunk that a search found. */
export interface FoundChunk {
  /** Names the chunk as long as its document stays as it is: `<document>#<number>`. */
  readonly id: string;
  /** The base's name. */
  readonly base: string;
  readonly document: string;
  /** The document's id in its own system; null: it has none. */
  readonly external_id: string | null;
  readonly title: string;
  readonly text: string;
  /** How well it answers the query, more than 0. Comparable within one search only. */
  readonly score: number;
}

/** Words of a query that are looked for at most, and characters of it that are read. */
const MOST = { terms: 32, characters: 4000 } as const;
/** Chunks that a search answers at most. */
export const MOST_CHUNKS = 50;

/**
 * The chunks of the bases, named by name, that answer a query best, best first; bases that do not exist hold none. Words are reduced to their stems by
 * each base's language, and any of them may occur. The score is Okapi BM25 with k1 = 1.5 and b = .75 (Robertson and Zaragoza, "The Probabilistic Relevance
 * Framework: BM25 and Beyond", 2009): rare words count more, repeated ones ever less, long chunks less; a word of the title counts twice. A chunk's
 * length is its number of different stems, and the mean is that of the chunks with any of the words.
 */
export async function searchChunks(
  ctx: Looking,
  bases: readonly string[],
  query: string,
  limit: number,
): Promise<FoundChunk[]> {
  const languages = await termsByLanguage(ctx, bases, query);
  const found = await Promise.all(languages.map((one) => searchLanguage(ctx, one, Math.min(limit, MOST_CHUNKS))));
  return found
    .flat()
    .sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1))
    .slice(0, limit);
}

/** Bases of one language, and the query's stems in it. */
interface Language {
  bases: string[];
  terms: string[];
}

async function termsByLanguage({ scope, db }: Looking, bases: readonly string[], query: string): Promise<Language[]> {
  const rows = await db.query<Language>(
    `select array_agg(b.id) as bases, (
       select array_agg(t.lexeme order by t.first) from (
         select positions[1] as first, lexeme from unnest(to_tsvector(b.language::regconfig, $4)) order by positions[1] limit ${MOST.terms}
       ) t
     ) as terms
     from knowledge_bases b where b.organization = $1 and b.environment = $2 and b.name = any($3::text[]) group by b.language`,
    [scope.organization, scope.environment, bases, query.slice(0, MOST.characters)],
  );
  return rows.filter(({ terms }) => terms !== null);
}

function searchLanguage({ scope, db }: Looking, { bases, terms }: Language, limit: number): Promise<FoundChunk[]> {
  return db.query<FoundChunk>(
    `with matched as materialized (
       select base, document, number, lexemes, length(lexemes) as size from chunks
       where organization = $1 and environment = $2 and base = any($3::text[]) and lexemes @@ $4::tsquery
     ),
     hits as materialized (
       select m.base, m.document, m.number, m.size, w.lexeme, cardinality(w.positions) + cardinality(array_positions(w.weights, 'A')) as often
       from matched m, unnest(m.lexemes) w where w.lexeme = any($5::text[])
     ),
     mean as (select avg(size)::float8 as size from matched),
     kept as (select count(*)::float8 as n from chunks where organization = $1 and environment = $2 and base = any($3::text[])),
     rarity as (select lexeme, ln(1 + (n - count(*) + .5) / (count(*) + .5)) as idf from hits, kept group by lexeme, n),
     best as (
       select h.base, h.document, h.number, sum(r.idf * 2.5 * h.often / (h.often + 1.5 * (.25 + .75 * h.size / mean.size))) as score
       from hits h join rarity r using (lexeme), mean
       group by h.base, h.document, h.number order by score desc, h.document, h.number limit $6
     )
     select p.document || '#' || p.number as id, b.name as base, p.document, d.external_id, p.title, p.text, best.score
     from best
     join chunks p on p.organization = $1 and p.environment = $2 and p.base = best.base and p.document = best.document and p.number = best.number
     join documents d on d.organization = $1 and d.environment = $2 and d.id = best.document
     join knowledge_bases b on b.organization = $1 and b.environment = $2 and b.id = best.base
     order by best.score desc, p.document, p.number`,
    [scope.organization, scope.environment, bases, terms.map(quoted).join(" | "), terms, limit],
  );
}

/** A stem as an operand of a tsquery, so that nothing in it is an operator. */
const quoted = (term: string): string => `'${term.replaceAll("\\", "\\\\").replaceAll("'", "''")}'`;

/** A piece of a document, before it is stored. */
export interface NewChunk {
  readonly document: string;
  readonly number: number;
  readonly title: string;
  readonly text: string;
}

/** Puts these in the place of all chunks of the documents named. */
export async function replaceChunks(
  { scope, db }: Looking,
  base: Pick<BaseHead, "id" | "language">,
  documents: readonly string[],
  chunks: readonly NewChunk[],
): Promise<void> {
  const { organization, environment } = scope;
  if (documents.length > 0) {
    await db.query(
      "delete from chunks where organization = $1 and environment = $2 and base = $3 and document = any($4::text[])",
      [organization, environment, base.id, documents],
    );
  }
  if (chunks.length === 0) return;
  await db.query(
    `insert into chunks (organization, environment, base, document, number, title, text, lexemes)
     select $1, $2, $3, document, number, title, text, setweight(to_tsvector($4::text::regconfig, title), 'A') || to_tsvector($4::text::regconfig, text)
     from unnest($5::text[], $6::int[], $7::text[], $8::text[]) as p(document, number, title, text)`,
    [
      organization,
      environment,
      base.id,
      base.language,
      chunks.map((one) => one.document),
      chunks.map((one) => one.number),
      chunks.map((one) => one.title),
      chunks.map((one) => one.text),
    ],
  );
}
