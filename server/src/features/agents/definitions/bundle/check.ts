import { holdsCredential } from "@aos/data-classes";
import type { BodyFault } from "@aos/json-schema";
import { escapeToken, pointerOf } from "@aos/strict-json";
import { MOST_FAULTS, YAML_LIMITS } from "@aos/yaml-source";
import type { AgentDefinition, ModelDefinition, ToolDefinition } from "../schemas.ts";
import { handoffFaults } from "./check-handoff.ts";
import { shapeFaults } from "./check-shape.ts";
import { createSchemaCheck, sameNames, schemaFaults, skillFaults, titleFaults } from "./check-skills.ts";
import { addressFaults, toolFaults } from "./check-tools.ts";
import { fault, isObject, type Loose, propertiesOf, textsOf } from "./faults.ts";

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

const TOO_MANY = `may hold at most ${YAML_LIMITS.values} values in all; split the agent, or move examples to a data set`;
const SCHEMAS_TOO_LARGE = `has schemas of more than ${SCHEMA_CHARACTERS} characters in all; let tools and skills share schemas, or split the agent`;
const SECRET =
  "holds what looks like a credential, and a definition holds no secret; take it out, name a connection instead, and replace the credential if the file was shared";

/**
 * Every fault of a bundle as a value, at most 100, each with its JSON Pointer; an empty list for one that can be kept as a draft. Fields that have the wrong
 * shape are not looked into further; all others are, as far as all faults of shape are known.
 */
export function bundleFaults(value: unknown): BodyFault[] {
  const values = countValues(value, YAML_LIMITS.values);
  if (values > YAML_LIMITS.values) return [fault("", "too_large", TOO_MANY)];
  if (schemaCharacters(value) > SCHEMA_CHARACTERS) return [fault("", "too_large", SCHEMAS_TOO_LARGE)];
  const shape = shapeFaults(value);
  // Validators stop at so many faults, and at the first one in so large a value: what else has the wrong shape is not known then.
  const isWhole = shape.length === 0 || (shape.length < MOST_FAULTS && values < YAML_LIMITS.values);
  const faults = isObject(value) && isWhole ? [...shape, ...crossFaults(value, shape)] : shape;
  return unique(faults).slice(0, MOST_FAULTS);
}

/** How many values a value holds, itself among them; counting ends soon after `most`. */
function countValues(value: unknown, most: number): number {
  let count = 1;
  if (typeof value !== "object" || value === null) return count;
  for (const item of Object.values(value)) {
    if (count > most) break;
    count += countValues(item, most - count);
  }
  return count;
}

function unique(faults: readonly BodyFault[]): BodyFault[] {
  const placed = faults.map((one) => [`${one.code} ${one.pointer}`, one] as const);
  return [...new Map(placed.reverse()).values()].reverse();
}

function crossFaults(bundle: Record<string, unknown>, shape: readonly BodyFault[]): BodyFault[] {
  const tools = Array.isArray(bundle.tools) ? bundle.tools : [];
  const skills = Array.isArray(bundle.skills) ? bundle.skills : [];
  const knowledge = (Array.isArray(bundle.knowledge) ? bundle.knowledge : []).filter(
    (name) => typeof name === "string",
  );
  const names = tools.flatMap((tool) => (isObject(tool) && typeof tool.name === "string" ? [tool.name] : []));
  const check = createSchemaCheck();
  const faults = [
    ...sameNames(tools, "/tools", "tool"),
    ...sameNames(skills, "/skills", "skill"),
    ...modelFaults(soundPart(bundle.model, "/model", shape)),
    ...handoffFaults(soundPart(bundle.handoff, "/handoff", shape), names),
  ];
  for (const [index, one] of tools.entries()) {
    const pointer = `/tools/${index}`;
    const tool: Loose<ToolDefinition> = soundPart(one, pointer, shape);
    if (tool.arguments)
      faults.push(...schemaFaults(tool.arguments, `${pointer}/arguments`, "a call's arguments", check));
    faults.push(...toolFaults(tool, pointer, knowledge));
    const known = tool.arguments && propertiesOf(tool.arguments);
    faults.push(...titleFaults(tool.title, `${pointer}/title`, known, "arguments"));
  }
  for (const [index, one] of skills.entries()) {
    const pointer = `/skills/${index}`;
    faults.push(...sameNames(isObject(one) ? one.examples : [], `${pointer}/examples`, "example of this skill"));
    faults.push(...skillFaults(soundPart(one, pointer, shape), pointer, names, check));
  }
  for (const [text, at] of textsOf(bundle, [])) {
    if (holdsCredential(text)) faults.push(fault(pointerOf(at), "secret_refused", SECRET));
  }
  return faults;
}

function soundPart<T>(part: unknown, pointer: string, shape: readonly BodyFault[]): Loose<T> {
  if (!isObject(part)) return {} as Loose<T>;
  const broken = (name: string): boolean => {
    const at = `${pointer}/${escapeToken(name)}`;
    return shape.some((one) => one.pointer === at || one.pointer.startsWith(`${at}/`));
  };
  return Object.fromEntries(Object.entries(part).filter(([name]) => !broken(name))) as Loose<T>;
}

function modelFaults(model: Loose<ModelDefinition>): BodyFault[] {
  const address = "settings" in model ? model.settings?.base_url : undefined;
  return address === undefined ? [] : addressFaults(address, "/model/settings/base_url");
}

const callersWrite = "is required of callers' tools that write; say what a call could do at worst";

/** What a draft still lacks to be frozen as a version: a skill, what http tools call, and what writes could do at worst. */
export function freezeFaults({ skills, tools, callers }: AgentDefinition): BodyFault[] {
  const faults = (callers?.tools ?? []).flatMap(({ effect, impact }, index) =>
    effect === "read" || impact ? [] : [fault(`/callers/tools/${index}/impact`, "required", callersWrite)],
  );
  const noSkill = "must have at least 1 item; an agent without skills can do nothing";
  if (skills.length === 0) faults.push(fault("/skills", "too_few_items", noSkill));
  for (const [index, tool] of tools.entries()) {
    if (tool.kind === "http" && !tool.request && !tool.openapi)
      faults.push(fault(`/tools/${index}/request`, "required", "is required for a version; add it, or `openapi`"));
    const posts = tool.kind === "http" && tool.request?.method === "POST";
    if (tool.impact || (tool.effect !== "write" && !posts)) continue;
    const writes = "a tool that writes";
    const which =
      tool.effect === "write" ? writes : "a POST, which counts as a write until an admin marks it as a read";
    const detail = `is required of ${which}; say what a call could do at worst`;
    faults.push(fault(`/tools/${index}/impact`, "required", detail));
  }
  return faults;
}
