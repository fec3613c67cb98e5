import type { Fault } from "./fault.ts";

// Knowledge: what a search finds, in which order, and for whom.

const slice = "server/src/features/knowledge";
const store = [`${slice}/search-store.test.ts`];
const operation = [`${slice}/operations/search.test.ts`];
const ranking = [`${slice}/search/ranking.test.ts`];
const hybrid = [`${slice}/vectors/hybrid.test.ts`];

export const searchFaults: readonly Fault[] = [
  {
    name: "search-length-ignored",
    file: `${slice}/search/ranking.ts`,
    find: "b: 0.75,",
    replace: "b: 0,",
    tests: store,
  },
  {
    name: "search-rare-words-count-alike",
    file: `${slice}/search/ranking.ts`,
    find: "Math.log(1 + (Math.max(0, all - having) + 0.5) / (having + 0.5))",
    replace: "Math.min(1, all + having)",
    tests: store,
  },
  {
    name: "search-feedback-unused",
    file: `${slice}/search/ranking.ts`,
    find: "terms: 60, weight: 0.5,",
    replace: "terms: 60, weight: 0,",
    tests: ranking,
  },
  {
    name: "search-neighbours-unused",
    file: `${slice}/search/ranking.ts`,
    find: "neighbours: { count: 10, weight: 0.6 }",
    replace: "neighbours: { count: 10, weight: 0 }",
    tests: ranking,
  },
  {
    name: "search-phrase-unchecked",
    file: `${slice}/search/conditions.ts`,
    find: "= 0 or c.lexemes @@ ",
    replace: ">= 0 or c.lexemes @@ ",
    tests: operation,
  },
  {
    name: "search-excluded-word-found",
    file: `${slice}/search/conditions.ts`,
    find: "`not c.lexemes @@ plainto_tsquery(",
    replace: "`true or c.lexemes @@ plainto_tsquery(",
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
    file: `${slice}/search-store.ts`,
    find: 'visibleText(sight, ["b.readers"], bind)',
    replace: 'visibleText([], ["b.readers"], bind)',
    tests: [`${slice}/hidden.test.ts`],
  },
  {
    name: "search-meaning-finds-hidden-document",
    file: `${slice}/search-store.ts`,
    find: "byMeaning.filter(({ place }) => allowed.has(place))",
    replace: "byMeaning.filter(({ place }) => allowed.has(place) || place >= 0)",
    tests: hybrid,
  },
  {
    name: "search-as-widens",
    file: `${slice}/operations/search.ts`,
    find: "sight: [readerTokens(ctx.principal), ...(as === undefined ? [] : [await tokensOf(ctx, as)])]",
    replace: "sight: [as === undefined ? readerTokens(ctx.principal) : await tokensOf(ctx, as)]",
    tests: operation,
  },
  {
    name: "search-as-ignored",
    file: `${slice}/operations/search.ts`,
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
    find: "end: end - removed - open.length",
    replace: "end: end - removed - open.length + 1",
    tests: store,
  },
  {
    name: "search-fused-ranks-alike",
    file: `${slice}/search-store.ts`,
    find: "({ place, rank: at + 1 })) }, { ranked: meant }",
    replace: "({ place, rank: at - at + 1 })) }, { ranked: meant }",
    tests: hybrid,
  },
  {
    name: "search-answers-anything",
    file: `${slice}/search-store.ts`,
    find: "leastCoverage = 0.45",
    replace: "leastCoverage = 0.05",
    tests: operation,
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
    file: `${slice}/questions/question-readers.ts`,
    find: "const admitted = admits(",
    replace: 'const admitted = "true" || admits(',
    tests: [`${slice}/questions/operations/list-gaps.test.ts`],
  },
  {
    name: "gap-of-another-agent",
    file: `${slice}/questions/question-readers.ts`,
    find: "principal.agents === null ? own",
    replace: "principal.agents !== undefined ? own",
    tests: [`${slice}/questions/operations/list-gaps.test.ts`],
  },
];
