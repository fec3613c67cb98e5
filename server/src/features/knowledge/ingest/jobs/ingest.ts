import path from "node:path";
import { DocumentFault, type ParsedDocument, parseDocument, plainDocument } from "@aos/documents";
import { addressIn } from "../../../../jobs/payload.ts";
import { wake } from "../../../../jobs/queue.ts";
import { Refusal } from "../../../../kernel/errors.ts";
import type { JobHandler, Sweep } from "../../../../kernel/machines.ts";
import { conflict, notFound } from "../../../../kernel/problems.ts";
import { whyGivenUp } from "../../../../kernel/service-faults.ts";
import type { DownloadPort } from "../../ports.ts";
import { fetchFile, inFolder, removeUnownedFile, storeFile } from "../files.ts";
import type { NoteIngest } from "../metrics.ts";
import { failIngest, finishIngest, type ReadContents } from "../operations/finish-ingest.ts";
import { cutDocument, soundText } from "../pieces.ts";
import { type IngestParts, Lost, Progress, type Working } from "../progress.ts";
import { takeRows } from "../rows.ts";
import { type IngestFault, ingestJob, largestFile, mostAttempts, type Pending, titleOfFile } from "../rules.ts";
import { type Claimed, claimDocument, giveBack, listWaiting, notePending, requeueLapsed } from "../store.ts";

/** Per process: tasks need the queue's places. */
const mostAtATime = 2;
/** Milliseconds. */
const fetchMs = 120_000;

/** Retrying does not help. */
class Unreadable extends Error {
  readonly fault: IngestFault;
  constructor(fault: IngestFault) {
    super(fault.detail);
    this.fault = fault;
  }
}

/**
 * Claims a document, parses it in a limited process, cuts and indexes it. A job is only a wake-up: a busy process
 * ignores it, and wakes the next when one is done.
 */
export function createIngestJob(
  parts: IngestParts,
  port: DownloadPort,
  note: NoteIngest = () => undefined,
): JobHandler {
  let running = 0;
  return async (payload) => {
    const address = addressIn(payload, "document");
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
  const report = (share: number) => progress.report("indexing", 0.4 + 0.5 * share);
  const cut = await cutDocument(parsed, { title: title || (row.external_id ?? ""), fields, longest }, report);
  progress.assertHeld();
  const text = source.kind === "text" ? row.text : parsed.rows ? null : parsed.text;
  return { pending, contents: { title, text, fields, pages: parsed.pages, ...cut, rows } };
}

async function* noRows(): AsyncGenerator<never> {}

/** The given title, else that of the contents, else the file's name. */
function titleFor(row: Claimed, { what, title, file_name }: Pending, parsed: ParsedDocument): string {
  if (what === "chunks") return row.title;
  return (title ?? parsed.title ?? titleOfFile(file_name)).slice(0, 500).toWellFormed();
}

type Found = { readonly kind: "file" | "text" | "unchanged"; readonly pending: Pending };

async function sourceOf(work: Working): Promise<Found> {
  const { db, row, folder } = work;
  const { pending } = row;
  if (pending.file_digest === null && pending.url !== null) return download(work, pending.url);
  if (pending.file_digest === null) return { kind: "text", pending };
  const { id: document } = row;
  await fetchFile({ scope: row, db }, { document, version: pending.version }, folder);
  return { kind: "file", pending };
}

/** Keeps the bytes for a later reindex. */
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

const most = 100;

export const ingestSweep: Sweep = {
  name: "knowledge.ingest",
  async run({ db, inside }) {
    const lapsed = await requeueLapsed(db, most);
    await wake(
      db,
      lapsed.filter(({ gives_up }) => !gives_up).map(({ id, ...scope }) => ingestJob(scope, id)),
    );
    for (const { id, attempt, gives_up, lost, faults, fault: last, ...scope } of lapsed) {
      const detail = gives_up ? whyGivenUp({ lost, faults, fault: last }, mostAttempts) : undefined;
      if (detail === undefined) continue;
      const fault = { code: "gave_up", detail };
      await inside(failIngest, scope, { document: id, attempt, fault }).catch((error: unknown) => {
        if (!(error instanceof Refusal)) throw error; // somebody else was faster
      });
    }
  },
};
