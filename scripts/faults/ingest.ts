import type { Fault } from "./fault.ts";

// Knowledge: how contents take the place of others, and vectors.

const slice = "server/src/features/knowledge";
const job = [`${slice}/ingest/jobs/ingest.test.ts`];
const upload = [`${slice}/ingest/upload.test.ts`];
const embedding = [`${slice}/search/vectors/embedding.test.ts`];
const kept = [`${slice}/search/vectors/vector-store.test.ts`];

export const ingestFaults: readonly Fault[] = [
  {
    name: "ingest-former-contents-lost-early",
    file: `${slice}/ingest/ingest.ts`,
    find: "  await changeDetails(ctx, [{ ...contents, id }]);",
    replace: `  await changeDetails(ctx, [{ ...contents, id }]);\n  await ctx.db.query("delete from chunks where document = $1", [id]);`,
    tests: job,
  },
  {
    name: "ingest-same-bytes-again",
    file: `${slice}/ingest/ingest.ts`,
    find: "latest.file_digest === file_digest && !renamed",
    replace: "latest.file_digest === null && !renamed",
    tests: upload,
  },
  {
    name: "ingest-version-not-counted",
    file: `${slice}/ingest/ingest.ts`,
    find: "waiting.version : row.version + 1",
    replace: "waiting.version : row.version",
    tests: [`${slice}/documents/operations/replace-by-file.test.ts`],
  },
  {
    name: "ingest-size-unlimited",
    file: `${slice}/ingest/rules.ts`,
    find: "largestFile = 100 * 1024 * 1024",
    replace: "largestFile = 1000 * 1024 * 1024",
    tests: upload,
  },
  {
    name: "ingest-lost-attempt-writes",
    file: `${slice}/ingest/swap.ts`,
    find: `.where("attempt", "=", attempt)`,
    replace: `.where("attempt", ">=", attempt)`,
    tests: [`${slice}/ingest/attempts.test.ts`],
  },
  {
    name: "ingest-replacing-leaves-the-attempt",
    file: `${slice}/ingest/ingest.ts`,
    find: "attempt: row.attempt + 1, // whoever",
    replace: "attempt: row.attempt, // whoever",
    tests: job,
  },
  {
    name: "ingest-tries-for-ever",
    file: `${slice}/ingest/rules.ts`,
    find: "mostAttempts = 3",
    replace: "mostAttempts = 30",
    tests: job,
  },
  {
    name: "ingest-sweep-takes-what-is-held",
    file: `${slice}/ingest/store.ts`,
    find: "and lease_until <= now() order by",
    replace: "and lease_until <= now() + interval '1 hour' order by",
    tests: [`${slice}/ingest/attempts.test.ts`],
  },
  {
    name: "ingest-citations-lost",
    file: `${slice}/ingest/swap.ts`,
    find: "  await keepFormerChunks(ctx, base.id, [document]);\n",
    replace: "",
    tests: job,
  },
  {
    name: "ingest-corrections-lost",
    file: `${slice}/ingest/swap.ts`,
    find: "await keepChanges(ctx, base.indexes[0], chunks)",
    replace: "chunks",
    tests: [`${slice}/documents/corrections.test.ts`],
  },
  {
    name: "ingest-revision-not-counted",
    file: `${slice}/ingest/swap.ts`,
    find: "(row?.revision ?? 0) + 1",
    replace: "(row === undefined ? 0 : 1)",
    tests: [`${slice}/ingest/operations/reindex-document.test.ts`],
  },
  {
    name: "ingest-gone-rows-stay",
    file: `${slice}/ingest/rows.ts`,
    find: "!seen.has(keyOf(one))",
    replace: "seen.size < 0",
    tests: job,
  },
  {
    name: "ingest-last-rows-left-out",
    file: `${slice}/ingest/rows.ts`,
    find: "  await flush();\n  counts.removed",
    replace: "  counts.removed",
    tests: job,
  },
  {
    name: "vectors-of-a-former-text",
    file: `${slice}/search/vectors/vector-store.ts`,
    find: " and p.text = n.text",
    replace: "",
    tests: kept,
  },
  {
    name: "vectors-of-a-former-model",
    file: `${slice}/search/vectors/vector-store.ts`,
    find: "and embedding = $4::jsonb for share",
    replace: "and $4::jsonb is not null for share",
    tests: kept,
  },
  {
    name: "vectors-not-normalized",
    file: `${slice}/search/vectors/rules.ts`,
    find: "vector.map((x) => x / length)",
    replace: "vector.map((x) => x * (length / length))",
    tests: kept,
  },
  {
    name: "vectors-two-workers-at-a-base",
    file: `${slice}/search/vectors/vector-store.ts`,
    find: "and ($4 or e.lease_until is null",
    replace: "and ($4 or true or e.lease_until is null",
    tests: kept,
  },
  {
    name: "vectors-text-sent-as-it-is",
    file: `${slice}/search/vectors/query-vectors.ts`,
    find: `return outgoing([title, ...headings, text].filter((part) => part !== "").join("\\n"));`,
    replace: `return [title, ...headings, text].filter((part) => part !== "").join("\\n");`,
    tests: embedding,
  },
  {
    name: "vectors-question-sent-as-it-is",
    file: `${slice}/search/vectors/query-vectors.ts`,
    find: "embed([outgoing(query)]",
    replace: "embed([query]",
    tests: embedding,
  },
  {
    name: "vectors-of-other-generations",
    file: `${slice}/search/vectors/nearest.ts`,
    find: "(base, generation) in (select * from unnest($3::text[], $4::int[]))",
    replace: "base = any($3::text[]) and $4::int[] is not null",
    tests: [`${slice}/search/vectors/nearest.slow.test.ts`],
  },
  {
    name: "vectors-failure-not-told",
    file: `${slice}/search/vectors/jobs/embed.ts`,
    find: "      await pauseBase(parts.db, at, whyPaused(error));\n",
    replace: "      await releaseBase(parts.db, at);\n",
    tests: embedding,
  },
  {
    name: "vectors-question-asked-each-time",
    file: `${slice}/search/vectors/query-vectors.ts`,
    find: "found && found.until > now",
    replace: "found && found.until > now * 1e6",
    tests: embedding,
  },
];
