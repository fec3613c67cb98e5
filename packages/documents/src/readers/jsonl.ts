import { ORDINARY_LIMITS, readStrictJson } from "@aos/strict-json";
import { DocumentFault } from "../fault.ts";
import { declaredCharset, decodedParts } from "./encoding.ts";
import type { Output, Source } from "./output.ts";
import { type Fields, idOf, RowIds } from "./row-ids.ts";

const OFTEN = 5000;

/** The objects of a JSONL file, one in each line. It is read twice, so that a broken file is refused before its first row. */
export function readJsonl(source: Source, output: Output): void {
  const ids = new RowIds(source.idColumn);
  let count = 0;
  for (const { fields, line } of rowsOf(source)) {
    count++;
    ids.add(fields, () => `Line ${line}`);
  }
  if (count === 0) throw new DocumentFault("no_text", "It has no rows. Each line has to be a JSON object.");
  output.rows(count);
  let done = 0;
  for (const { fields } of rowsOf(source)) {
    output.row({ external_id: idOf(fields, ids.column), fields });
    if (++done % OFTEN === 0) output.progress(done, count);
  }
}

function* rowsOf({ bytes, mediaType, limits }: Source): Generator<{ fields: Fields; line: number }> {
  let line = 0;
  for (const text of linesOf(decodedParts(bytes, declaredCharset(mediaType)), limits.row)) {
    line++;
    if (text.trim() !== "") yield { fields: objectOf(text, line), line };
  }
}

function* linesOf(parts: Iterable<string>, longest: number): Generator<string> {
  let rest = "";
  let line = 1;
  const tooLong = (): never => {
    throw new DocumentFault(
      "too_complex",
      `Line ${line} is longer than ${longest} characters. Shorten it, or put each object on a line of its own.`,
    );
  };
  for (const part of parts) {
    const lines = (rest + part).split("\n");
    rest = lines.pop() ?? "";
    for (const text of lines) {
      if (text.length > longest) tooLong();
      yield text;
      line++;
    }
    if (rest.length > longest) tooLong();
  }
  if (rest !== "") yield rest;
}

/** What one row may hold: as many members as a row of CSV has columns. */
const ROW_LIMITS = { ...ORDINARY_LIMITS, members: 10_000, values: 20_000 };

function objectOf(text: string, line: number): Fields {
  const read = readStrictJson(Buffer.from(text), ROW_LIMITS);
  if (!read.ok)
    throw new DocumentFault(
      "damaged",
      `Line ${line}, column ${read.fault.column}: ${read.fault.detail.replaceAll("body", "line")} Correct it, and send the file again.`,
    );
  if (typeof read.value !== "object" || read.value === null || Array.isArray(read.value))
    throw new DocumentFault(
      "damaged",
      `Line ${line} is no JSON object. Each line has to be one, such as {"id": "1", "name": "Amber"}.`,
    );
  return read.value as Fields;
}
