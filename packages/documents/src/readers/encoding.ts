import { isUtf8 } from "node:buffer";
import { DocumentFault } from "../fault.ts";

/** How much is decoded at a time. */
const PART = 2 ** 20;

const marks: readonly (readonly [mark: readonly number[], charset: string])[] = [
  [[0xff, 0xfe, 0, 0], "utf-32le"],
  [[0, 0, 0xfe, 0xff], "utf-32be"],
  [[0xef, 0xbb, 0xbf], "utf-8"],
  [[0xff, 0xfe], "utf-16le"],
  [[0xfe, 0xff], "utf-16be"],
];

/** The charset that a byte order mark names. */
export const markedCharset = (bytes: Uint8Array): string | null =>
  marks.find(([mark]) => mark.every((byte, at) => bytes[at] === byte))?.[1] ?? null;

/** The charset of a media type: `text/csv; charset=windows-1252`. */
export const declaredCharset = (mediaType: string): string | null =>
  /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(mediaType)?.[1] ?? null;

/** The charset in the first bytes of an HTML page. */
export const htmlCharset = (bytes: Uint8Array): string | null =>
  /<meta[^>]{0,200}?charset\s*=\s*["']?([\w:-]+)/i.exec(Buffer.from(bytes.subarray(0, 1024)).toString("latin1"))?.[1] ??
  null;

/** The text of the bytes. Throws a fault where they are not what their charset allows. */
export function decoded(bytes: Uint8Array, charset: string | null): string {
  return [...decodedParts(bytes, charset)].join("");
}

/** The text of the bytes, a part at a time. */
export function* decodedParts(bytes: Uint8Array, declared: string | null): Generator<string> {
  const charset = markedCharset(bytes) ?? declared ?? "utf-8";
  const decoder = decoderOf(charset);
  for (let from = 0; from < bytes.length; from += PART) {
    const part = bytes.subarray(from, from + PART);
    const text = decodedPart(decoder, part, from + PART < bytes.length, { bytes, charset });
    if (text.includes("\0"))
      throw new DocumentFault(
        "bad_encoding",
        "It holds NUL characters, so it is no text, or UTF-16 without a byte order mark. Save it as UTF-8.",
      );
    yield text;
  }
}

function decoderOf(charset: string): TextDecoder {
  try {
    return new TextDecoder(charset, { fatal: true });
  } catch {
    throw new DocumentFault(
      "bad_encoding",
      `Its charset ${JSON.stringify(charset.slice(0, 40))} is not supported. Save it as UTF-8.`,
    );
  }
}

function decodedPart(
  decoder: TextDecoder,
  part: Uint8Array,
  stream: boolean,
  whole: { bytes: Uint8Array; charset: string },
): string {
  try {
    return decoder.decode(part, { stream });
  } catch {
    const place = decoder.encoding === "utf-8" ? ` in line ${brokenLine(whole.bytes)}` : "";
    throw new DocumentFault(
      "bad_encoding",
      `It is not valid ${decoder.encoding.toUpperCase()}${place}. Save it as UTF-8, or declare its charset in the media type.`,
    );
  }
}

/** The first line that is not UTF-8. A line feed is never part of a longer character. */
function brokenLine(bytes: Uint8Array): number {
  let line = 1;
  for (let from = 0; from < bytes.length; line++) {
    const found = bytes.indexOf(10, from);
    const to = found < 0 ? bytes.length : found;
    if (!isUtf8(bytes.subarray(from, to))) return line;
    from = to + 1;
  }
  return line;
}
