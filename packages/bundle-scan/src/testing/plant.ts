import { Chance } from "../../../data-classes/src/testing/random.ts";
import { type BundleKind, cleanBundle, type Texts } from "./clean-bundles.ts";

/** One fault to plant: the rule that must find it, the kind of bundle it goes into, and how it gets there. */
export interface Plant {
  readonly name: string;
  /** Any of these rules counts. */
  readonly rules: readonly string[];
  readonly kind: BundleKind;
  /** Changes the texts of a clean bundle and returns the file that now has the fault. */
  readonly apply: (files: Texts, chance: Chance) => string;
}

export interface Planted {
  readonly plant: Plant;
  readonly files: Texts;
  readonly clean: Texts;
  readonly path: string;
  readonly kind: BundleKind;
}

/** Plants each fault once into a clean bundle of its kind; the seed draws places and random parts. */
export function plantAll(plants: readonly Plant[], seed: number): Planted[] {
  return plants.map((plant, index) => {
    const chance = new Chance(seed * 1_000 + index);
    const clean = cleanBundle(plant.kind);
    const files = new Map(clean);
    return { plant, clean, files, path: plant.apply(files, chance), kind: plant.kind };
  });
}

export type Place =
  | "readme"
  | "instructions"
  | "description"
  | "knowledge"
  | "training"
  | "dataset"
  | "example"
  | "tool";
/** Places that a model reads. */
export const readByModels: readonly Place[] = [
  ...(["instructions", "description", "knowledge", "training", "dataset", "example", "tool", "readme"] as const),
];

const agentMarks: Partial<Record<Place, string>> = {
  instructions: "Sort each message by what the sender wants.",
  description: "Sorts what customers write.",
  example: "My parcel has not arrived and it has been nine days.",
  tool: "Reads an order by its number.",
};

/** Puts a text into an agent's bundle at one of several places, drawn by chance; returns the path. */
export function putText(files: Texts, chance: Chance, text: string, places: readonly Place[] = readByModels): string {
  const place = chance.pick(places);
  const mark = agentMarks[place];
  if (mark !== undefined) return replaceIn(files, "agent.yaml", mark, `${mark} ${text}`.replaceAll("\n", "\\n"), true);
  if (place === "readme") return replaceIn(files, "readme.md", "## What it needs", `${text}\n\n## What it needs`);
  if (place === "knowledge") {
    const base = JSON.parse(files.get("knowledge/rules.json")!);
    chance.pick(base.documents as { text: string }[]).text += `\n${text}`;
    files.set("knowledge/rules.json", `${JSON.stringify(base, null, 2)}\n`);
    return "knowledge/rules.json";
  }
  const path = place === "training" ? "training/sort.jsonl" : "datasets/inbox.jsonl";
  const lines = files.get(path)!.trimEnd().split("\n");
  const at = chance.below(lines.length);
  const line = JSON.parse(lines[at]!);
  line.input.message += ` ${text}`;
  lines[at] = JSON.stringify(line);
  files.set(path, `${lines.join("\n")}\n`);
  return path;
}

/** Replaces a text that must be there. In YAML the marks stand in double quotation marks, so that `quoted` escapes what is put there. */
export function replaceIn(files: Texts, path: string, mark: string, text: string, quoted = false): string {
  const old = files.get(path) ?? "";
  if (!old.includes(mark)) throw new Error(`${path} lacks ${mark}`);
  const put = quoted ? text.replaceAll('"', '\\"') : text;
  files.set(
    path,
    old.replace(mark, () => put),
  );
  return path;
}

/** Changes one tool of a tool set. */
export function editTool(files: Texts, name: string, change: (tool: ToolDraft) => void): string {
  const tools = JSON.parse(files.get("tools.json")!) as ToolDraft[];
  change(tools.find((tool) => tool.name === name)!);
  files.set("tools.json", `${JSON.stringify(tools, null, 2)}\n`);
  return "tools.json";
}

export interface ToolDraft {
  [field: string]: unknown;
  name: string;
  request: { method: string; url: string; headers?: Record<string, string>; query?: Record<string, string> };
  arguments?: { properties: Record<string, unknown>; required?: string[] };
}

/** Changes one JSON file. */
export function editJson(files: Texts, path: string, change: (value: Record<string, unknown>) => void): string {
  const value = JSON.parse(files.get(path)!);
  change(value);
  files.set(path, `${JSON.stringify(value, null, 2)}\n`);
  return path;
}

export const base64 = (text: string): string => Buffer.from(text).toString("base64");
export const hex = (text: string): string => Buffer.from(text).toString("hex");
export const rot13 = (text: string): string =>
  text.replace(/[a-z]/gi, (letter) =>
    String.fromCharCode((((letter.charCodeAt(0) & 31) + 12) % 26) + (letter.charCodeAt(0) & 96) + 1),
  );
