import { type Placed, placedStems, type StemOf } from "./stems.ts";
import { type Token, tokensOf } from "./tokens.ts";

// How a chunk is written into its `lexemes`, a tsvector: its words have weight D; those of headings stand there three times, with weight C in the last heading above the chunk (without one, the title), else B.

/** How often a word of a heading counts beside one of the text. */
export const headingWeight = 3;

export interface ChunkTexts {
  readonly title: string;
  readonly headings: readonly string[];
  readonly text: string;
}

export interface ChunkTokens {
  /** Title first; what is said twice, once. */
  readonly headings: readonly (readonly Token[])[];
  readonly text: readonly Token[];
}

export function chunkTokens({ title, headings, text }: ChunkTexts): ChunkTokens {
  const heads = [title, ...headings].filter((one, at, all) => one.trim() !== "" && all.indexOf(one) === at);
  return { headings: heads.map(tokensOf), text: tokensOf(text) };
}

/** The most that PostgreSQL keeps. */
const [mostPositions, lastPosition] = [256, 16_383] as const;
/** No phrase goes from a heading into the text. */
const gap = 8;

/** The text form of the chunk's tsvector, and its length: words of the text, and those of headings as often as they count. */
export function lexemesOf({ headings, text }: ChunkTokens, stemOf: StemOf): { lexemes: string; length: number } {
  const positions = new Map<string, { text: string; count: number }>();
  let length = 0;
  let end = 1;
  const add = (placed: readonly Placed[], weight: "B" | "C" | "", times: number) => {
    const start = end;
    for (const { stem, at } of placed) {
      let own = positions.get(stem);
      if (own === undefined) {
        own = { text: "", count: 0 };
        positions.set(stem, own);
      }
      for (let time = 0; time < times; time += 1) {
        const position = Math.min(lastPosition, start + at * times + time);
        if (own.count < mostPositions) own.text += `${own.count === 0 ? "" : ","}${position}${weight}`;
        own.count += 1;
        end = Math.max(end, position + 1);
      }
    }
    length += times * placed.length;
    end += gap;
  };
  for (const [index, tokens] of headings.entries())
    add(placedStems(tokens, stemOf), index === headings.length - 1 ? "C" : "B", headingWeight);
  add(placedStems(text, stemOf), "", 1);
  let lexemes = "";
  for (const [stem, { text: own }] of positions) lexemes += `${lexemes === "" ? "" : " "}${quotedLexeme(stem)}:${own}`;
  return { lexemes, length };
}

/** So that nothing in it is an operator. */
export const quotedLexeme = (term: string): string =>
  /['\\]/.test(term) ? `'${term.replaceAll("\\", "\\\\").replaceAll("'", "''")}'` : `'${term}'`;
