import { longBuckets, type Meter } from "../../../kernel/metrics.ts";
import type { Pending } from "./rules.ts";

export type IngestOutcome = "indexed" | "unchanged" | "given_back" | "lost" | (string & {});
/** Counts a document whose reading began at this time of `performance.now()`. */
export type NoteIngest = (pending: Pending, outcome: IngestOutcome, began: number) => void;

export function createIngestMetrics(meter: Meter): NoteIngest {
  const documents = meter.counter({
    name: "aos_ingested_documents_total",
    labels: ["outcome", "format"],
    help: "Documents that were parsed and indexed, by what came of it.",
  });
  const durations = meter.histogram({
    name: "aos_ingest_seconds",
    labels: ["outcome", "format"],
    buckets: longBuckets,
    help: "Parsing and indexing of documents, from their claim to their end.",
  });
  const bytes = meter.counter({
    name: "aos_ingested_bytes_total",
    labels: ["format"],
    help: "Bytes of documents that were indexed.",
  });
  return (pending, outcome, began) => {
    const format = formatOf(pending);
    documents.add([outcome, format]);
    durations.observe([outcome, format], (performance.now() - began) / 1000);
    if (outcome === "indexed") bytes.add([format], pending.size ?? 0);
  };
}

const formats = [
  ["pdf", /\bpdf\b|\.pdf$/],
  ["docx", /wordprocessingml|\.docx$/],
  ["xlsx", /spreadsheetml|\.xlsx$/],
  ["pptx", /presentationml|\.pptx$/],
  ["epub", /\bepub\b|\.epub$/],
  ["html", /html\b|\.x?html?$/],
  ["markdown", /markdown|\bmdx\b|\.(mdx?|markdown|mdown)$/],
  ["csv", /\bcsv\b|tab-separated|\.(csv|tsv|tab)$/],
  ["jsonl", /json-?l|ndjson|\.(jsonl|ndjson)$/],
  ["text", /^text\/|\.(txt|text|log)$/],
] as const;

/** As declared: a caller's own text is no label. */
function formatOf({ media_type, file_name }: Pick<Pending, "media_type" | "file_name">): string {
  const declared = (media_type ?? "").split(";")[0]?.trim().toLowerCase() ?? "";
  const known = (of: string) => formats.find(([, pattern]) => pattern.test(of))?.[0];
  if (declared === "" && file_name === null) return "text";
  return (
    (declared === "text/plain" ? undefined : known(declared)) ??
    known((file_name ?? "").toLowerCase()) ??
    known(declared) ??
    "other"
  );
}
