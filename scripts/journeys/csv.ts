/** A row by the names of its header. */
export type Row = Readonly<Record<string, string>>;

/**
 * Reads CSV (RFC 4180) with a header: fields apart by commas, in double quotes where they hold commas, quotes (doubled) or line ends; lines end in LF or CRLF; a byte
 * order mark is passed over. Throws an Error that names the line where a quote does not end or a row has another number of fields than the header.
 */
export function readCsv(text: string): Row[] {
  const lines = recordsOf(text.startsWith("\ufeff") ? text.slice(1) : text);
  const [header] = lines;
  if (!header) return [];
  return lines.slice(1).map(({ fields, line }) => {
    if (fields.length !== header.fields.length)
      throw new Error(`line ${line} has ${fields.length} fields; the header has ${header.fields.length}`);
    return Object.fromEntries(header.fields.map((name, at) => [name, fields[at] as string]));
  });
}

interface Line {
  readonly fields: string[];
  /** Where it begins, from 1. */
  readonly line: number;
}

/** A quoted field with what is doubled in it, or one without quotes; then what ends it. */
const FIELD = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/y;

function recordsOf(text: string): Line[] {
  const lines: Line[] = [];
  let line = 1;
  let open: Line = { fields: [], line };
  FIELD.lastIndex = 0;
  while (FIELD.lastIndex < text.length) {
    const match = FIELD.exec(text);
    if (!match) throw new Error(`line ${line} has a quote that does not end, or text beside a quoted field`);
    const [whole, quoted, plain, end] = match;
    open.fields.push(quoted?.replaceAll('""', '"') ?? (plain as string));
    line += whole.split("\n").length - 1;
    if (end === ",") {
      if (FIELD.lastIndex === text.length) open.fields.push("");
      continue;
    }
    lines.push(open);
    open = { fields: [], line };
  }
  if (open.fields.length > 0) lines.push(open);
  // An empty line is no row of one empty field.
  return lines.filter(({ fields }) => fields.length > 1 || fields[0] !== "");
}
