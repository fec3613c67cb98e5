import { hash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { DocumentFault, parseDocument } from "@aos/documents";
import { type Fault, refuse } from "../../kernel/errors.ts";
import { overloaded } from "../../kernel/problems.ts";
import { uploadOf } from "../../kernel/uploads.ts";
import type { NewFile } from "./files-store.ts";
import type { AddFileBody } from "./schemas.ts";

/** Bytes of a file: 10 MiB. */
export const largestFile = 10 * 1024 * 1024;
/** Characters of a file's text that are kept for the agent. */
const longestText = 200_000;
const readingLimits = { bytes: largestFile, milliseconds: 15_000, heap: 256, memory: 600 };
/** Files that a process reads at a time. */
const mostAtATime = 4;
let reading = 0;

const read = new WeakMap<object, NewFile>();

/** The file of a call, once {@link fileFaults} found nothing wrong with it. */
export const fileOf = (body: object): NewFile => read.get(body) as NewFile;

/** Reads the file that came with a call, before its transaction begins. Returns what is wrong with it. */
export async function fileFaults(body: AddFileBody, signal: AbortSignal): Promise<Fault[]> {
  try {
    read.set(body, await fileIn(body, signal));
    return [];
  } catch (error) {
    if (!(error instanceof DocumentFault)) throw error;
    return [{ pointer: "/file", code: error.code, detail: error.detail }];
  }
}

async function fileIn(body: AddFileBody, signal: AbortSignal): Promise<NewFile> {
  const upload = uploadOf(body);
  if (!upload) {
    const content = Buffer.from(body.text);
    const sha256 = hash("sha256", content, "hex");
    return { name: body.name, media_type: "text/plain", sha256, content, text: sound(body.text) };
  }
  const { path, name, charset, media_type, sha256 } = upload;
  const mediaType = charset === null ? media_type : `${media_type}; charset=${charset}`;
  const text = await textIn({ path, mediaType, fileName: name }, signal);
  return { name: name?.slice(0, 200) ?? "file", media_type, sha256, content: await readFile(path), text };
}

/** What people would read in a file; null where it is of a kind without text, such as an image. */
export async function textIn(file: Parameters<typeof parseDocument>[0], signal: AbortSignal): Promise<string | null> {
  if (reading >= mostAtATime)
    throw refuse(overloaded, "Too many files are being read. Send it again in a moment.", {
      headers: { "Retry-After": "2" },
    });
  reading++;
  try {
    const { text, rows } = await parseDocument(file, { ...readingLimits, signal });
    const whole = rows === null ? text : await textOfRows(rows);
    return sound(whole.slice(0, longestText));
  } catch (error) {
    if (error instanceof DocumentFault && isWithoutText(error)) return null;
    throw error;
  } finally {
    reading--;
  }
}

const isWithoutText = ({ code }: DocumentFault): boolean => code === "unsupported_type" || code === "no_text";

async function textOfRows(rows: AsyncIterable<{ readonly fields: object }>): Promise<string> {
  let text = "";
  for await (const { fields } of rows) {
    text += `${JSON.stringify(fields)}\n`;
    if (text.length >= longestText) break;
  }
  return text;
}

/** What PostgreSQL takes as text. */
const sound = (text: string): string => text.replaceAll("\0", "\ufffd").toWellFormed();
