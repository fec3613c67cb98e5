import type { Fault } from "./fault.ts";

// Knowledge: what a search finds, in which order, and for whom.

const slice = "server/src/features/knowledge";
const store = [`${slice}/search/store.test.ts`];
const operation = [`${slice}/search/operations/search.test.ts`];
const ranking = [`${slice}/search/ranking.test.ts`];
const hybrid = [`${slice}/search/vectors/hybrid.test.ts`];

export const searchFaults: readonly Fault[] = [
  {
    name: "search-length-ignored",
    file: `${slice}/search/bm25.ts`,
    find: "b: 0.6,",
    replace: "b: 0,",
    tests: store,
  },
  {
    name: "search-rare-words-count-alike",
    file: `${slice}/search/bm25.ts`,
    find: "Math.log(1 + (Math.max(0, all - having) + 0.5) / (having + 0.5))",
    replace: "Math.min(1, all + having)",
    tests: store,
  },
  {
    name: "search-feedback-unused",
    file: `${slice}/search/bm25.ts`,
    find: "terms: 60, weight: 0.5,",
    replace: "terms: 60, weight: 0,",
    tests: ranking,
  },
  {
    name: "search-neighbours-unused",
    file: `${slice}/search/bm25.ts`,
    find: "neighbours: { count: 10, weight: 0.3 }",
    replace: "neighbours: { count: 10, weight: 0 }",
    tests: ranking,
  },
  {
    name: "search-phrase-unchecked",
    file: `${slice}/search/conditions.ts`,
    find: "parts.push(`c.lexemes @@ ",
    replace: "parts.push(`true or c.lexemes @@ ",
    tests: operation,
  },
  {
    name: "search-excluded-word-found",
    file: `${slice}/search/conditions.ts`,
    find: "parts.push(`not c.lexemes @@ ",
    replace: "parts.push(`true or c.lexemes @@ ",
    tests: operation,
  },
  {
    name: "search-hidden-document-found",
    file: `${slice}/search/conditions.ts`,
    find: 'visibleText(sight, ["d.readers", "b.readers"], bind)',
    replace: 'visibleText(sight, ["b.readers"], bind)',
    tests: operation,
  },
  {
    name: "search-hidden-base-known",
    file: `${slice}/search/store.ts`,
    find: 'visibleText(sight, ["b.readers"], bind)',
    replace: 'visibleText([], ["b.readers"], bind)',
    tests: [`${slice}/documents/hidden.test.ts`],
  },
  {
    name: "search-meaning-finds-hidden-document",
    file: `${slice}/search/store.ts`,
    find: "byMeaning.filter(({ place }) => allowed.has(place))",
    replace: "byMeaning.filter(({ place }) => allowed.has(place) || place >= 0)",
    tests: hybrid,
  },
  {
    name: "search-as-widens",
    file: `${slice}/search/operations/search.ts`,
    find: "sight: [readerTokens(ctx.principal), ...(as === undefined ? [] : [await tokensOf(ctx, as)])]",
    replace: "sight: [as === undefined ? readerTokens(ctx.principal) : await tokensOf(ctx, as)]",
    tests: operation,
  },
  {
    name: "search-as-ignored",
    file: `${slice}/search/operations/search.ts`,
    find: "[await tokensOf(ctx, as)]",
    replace: "[readerTokens(ctx.principal), ...(await tokensOf(ctx, as), [])]",
    tests: operation,
  },
  {
    name: "search-corrects-to-anything",
    file: `${slice}/search/typos.ts`,
    find: "distance <= slack",
    replace: "distance <= 9",
    tests: [`${slice}/search/typos.test.ts`],
  },
  {
    name: "search-corrects-short-words",
    file: `${slice}/search/typos.ts`,
    find: "const shortest = 5;",
    replace: "const shortest = 3;",
    tests: [`${slice}/search/typos.test.ts`],
  },
  {
    name: "search-highlights-off-by-one",
    file: `${slice}/search/found-store.ts`,
    find: "ranges.push({ start, end })",
    replace: "ranges.push({ start, end: end + 1 })",
    tests: store,
  },
  {
    name: "search-fused-ranks-alike",
    file: `${slice}/search/store.ts`,
    find: "({ place, rank: at + 1 })) }, { ranked: meant }",
    replace: "({ place, rank: at - at + 1 })) }, { ranked: meant }",
    tests: hybrid,
  },
  {
    name: "search-answers-anything",
    file: `${slice}/search/judgement.ts`,
    find: ">= answerability.listed",
    replace: ">= 0",
    tests: operation,
  },
  {
    name: "search-document-fills-first-ten",
    file: `${slice}/search/store.ts`,
    find: "times > mostOfDocument",
    replace: "times > mostOfDocument + 99",
    tests: store,
  },
  {
    name: "search-language-of-document-not-found",
    file: `${slice}/search/languages.ts`,
    find: "count >= enough",
    replace: "count >= enough + 9999",
    tests: store,
  },
  {
    name: "search-compound-not-split",
    file: `${slice}/search/compounds.ts`,
    find: "weight > 0",
    replace: "weight < 0",
    tests: store,
  },
  {
    name: "search-best-postings-taken-for-all",
    file: `${slice}/search/candidates.ts`,
    find: "found.length >= count || !scored.capped",
    replace: "found.length >= 0",
    tests: [`${slice}/search/common-terms.slow.test.ts`],
  },
  {
    name: "gap-shown-beyond-its-readers",
    file: `${slice}/questions/store.ts`,
    find: "const admitted = admits(",
    replace: 'const admitted = "true" || admits(',
    tests: [`${slice}/questions/operations/list-gaps.test.ts`],
  },
  {
    name: "gap-of-another-agent",
    file: `${slice}/questions/store.ts`,
    find: "principal.agents === null ? own",
    replace: "principal.agents !== undefined ? own",
    tests: [`${slice}/questions/operations/list-gaps.test.ts`],
  },
  {
    name: "gap-not-left-by-a-bad-rating",
    file: `${slice}/questions/store.ts`,
    find: "answered = $4 and outcome <> 'nothing'",
    replace: "answered = outcome <> 'nothing'",
    tests: ["server/src/features/chat/conversations/operations/rate-message.test.ts"],
  },
];
