import { cutText } from "./cut.ts";

/** The longest chunk of a record, in UTF-16 code units: most records are one chunk. */
export const RECORD_LENGTH = 4000;

/** The chunks of a record: its lines, and where they stand in {@link recordText}. */
export function chunkRecord(
  fields: Readonly<Record<string, unknown>>,
  { longest = RECORD_LENGTH } = {},
): { number: number; text: string }[] {
  return cutText(recordText(fields), longest).map((text, at) => ({ number: at + 1, text }));
}

/** The longest name of a line, in UTF-16 code units. Without it, names of members of members would make a text a thousand times as long as the record. */
const NAME_LENGTH = 200;

/** A record as text, a line for each value: `name: value`, members of members as `name.member`, lists of plain values in one line. What is empty is left out. */
export function recordText(fields: Readonly<Record<string, unknown>>): string {
  const lines: string[] = [];
  const add = (name: string, value: unknown): void => {
    if (value === null || value === undefined || value === "") return;
    if (typeof value !== "object") lines.push(`${name}: ${String(value)}`);
    else if (!Array.isArray(value))
      for (const [member, inner] of Object.entries(value)) add(nameOf(`${name}.${member}`), inner);
    else if (value.some((item) => typeof item === "object" && item !== null))
      for (const [at, item] of value.entries()) add(nameOf(`${name}.${at}`), item);
    else if (value.length > 0) lines.push(`${name}: ${value.join(", ")}`);
  };
  for (const [name, value] of Object.entries(fields)) add(nameOf(name), value);
  return lines.join("\n");
}

/** The end of a name says most: of a longer one that much is left. */
const nameOf = (path: string): string =>
  path.length <= NAME_LENGTH ? path : `…${path.slice(1 - NAME_LENGTH)}`.toWellFormed();
