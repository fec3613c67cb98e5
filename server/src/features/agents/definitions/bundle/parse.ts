import type { BodyFault } from "@aos/json-schema";
import { type FileWords, type PlacedFault, readYaml, YAML_LIMITS } from "@aos/yaml-source";
import type { AgentBundle } from "../schemas.ts";
import { bundleFaults } from "./check.ts";
import { writeBundle } from "./write.ts";

export type BundleResult<Fault> =
  | { readonly ok: true; readonly bundle: AgentBundle }
  | { readonly ok: false; readonly faults: readonly Fault[] };

const words: FileWords = {
  several: "A file holds one agent.",
  empty: "Write at least `agent`, `description` and `model`.",
  tooLarge: "Split the agent, or move long texts to knowledge bases.",
};

/** Reads an agent's file (YAML 1.2, `readYaml`): the bundle, or every fault at once in the order of the text. Nothing is coerced or left out. */
export function parseBundle(text: string): BundleResult<PlacedFault> {
  const read = readYaml(text, words);
  if (!read.ok) return read;
  const { value, locate } = read.source;
  const faults = bundleFaults(value);
  if (faults.length === 0) return { ok: true, bundle: complete(value) };
  const placed = faults.map(
    (fault): PlacedFault => ({ ...fault, ...locate(fault.pointer, isAboutName(fault) ? "key" : "value") }),
  );
  return { ok: false, faults: placed.sort((a, b) => a.line - b.line || a.column - b.column) };
}

export type FileResult = BundleResult<PlacedFault> | "not_utf8";

/** Reads a file's bytes. What it returns can be handed from thread to thread. */
export function parseFile(bytes: Uint8Array): FileResult {
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return "not_utf8";
  }
  return parseBundle(text);
}

/** The same for a bundle that came as JSON, already read strictly: pointers are its only places. What is accepted can be written as a file and read back. */
export function parseBundleValue(value: unknown): BundleResult<BodyFault> {
  const faults = bundleFaults(value);
  if (faults.length > 0) return { ok: false, faults };
  const bundle = complete(value);
  const tooLong = JSON.stringify(value).length > SURELY_FITS && writeBundle(bundle).length > YAML_LIMITS.characters;
  return tooLong ? { ok: false, faults: [{ pointer: "", code: "too_large", detail: TOO_LONG }] } : { ok: true, bundle };
}

export function valueFaults(value: unknown): readonly BodyFault[] {
  const read = parseBundleValue(value);
  return read.ok ? [] : read.faults;
}

/** A bundle whose JSON is no longer than this fits a file, whatever indentation adds to its 10,000 values at most. */
const SURELY_FITS = 100_000;
const TOO_LONG = `may have at most ${YAML_LIMITS.characters} characters as a file; move long texts to knowledge bases`;

/** Faults that speak of a field's name rather than of its value. */
const isAboutName = ({ code, pointer }: BodyFault): boolean =>
  code === "field_name" || code === "secret_refused" || (code === "unknown_field" && !pointer.endsWith("/subject"));

/** Lists that were left out are empty. Only after a bundle was found without fault. */
function complete(value: unknown): AgentBundle {
  const bundle = value as Omit<AgentBundle, "tools" | "skills"> & Partial<AgentBundle>;
  return { ...bundle, tools: bundle.tools ?? [], skills: bundle.skills ?? [] };
}
