import path from "node:path";
import { wake } from "../../../jobs/queue.ts";
import { Refusal } from "../../../kernel/errors.ts";
import type { JobHandler } from "../../../kernel/machines.ts";
import { conflict, notFound } from "../../../kernel/problems.ts";
import { failIngest } from "../operations/fail-ingest.ts";
import { finishIngest, type ReadContents } from "../operations/finish-ingest.ts";
import type { DownloadPort } from "../ports.ts";
import { fetchFile, inFolder, removeUnownedFile, storeFile } from "./files.ts";
import type { NoteIngest } from "./metrics.ts";
import { type IngestFault, ingestJob, largestFile, type Pending, titleOfFile } from "./model.ts";
import { DocumentFault, type ParsedDocument, parseDocument, plainDocument } from "./parsing.ts";
import { cutDocument } from "./pieces.ts";
import { Lost, Progress } from "./progress.ts";
import { takeRows } from "./rows.ts";
import { soundText } from "./sound.ts";
import { addressOf, type Claimed, claimDocument, giveBack, listWaiting, notePending } from "./store.ts";
import type { IngestParts, Working } from "./working.ts";

/** Documents that a process works on at a time, whatever the queue holds: tasks need its places. */
const mostAtATime = 2;
/** How long an address may take to answer whole (milliseconds). */
const fetchMs = 120_000;

/** Contents that cannot be read, however often they are tried. */
class Unreadable extends Error {
  readonly fault: IngestFault;
  constructor(fault: IngestFault) {
    super(fault.detail);
    this.fault = fault;
  }
}

/**
 * Claims a document, parses its contents in a limited process, cuts and indexes them. A job is only a wake-up: where the process has enough to do it does
 * nothing, and the next document is woken for when one is done.
 */
export function createIngestJob(
  parts: IngestParts,
  port: DownloadPort,
  note: NoteIngest = () => undefined,
): JobHandler {
  let running = 0;
  return async (payload) => {
    const address = addressOf(payload, "document");
    if (!address || running >= mostAtATime) return;
    running++;
    try {
      const row = (await claimDocument(parts.db, address)) ?? (await claimDocument(parts.db, null));
      if (row) await ingest(parts, port, row, note);
      else return;
    } finally {
      running--;
    }
    const next = await listWaiting(parts.db, mostAtATime);
    await wake(
      parts.db,
      next.map(({ id, ...scope }) => ingestJob(scope, id)),
    );
  };
}

async function ingest(parts: IngestParts, port: DownloadPort, row: Claimed, note: NoteIngest): Promise<void> {
  const { db, inside } = parts;
  const began = performance.now();
  const progress = new Progress(db, row);
  try {
    const read = await inFolder((folder) => readContents({ ...parts, port, row, progress, folder }));
    progress.stop();
    await inside(finishIngest, row, { document: row.id, attempt: row.attempt, ...read });
    note(read.pending, read.contents ? "indexed" : "unchanged", began);
  } catch (error) {
    progress.stop();
    const fault = faultOf(error);
    const lost = error instanceof Lost || isOver(error);
    note(row.pending, lost ? "lost" : (fault?.code ?? "given_back"), began);
    if (lost) return;
    if (fault === null) {
      await giveBack(db, row, error).catch(() => undefined); // without it the lease lapses
      throw error;
    }
    await inside(failIngest, row, { document: row.id, attempt: row.attempt, fault }).catch((failure: unknown) => {
      if (!isOver(failure)) throw failure;
    });
  } finally {
    progress.stop();
  }
}

/** Somebody else has the document, or it is gone. */
const isOver = (error: unknown): boolean =>
  error instanceof Refusal && (error.type.code === conflict.code || error.type.code === notFound.code);

function faultOf(error: unknown): IngestFault | null {
  if (error instanceof Unreadable) return error.fault;
  if (error instanceof DocumentFault) return { code: error.code, detail: error.detail };
  return null;
}

interface Read {
  readonly pending: Pending;
  readonly contents: ReadContents | null;
}

async function readContents(work: Working): Promise<Read> {
  const { row, progress, folder } = work;
  await progress.report("parsing", 0);
  const source = await sourceOf(work);
  if (source.kind === "unchanged") return { pending: source.pending, contents: null };
  const { pending } = source;
  const { file_name: fileName, media_type: mediaType } = pending;
  const read =
    source.kind === "text"
      ? plainDocument(row.title, row.text ?? "")
      : await parseDocument(
          { path: path.join(folder, "contents"), mediaType, fileName },
          {
            signal: progress.signal,
            // A lost document ends it by the signal.
            onProgress: (done, all) =>
              void progress.report("parsing", (0.4 * done) / Math.max(all, 1)).catch(() => undefined),
          },
        );
  const parsed = { ...read, text: soundText(read.text), title: read.title && soundText(read.title) };
  await progress.report("indexing", 0.4);
  const taken = await takeRows(work, pending, parsed.rows ?? noRows()); // those that former contents had are removed
  const rows = parsed.rows && taken;
  const title = titleFor(row, pending, parsed);
  const { fields } = source.kind === "text" ? row : { fields: null };
  const longest = row.settings.chunk_length;
  const told = (share: number) => progress.report("indexing", 0.4 + 0.5 * share);
  const cut = await cutDocument(parsed, { title: title || (row.external_id ?? ""), fields, longest }, told);
  progress.assertHeld();
  const text = source.kind === "text" ? row.text : parsed.rows ? null : parsed.text;
  return { pending, contents: { title, text, fields, pages: parsed.pages, ...cut, rows } };
}

async function* noRows(): AsyncGenerator<never> {}

/** A title that was given holds, then the one that the contents have, then the file's name. */
function titleFor(row: Claimed, { what, title, file_name }: Pending, parsed: ParsedDocument): string {
  if (what === "chunks") return row.title;
  return (title ?? parsed.title ?? titleOfFile(file_name)).slice(0, 500).toWellFormed();
}

type Found = { readonly kind: "file" | "text" | "unchanged"; readonly pending: Pending };

/** Where the contents are: in a file of the folder, or in the row. */
async function sourceOf(work: Working): Promise<Found> {
  const { db, row, folder } = work;
  const { pending } = row;
  if (pending.file_digest === null && pending.url !== null) return download(work, pending.url);
  if (pending.file_digest === null) return { kind: "text", pending };
  const { id: document } = row;
  await fetchFile({ scope: row, db }, { document, version: pending.version }, folder);
  return { kind: "file", pending };
}

/** Fetches the address, and keeps the bytes, so that the document can be indexed again without it. */
async function download({ db, row, port, folder, progress }: Working, url: string): Promise<Found> {
  const file = path.join(folder, "contents");
  const limits = { bytes: largestFile, timeoutMs: fetchMs, signal: progress.signal };
  const got = await port.download(row.environment, url, file, limits);
  if ("fault" in got) throw new Unreadable(got.fault);
  progress.assertHeld();
  const { size, sha256: file_digest } = got;
  const { file_name = got.file_name, media_type = got.media_type } = withoutNulls(row.pending);
  const pending = { ...row.pending, size, file_digest, file_name, media_type };
  const key = { document: row.id, version: pending.version };
  if (row.served_digest === file_digest) return { kind: "unchanged", pending };
  await storeFile({ scope: row, db }, key, { path: file });
  if (await notePending(db, row, pending)) return { kind: "file", pending };
  await removeUnownedFile({ scope: row, db }, key);
  throw new Lost();
}

const withoutNulls = ({ file_name, media_type }: Pending) => ({
  ...(file_name === null ? {} : { file_name }),
  ...(media_type === null ? {} : { media_type }),
});
