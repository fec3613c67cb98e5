import { hash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { DocumentFault, parseDocument } from "@aos/documents";
import { type Fault, refuse } from "../../../kernel/errors.ts";
import { overloaded } from "../../../kernel/problems.ts";
import { uploadOf } from "../../../kernel/uploads.ts";
import type { AddFileBody } from "../schemas.ts";
import { imageFaults, typeOfImage } from "./images.ts";
import type { NewFile } from "./store.ts";

/** Bytes of a file: 10 MiB. */
export const largestFile = 10 * 1024 * 1024;
const longestText = 200_000;
const readingLimits = { bytes: largestFile, milliseconds: 15_000, heap: 256, memory: 600 };
const mostAtATime = 4;
let reading = 0;

const read = new WeakMap<object, NewFile>();

/** Valid once {@link fileFaults} found none. */
export const fileOf = (body: object): NewFile => read.get(body) as NewFile;

/** Before the transaction begins. */
export async function fileFaults(body: AddFileBody, signal: AbortSignal): Promise<Fault[]> {
  const faults = contentFaults(body);
  if (faults.length > 0) return faults;
  try {
    read.set(body, await fileIn(body, signal));
    return [];
  } catch (error) {
    if (!(error instanceof DocumentFault)) throw error;
    return [{ pointer: "/file", code: error.code, detail: error.detail }];
  }
}

/** A body without a file of a form has either a text or an image. */
function contentFaults(body: AddFileBody): Fault[] {
  const { text, image } = body;
  if (uploadOf(body)) return [];
  if ((text === undefined) === (image === undefined)) {
    const detail = "takes either `text` or `image`; give one of them, or send the file as multipart/form-data";
    return [{ pointer: "", code: text === undefined ? "required" : "not_allowed", detail }];
  }
  return image === undefined ? [] : imageFaults(image);
}

async function fileIn(body: AddFileBody, signal: AbortSignal): Promise<NewFile> {
  const upload = uploadOf(body);
  if (!upload && body.image !== undefined) {
    const content = Buffer.from(body.image, "base64");
    const sha256 = hash("sha256", content, "hex");
    return { name: body.name, media_type: typeOfImage(content) ?? "", sha256, content, text: null };
  }
  if (!upload) {
    const { text = "" } = body;
    const content = Buffer.from(text);
    const sha256 = hash("sha256", content, "hex");
    return { name: body.name, media_type: "text/plain", sha256, content, text: sound(text) };
  }
  const { path, name, charset, media_type, sha256 } = upload;
  const mediaType = charset === null ? media_type : `${media_type}; charset=${charset}`;
  const text = await textIn({ path, mediaType, fileName: name }, signal);
  return { name: name?.slice(0, 200) ?? "file", media_type, sha256, content: await readFile(path), text };
}

/** Null: a kind without text, such as an image. */
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
