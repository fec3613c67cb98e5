import { isObject } from "./faults.ts";

/**
 * How many characters all schemas of one agent may have together as JSON, words for people aside: each costs some 10 µs of compiling, and nobody else is
 * served meanwhile. What several tools and skills have alike is compiled, and counts, once.
 */
export const SCHEMA_CHARACTERS = 65_536;

/** The characters of all different schemas of a bundle, without their titles and descriptions. Takes any value. */
export function schemaCharacters(bundle: unknown): number {
  if (!isObject(bundle)) return 0;
  const texts = new Set<string>();
  for (const tool of listed(bundle.tools)) texts.add(textOf(tool.arguments));
  for (const skill of listed(bundle.skills)) {
    texts.add(textOf(skill.input));
    texts.add(textOf(skill.output));
  }
  return [...texts].reduce((sum, text) => sum + text.length, 0);
}

const listed = (value: unknown): Record<string, unknown>[] => (Array.isArray(value) ? value.filter(isObject) : []);
const WORDS = new Set(["title", "description", "$comment"]);
const textOf = (schema: unknown): string =>
  JSON.stringify(schema, (name, value: unknown) =>
    typeof value === "string" && WORDS.has(name) ? undefined : value,
  ) ?? "";
