import { Readable } from "node:stream";
import { CsvError, parse } from "csv-parse";
import { DocumentFault } from "../fault.ts";
import { declaredCharset, decodedParts } from "./encoding.ts";
import { type Output, readable, type Source } from "./output.ts";
import { type Fields, idOf, RowIds } from "./row-ids.ts";

const MOST_COLUMNS = 10_000;
/** Rows of a wider table get no empty fields for cells that they lack: a short row would become a record of thousands of fields. */
const MOST_FILLED = 100;
/** Rows between two reports of progress. */
const OFTEN = 5000;

/** The rows of a CSV file, whose first row names its columns. It is read twice, so that a broken file is refused before its first row, and never held as a whole. */
export async function readCsv(source: Source, output: Output): Promise<void> {
  const delimiter = delimiterOf(source);
  const ids = new RowIds(source.idColumn);
  let count = 0;
  for await (const fields of rowsOf(source, delimiter)) {
    count++;
    ids.add(fields, () => `Row ${count}`);
  }
  if (count === 0)
    throw new DocumentFault("no_text", "It has no rows below its header. The first row has to name the columns.");
  output.rows(count);
  let done = 0;
  for await (const fields of rowsOf(source, delimiter)) {
    output.row({ external_id: idOf(fields, ids.column), fields });
    if (++done % OFTEN === 0) output.progress(done, count);
  }
}

async function* rowsOf({ bytes, mediaType, limits, idColumn }: Source, delimiter: string): AsyncGenerator<Fields> {
  const parser = parse({
    delimiter,
    bom: true,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    max_record_size: limits.row,
  });
  const input = Readable.from(decodedParts(bytes, declaredCharset(mediaType)));
  input.on("error", (error) => parser.destroy(error));
  input.pipe(parser);
  let names: readonly string[] | null = null;
  try {
    for await (const cells of parser as AsyncIterable<string[]>) {
      if (names !== null) yield fieldsOf(names, cells);
      else {
        names = namesOf(cells);
        if (idColumn !== null && !names.includes(idColumn))
          throw new DocumentFault(
            "damaged",
            `It has no column ${JSON.stringify(idColumn)}, which was to name its rows. Its first columns are ${names.slice(0, 10).join(", ")}.`,
          );
      }
    }
  } catch (error) {
    throw error instanceof CsvError ? faultOf(error, limits.row) : error;
  } finally {
    input.destroy();
    parser.destroy();
  }
}

function fieldsOf(names: readonly string[], cells: readonly string[]): Fields {
  const fields: Fields = {};
  const width = names.length > MOST_FILLED ? cells.length : Math.max(cells.length, names.length);
  for (let at = 0; at < width; at++) fields[names[at] ?? `column_${at + 1}`] = readable(cells[at] ?? "");
  return fields;
}

/** The names of the columns, each once; a column without a name has its number. */
function namesOf(cells: readonly string[]): string[] {
  if (cells.length > MOST_COLUMNS)
    throw new DocumentFault(
      "too_complex",
      `It has ${cells.length} columns, and at most ${MOST_COLUMNS} are read. Check its delimiter, or split it.`,
    );
  const taken = new Set<string>();
  return cells.map((cell, at) => {
    const own = readable(cell).replaceAll(/\s+/g, " ").trim() || `column_${at + 1}`;
    let name = own === "__proto__" ? "proto" : own;
    for (let copy = 2; taken.has(name); copy++) name = `${own}_${copy}`;
    taken.add(name);
    return name;
  });
}

function faultOf({ code, lines, message }: CsvError & { lines?: number }, longest: number): DocumentFault {
  const place = lines === undefined ? "" : ` near line ${lines}`;
  if (code === "CSV_MAX_RECORD_SIZE")
    return new DocumentFault(
      "too_complex",
      `A row${place} is longer than ${longest} characters. Close the quotation mark that is open there, or shorten the row.`,
    );
  if (code === "CSV_QUOTE_NOT_CLOSED")
    return new DocumentFault("damaged", `A quotation mark${place} is not closed. Close it, and send the file again.`);
  return new DocumentFault(
    "damaged",
    `It is no valid CSV${place} (${message.slice(0, 200)}). Correct the line, and send it again.`,
  );
}

/** The character that parts the cells of the first lines: the one that most of them have equally often, outside quotation marks. */
function delimiterOf(source: Source): string {
  const start = decodedParts(source.bytes, declaredCharset(source.mediaType)).next().value ?? "";
  const lines = start
    .slice(0, 65_536)
    .replaceAll(/"[^"]*"/g, "")
    .split(/\r\n?|\n/)
    .filter((line: string) => line.trim() !== "")
    .slice(0, 20);
  const [header = ""] = lines;
  const scores = [",", ";", "\t", "|"].map((one) => {
    const count = header.split(one).length;
    return {
      one,
      score: count < 2 ? 0 : count + 1000 * lines.filter((line: string) => line.split(one).length === count).length,
    };
  });
  return scores.reduce((best, next) => (next.score > best.score ? next : best)).one;
}
