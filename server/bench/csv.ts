import { readFile } from "node:fs/promises";
import path from "node:path";
import { Missing } from "./programs.ts";

/** Reads a table of real data from the folder that `AOS_BENCH_DATA` names: a list of records by column name. Throws {@link Missing} with the remedy. */
export async function readTable(file: string): Promise<Record<string, string>[]> {
  const folder = process.env.AOS_BENCH_DATA;
  const remedy = `set AOS_BENCH_DATA to the folder that has ${file}; the data are no part of the repository.`;
  if (!folder) throw new Missing(`the data are missing: ${remedy}`);
  const text = await readFile(path.join(folder, file), "utf8").catch(() => {
    throw new Missing(`${path.join(folder, file)} cannot be read: ${remedy}`);
  });
  const [head = [], ...rows] = parseCsv(text);
  return rows
    .filter((row) => row.length === head.length)
    .map((row) => Object.fromEntries(head.map((name, at) => [name, row[at] as string])));
}

/** Rows of a text in the form of RFC 4180: quoted cells may hold commas, line breaks and doubled quotes. */
export function parseCsv(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/gy;
  for (let match = cell.exec(text); match && match.index < text.length; match = cell.exec(text)) {
    row.push(match[1]?.replaceAll('""', '"') ?? match[2] ?? "");
    if (match[3] === ",") continue;
    rows.push(row);
    row = [];
  }
  if (row.length > 0) rows.push([...row, ""]);
  return rows;
}
