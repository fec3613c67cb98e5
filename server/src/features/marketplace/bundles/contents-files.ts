import type { BundleFiles } from "@aos/bundle";
import { type BodyFault, compileSchema, type Validator } from "@aos/json-schema";
import { readStrictJson } from "@aos/strict-json";
import { type Fault, type Refusal, refuse } from "../../../kernel/errors.ts";
import { bundleRefused } from "../errors.ts";

// Files of a bundle are parsed strictly; refusals name file, line and place.

export type Json = Readonly<Record<string, unknown>>;

/** Limits of JSON in a bundle. */
const LIMITS = { depth: 32, members: 1_000, values: 100_000 } as const;

/** `line`: from 1, in a file with a value on each line. */
export function fileRefused(file: string, faults: readonly Fault[], line?: number): Refusal {
  const [first] = faults as readonly [Fault];
  const at = line ?? first.line;
  const where = at === undefined ? file : `${file}, line ${at}`;
  const more = faults.length > 1 ? ` (and ${faults.length - 1} more)` : "";
  const place = { part: file, at: first.pointer ?? "", ...(line !== undefined && { line }) };
  const members = { fault: first.code, place, faults: faults.slice(0, 100) };
  return refuse(bundleRefused, `${where}: ${first.pointer ? `${first.pointer} ` : ""}${first.detail}${more}`, {
    members,
  });
}

export function refuseFile(file: string, faults: readonly Fault[], line?: number): void {
  if (faults.length > 0) throw fileRefused(file, faults, line);
}

export const oneFault = (code: string, detail: string, pointer = ""): Fault[] => [{ pointer, code, detail }];

const bufferOf = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

function readValue(file: string, bytes: Uint8Array, line?: number): unknown {
  const read = readStrictJson(bufferOf(bytes), LIMITS);
  if (read.ok) return read.value;
  const faults = line === undefined ? read.faults : read.faults.map((fault) => ({ ...fault, line }));
  throw fileRefused(file, faults, line);
}

/** Undefined where there is no such file. */
export function readJsonFile(files: BundleFiles, file: string): unknown {
  const bytes = files.get(file);
  return bytes && readValue(file, bytes);
}

/** A JSON object on each line; empty lines are skipped. `check` returns the faults of one. */
export function readLines<T>(file: string, bytes: Uint8Array, check: (value: unknown) => readonly Fault[]): T[] {
  const buffer = bufferOf(bytes);
  const values: T[] = [];
  for (let start = 0, line = 1; start < buffer.length; line++) {
    const found = buffer.indexOf(0x0a, start);
    const end = found === -1 ? buffer.length : found;
    const part = buffer.subarray(start, end);
    start = end + 1;
    if (part.length === 0) continue;
    const value = readValue(file, part, line);
    refuseFile(file, check(value), line);
    values.push(value as T);
  }
  if (values.length === 0) throw fileRefused(file, oneFault("no_lines", "has no line; a file of items has at least 1"));
  return values;
}

/** Null where there is no such file. */
export function readText(files: BundleFiles, file: string): string | null {
  const bytes = files.get(file);
  if (!bytes) return null;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw fileRefused(file, oneFault("not_utf8", "is not UTF-8; save it in that encoding"));
  }
}

/** By their names without folder and ending, in their order. */
export function filesIn(files: BundleFiles, folder: string, ending: string): (readonly [name: string, file: string])[] {
  const paths = [...files.keys()].filter((file) => file.startsWith(`${folder}/`) && file.endsWith(ending)).sort();
  return paths.map((file) => [file.slice(folder.length + 1, -ending.length), file] as const);
}

export function checks(schema: object): (value: unknown) => readonly BodyFault[] {
  let compiled: Validator | undefined;
  return (value) => {
    compiled ??= compileSchema(schema);
    return compiled(value);
  };
}

/** Moves faults of a part to their place in the whole. */
export const placedAt = (pointer: string, faults: readonly Fault[]): Fault[] =>
  faults.map((fault) => ({ ...fault, pointer: pointer + (fault.pointer ?? "") }));

/** Duplicate names. */
export function sameNames(names: readonly string[], pointer: (at: number) => string): Fault[] {
  return names.flatMap((name, at) => {
    const first = names.indexOf(name);
    return first === at
      ? []
      : [{ pointer: pointer(at), code: "name_twice", detail: `is the name of item ${first} too` }];
  });
}
