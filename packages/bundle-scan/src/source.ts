import { isUtf8 } from "node:buffer";
import { resolvePointer } from "@aos/strict-json";
import { type Place, placesOf, readYaml } from "@aos/yaml-source";
import { jsonStrings, offsetIn } from "./json-strings.ts";

/**
 * What a text is for: `prose` is read by people before installing, `prompt` by models as their operator's words, `example` is training data or a dataset's
 * item, `knowledge` a document, `data` anything else, `raw` a file as it stands, comments included.
 */
export type Role = "prose" | "prompt" | "example" | "knowledge" | "data" | "raw";

/** One text with its place. */
export interface Segment {
  readonly path: string;
  readonly role: Role;
  readonly text: string;
  /** The member that holds the text; empty in prose. */
  readonly name: string;
  readonly isName: boolean;
  readonly place: (offset: number) => Place;
}

/** A file with a structure: its value, and where each part of it stands. */
export interface Structure {
  readonly path: string;
  readonly value: unknown;
  readonly place: (pointer: string) => Place;
}

export interface Source {
  readonly path: string;
  readonly segments: readonly Segment[];
  readonly structure: Structure | null;
  /** What is wrong with the file as such. */
  readonly faults: readonly { readonly place: Place; readonly what: string }[];
}

const START: Place = { line: 1, column: 1 };
const words = { several: "One file, one document.", empty: "Write something.", tooLarge: "Write less." };

/** Reads one file by the ending of its name. */
export function readSource(path: string, bytes: Uint8Array): Source {
  const bare = { path, segments: [], structure: null };
  if (!isUtf8(bytes)) return { ...bare, faults: [{ place: START, what: "The file is not text in UTF-8." }] };
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8");
  if (path.endsWith(".json")) return jsonSource(path, text);
  if (path.endsWith(".jsonl")) return linesSource(path, text);
  if (/\.ya?ml$/.test(path)) return yamlSource(path, text);
  return { ...bare, segments: [wholeText(path, text, "prose")], faults: [] };
}

const wholeText = (path: string, text: string, role: Role): Segment => ({
  path,
  role,
  text,
  name: "",
  isName: false,
  place: placesOf(text),
});

function roleOf(path: string, pointer: string): Role {
  if (path.startsWith("knowledge/")) return "knowledge";
  if (/^(training|datasets)\//.test(path) || /^\/skills\/\d+\/examples\//.test(pointer)) return "example";
  if (/^(agent|workflow)\.ya?ml$/.test(path) || path === "tools.json") return "prompt";
  return path === "bundle.json" ? "prose" : "data";
}

const lastToken = (pointer: string): string => pointer.slice(pointer.lastIndexOf("/") + 1);

function jsonSource(path: string, text: string): Source {
  const placeOf = placesOf(text);
  const read = readJson(path, text, 0, placeOf);
  if (typeof read === "string") return broken(path, text, read, START);
  const { strings, value } = read;
  const place = (pointer: string): Place => placeOf(strings.values.get(pointer) ?? 0);
  const faults = strings.repeated.map((at) => ({ place: placeOf(at), what: "A name is given twice in one object." }));
  return { path, segments: read.segments, structure: { path, value, place }, faults };
}

/** A file that cannot be read as what it says is still looked through as it stands. */
const broken = (path: string, text: string, what: string, place: Place): Source => ({
  path,
  segments: [wholeText(path, text, roleOf(path, ""))],
  structure: null,
  faults: [{ place, what }],
});

function readJson(path: string, json: string, from: number, placeOf: (offset: number) => Place) {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return "The text is not JSON.";
  }
  const strings = jsonStrings(json);
  if (strings === null) return "The JSON nests more than 32 levels deep.";
  const segments = strings.strings.map(
    (one): Segment => ({
      path,
      role: roleOf(path, one.pointer),
      text: one.text,
      name: one.isName ? "" : lastToken(one.pointer),
      isName: one.isName,
      place: (unit) => placeOf(from + offsetIn(json, one, unit)),
    }),
  );
  return { value, strings, segments };
}

function linesSource(path: string, text: string): Source {
  const placeOf = placesOf(text);
  const segments: Segment[] = [];
  const faults: { place: Place; what: string }[] = [];
  let from = 0;
  for (const line of text.split("\n")) {
    const read = line.trim() === "" ? null : readJson(path, line, from, placeOf);
    if (typeof read === "string") faults.push({ place: placeOf(from), what: `${read} Each line must be.` });
    else if (read !== null) segments.push(...read.segments);
    from += line.length + 1;
  }
  const all = faults.length > 0 ? [...segments, wholeText(path, text, "example")] : segments;
  return { path, segments: all, structure: null, faults };
}

function yamlSource(path: string, text: string): Source {
  const read = readYaml(text, words);
  if (!read.ok) {
    const { line, column, detail } = read.faults[0]!;
    return broken(path, text, detail, { line, column });
  }
  const { value, locate } = read.source;
  const segments: Segment[] = [wholeText(path, text, "raw")];
  const walk = (one: unknown, pointer: string): void => {
    if (typeof one === "string") segments.push(yamlText(path, one, pointer, locate));
    if (typeof one !== "object" || one === null) return;
    for (const [name, inner] of Object.entries(one)) {
      const at = `${pointer}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
      if (!Array.isArray(one)) segments.push({ ...yamlText(path, name, at, locate, "key"), name: "", isName: true });
      walk(inner, at);
    }
  };
  walk(value, "");
  const place = (pointer: string): Place =>
    locate(pointer, resolvePointer(value, pointer) === undefined ? "key" : "value");
  return { path, segments, structure: { path, value, place }, faults: [] };
}

function yamlText(
  path: string,
  text: string,
  pointer: string,
  locate: (pointer: string, wanted: "key" | "value", within?: number) => Place,
  wanted: "key" | "value" = "value",
): Segment {
  const place = (offset: number): Place => locate(pointer, wanted, wanted === "value" ? offset : 0);
  return { path, role: roleOf(path, pointer), text, name: lastToken(pointer), isName: false, place };
}
