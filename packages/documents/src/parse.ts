import { createReadStream } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { Readable } from "node:stream";
import { Collector } from "./collect.ts";
import type { ParsedDocument, Row } from "./document.ts";
import { DocumentFault } from "./fault.ts";
import { LIMITS, type Limits } from "./limits.ts";
import { crashed, LimitedProcess } from "./process/limited-process.ts";
import type { Asked, Message } from "./process/messages.ts";
import { formatOf } from "./readers/detect.ts";
import type { Told } from "./readers/output.ts";
import { read } from "./readers/read.ts";

/** A file: its bytes, or where they lie. */
export type DocumentFile = ({ readonly path: string } | { readonly bytes: Uint8Array }) & {
  /** As it was declared, with its charset if that was; the contents count more. */
  readonly mediaType?: string | null;
  readonly fileName?: string | null;
};

export interface ParseOptions extends Partial<Limits> {
  /** Of a CSV or JSONL file: the column or member with the external id. */
  readonly idColumn?: string | null;
  /** Ends the reading; the promise is rejected with the signal's reason. */
  readonly signal?: AbortSignal;
  /** Is called now and then, with pages or rows. */
  readonly onProgress?: (done: number, all: number) => void;
}

/** Bytes of a text that is read in this process. */
const SMALL = 2 ** 20;
/** Milliseconds after which rows that nobody reads are given up. */
const PATIENCE = 10 * 60_000;
/** A line of a process, in characters: a row in which each is escaped. */
const LONGEST_LINE = 8;

/**
 * Reads a file in a process of its own. Throws a `DocumentFault` where that is not possible: whatever the file is, this process is not harmed, and nothing
 * is left of the other one. A small text needs no process. The document of a CSV or JSONL file has rows, which are read while they are asked for.
 */
export async function parseDocument(file: DocumentFile, options: ParseOptions = {}): Promise<ParsedDocument> {
  const { signal, onProgress = () => undefined, idColumn = null, ...own } = options;
  const limits: Limits = { ...LIMITS, ...own };
  signal?.throwIfAborted();
  const length = "path" in file ? (await stat(file.path)).size : file.bytes.length;
  if (length === 0) throw new DocumentFault("empty", "It is empty. Send a file with contents.");
  if (length > limits.bytes)
    throw new DocumentFault("too_large", `It has ${length} bytes, and at most ${limits.bytes} are read. Split it.`);
  const asked = { length, mediaType: file.mediaType ?? "", fileName: file.fileName ?? "", idColumn, limits };
  const plain = length > SMALL ? null : await plainText(file, asked);
  if (plain !== null) return plain;
  const told = toldBy(file, asked, signal);
  const collector = new Collector(limits);
  for (let next = await told.next(); !next.done; next = await told.next()) {
    if ("rows" in next.value) return collector.document(rowsIn(told, onProgress));
    const { value } = next;
    await orStop(told, () => {
      if ("done" in value) onProgress(value.done, value.all);
      collector.take(value);
    });
  }
  return collector.document(null);
}

/** A small text, which needs no parser and therefore no process; null for any other file. */
async function plainText(file: DocumentFile, asked: Asked): Promise<ParsedDocument | null> {
  const source = { ...asked, bytes: "path" in file ? await readFile(file.path) : file.bytes };
  if (formatOf(source) !== "text") return null;
  const collector = new Collector(asked.limits);
  await read(source, (told) => collector.take(told));
  return collector.document(null);
}

async function orStop(told: AsyncGenerator<Told>, take: () => void): Promise<void> {
  try {
    take();
  } catch (error) {
    await told.return(undefined);
    throw error;
  }
}

/** The rows that a process goes on to tell. */
function rowsIn(
  told: AsyncGenerator<Told>,
  onProgress: (done: number, all: number) => void,
): AsyncIterableIterator<Row> {
  return {
    [Symbol.asyncIterator]() {
      return this;
    },
    async next() {
      for (;;) {
        const { done, value } = await told.next();
        if (done) return { done, value: undefined };
        if ("row" in value) return { done: false, value: value.row };
        if ("done" in value) await orStop(told, () => onProgress(value.done, value.all));
      }
    },
    async return() {
      await told.return(undefined);
      return { done: true, value: undefined };
    },
  };
}

/** What a process tells of a file, until it is done. Ends it in any case. */
async function* toldBy(file: DocumentFile, asked: Asked, signal: AbortSignal | undefined): AsyncGenerator<Told> {
  const reading = await LimitedProcess.start(asked.limits);
  const stop = (): void => reading.kill(signal?.reason);
  signal?.addEventListener("abort", stop);
  const unread = setTimeout(
    () => reading.kill(new Error("nobody read the rows of a document for ten minutes")),
    PATIENCE,
  ).unref();
  try {
    signal?.throwIfAborted();
    send(file, asked, reading);
    for await (const message of messagesOf(reading, LONGEST_LINE * asked.limits.row)) {
      if ("end" in message) return;
      if ("fault" in message) throw new DocumentFault(message.fault.code, message.fault.detail);
      unread.refresh();
      yield message;
    }
    await reading.ended();
  } finally {
    clearTimeout(unread);
    signal?.removeEventListener("abort", stop);
    await reading.gone();
  }
}

/** Hands the file over while its first messages are awaited. */
function send(file: DocumentFile, asked: Asked, reading: LimitedProcess): void {
  reading.stdin.write(`${JSON.stringify(asked)}\n`);
  const bytes: Readable = "path" in file ? createReadStream(file.path) : Readable.from(partsOf(file.bytes));
  bytes.on("error", (error) => reading.kill(error));
  bytes.pipe(reading.stdin);
}

function* partsOf(bytes: Uint8Array): Generator<Uint8Array> {
  for (let from = 0; from < bytes.length; from += 2 ** 18) yield bytes.subarray(from, from + 2 ** 18);
}

async function* messagesOf(reading: LimitedProcess, longest: number): AsyncGenerator<Message> {
  const output = reading.output;
  const decoder = new TextDecoder();
  let rest = "";
  for (let next = await reading.work(() => output.next()); !next.done; next = await reading.work(() => output.next())) {
    rest += decoder.decode(next.value, { stream: true });
    if (rest.length > longest) throw crashed();
    const end = rest.lastIndexOf("\n");
    if (end < 0) continue;
    const lines = rest.slice(0, end).split("\n");
    rest = rest.slice(end + 1);
    for (const line of lines) yield messageOf(line);
  }
}

function messageOf(line: string): Message {
  try {
    return JSON.parse(line) as Message;
  } catch {
    throw crashed();
  }
}
