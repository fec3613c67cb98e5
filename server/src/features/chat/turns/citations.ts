import { membersOf } from "../../../kernel/stored-json.ts";
import type { CallRow } from "../../tasks/public.ts";
import type { Part } from "../schemas.ts";

type CitationPart = Extract<Part, { type: "citation" }>;
type Place = NonNullable<CitationPart["position"]>;

interface Chunk {
  readonly id: string;
  readonly base: string;
  readonly title: string;
  readonly text: string;
  readonly url?: string;
  /** `cit_`, the 26 characters of the document's id, and which of its passages. */
  readonly citation: string;
}
interface Search {
  readonly chunks: readonly Chunk[];
  readonly answered: boolean;
}
interface Cited {
  readonly chunk: Chunk;
  readonly position: Place | null;
}

const mostCited = 5;
const mostQuoted = 1_000;
/** Shorter matches may be coincidence (characters). */
const leastQuoted = 20;
const leastTitle = 4;
/** A reply that is no longer than this, and shares fewer words than that with a passage, says that it does not know. */
const refusal = { characters: 240, words: 3 } as const;

/**
 * Cites the passages that the reply quotes, links or names; if none, what answered the searches by the one judgement of searches, whatever model
 * wrote the reply: what is unsure is no source. A refusal has none.
 */
export function withCitations(parts: readonly Part[], calls: readonly CallRow[]): Part[] {
  if (parts.some(({ type }) => type === "citation")) return [...parts];
  const searches = calls.flatMap(({ state, output }) => (state === "finished" && output ? searchesIn(output) : []));
  const chunks = searches.flatMap((search) => search.chunks);
  const quoted = placed(parts, chunks, quoteIn);
  const cited = quoted.length > 0 ? quoted : named(parts, chunks);
  const all = cited.length > 0 ? cited : supporting(parts, searches);
  const once = [...new Map(all.toReversed().map((one) => [one.chunk.id, one])).values()].reverse().slice(0, mostCited);
  return [...parts, ...once.map(citation)];
}

function searchesIn(output: string): Search[] {
  const { chunks, answered, outcome } = membersOf(output);
  // Searches of earlier releases say only `answered`.
  const isAnswer = outcome === undefined ? answered !== false : outcome === "answered";
  return Array.isArray(chunks) ? [{ chunks: chunks as Chunk[], answered: isAnswer }] : [];
}

type FindIn = (text: string, chunk: Chunk) => readonly [number, number] | null;

function placed(parts: readonly Part[], chunks: readonly Chunk[], find: FindIn): Cited[] {
  return chunks.flatMap((chunk) => {
    for (const [part, one] of parts.entries()) {
      const range = one.type === "text" ? find(one.text, chunk) : null;
      if (range) return [{ chunk, position: { part, start: range[0], end: range[1] } }];
    }
    return [];
  });
}

/** From the first sentence of the passage that stands in the text to the last one that follows it. */
function quoteIn(text: string, { text: passage }: Chunk): readonly [number, number] | null {
  let range: [number, number] | null = null;
  for (const sentence of passage.split(/(?<=[.!?…。！？])\s+|\n+|(?<=[。！？])/)) {
    const at: number = sentence.length < leastQuoted ? -1 : text.indexOf(sentence, range?.[1] ?? 0);
    if (at >= 0) range = [range?.[0] ?? at, at + sentence.length];
  }
  return range;
}

/** One passage of each document whose address or title stands in the reply. */
function named(parts: readonly Part[], chunks: readonly Chunk[]): Cited[] {
  const found = placed(parts, chunks, (text, { url, title }) => {
    const name = [title, ...(url === undefined ? [] : [url])].find(
      (one) => one.length >= leastTitle && text.includes(one),
    );
    return name === undefined ? null : [text.indexOf(name), text.indexOf(name) + name.length];
  });
  const once = new Map(found.toReversed().map((one) => [one.chunk.citation.slice(0, 30), one]));
  return [...once.values()].reverse();
}

function supporting(parts: readonly Part[], searches: readonly Search[]): Cited[] {
  const answering = searches.flatMap(({ chunks, answered }) => (answered ? chunks : []));
  const reply = parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
  const own = wordsOf(reply);
  const shared = answering.map(({ text }) => [...wordsOf(text)].filter((word) => own.has(word)).length);
  if (reply.length <= refusal.characters && Math.max(0, ...shared) < refusal.words) return [];
  return answering.map((chunk) => ({ chunk, position: null }));
}

const segmenter = new Intl.Segmenter("und", { granularity: "word" });

/** Words that tell something: long ones, and those of scripts without spaces. */
function wordsOf(text: string): Set<string> {
  const words = [...segmenter.segment(text.slice(0, 20_000).toLowerCase())].flatMap(({ segment, isWordLike }) =>
    isWordLike ? [segment] : [],
  );
  return new Set(
    words.filter((word) => word.length >= 5 || (word.length >= 2 && /[^\p{Script=Latin}\p{N}]/u.test(word))),
  );
}

const citation = ({ chunk: { id, base, title, text, url, citation: citationId }, position }: Cited): CitationPart => ({
  type: "citation",
  citation_id: citationId,
  title,
  quote: text.slice(0, mostQuoted),
  position,
  base,
  document_id: `doc_${citationId.slice(4, 30)}`,
  chunk_id: id,
  url: url ?? null,
});
