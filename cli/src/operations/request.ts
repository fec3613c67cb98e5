import type { OperationEntry } from "@aos/sdk/operations";
import type { Given } from "../command.ts";
import type { Sending } from "../http.ts";
import { CommandError, readInput } from "../terminal.ts";
import type { ValueOption } from "./options.ts";
import { bodyValue, guessed, setPath } from "./values.ts";

export interface Request {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly sending: Sending;
}

/** Throws a CommandError if an argument or option is missing or invalid. */
export async function requestOf(
  operation: OperationEntry,
  given: Given,
  values: readonly ValueOption[],
): Promise<Request> {
  const { dryRun, idempotencyKey } = given.options;
  const path = pathOf(operation, given);
  const query = queryOf(given, values);
  if (dryRun) query.set("dry_run", "true");
  const body = operation.body === null ? {} : await sendingOf(operation, given, values);
  const headers = idempotencyKey === undefined ? {} : { headers: { "idempotency-key": idempotencyKey } };
  return { method: operation.method, path, query, sending: { ...body, ...headers } };
}

export const addressOf = ({ path, query }: Pick<Request, "path" | "query">): string =>
  query.size === 0 ? path : `${path}?${query}`;

function pathOf({ path, pathParameters }: OperationEntry, { argument }: Given): string {
  return pathParameters.reduce((text, { name }, index) => {
    const value = argument(index);
    if (value === "." || value === "..") throw new CommandError(`<${name}> cannot be ${JSON.stringify(value)}.`);
    return text.replace(`{${name}}`, encodeURIComponent(value));
  }, path);
}

function queryOf({ options }: Given, values: readonly ValueOption[]): URLSearchParams {
  const query = new URLSearchParams();
  for (const option of values) {
    const typed = options[option.attributeName()];
    if (option.into === "query" && typed !== undefined) query.set(option.value.name, String(typed));
  }
  return query;
}

/** The body: a file as it is, where nothing changes it; else the file's fields with what the options say. */
async function sendingOf(operation: OperationEntry, given: Given, values: readonly ValueOption[]): Promise<Sending> {
  const { body } = operation;
  const fields = await typedFields(given, values);
  const { file } = given.options;
  if (file === undefined) {
    if (fields.length > 0) return { json: bodyOf({}, fields) };
    if (body?.required) throw new CommandError(nothingGiven(operation));
    return {};
  }
  const text = await readInput(file, given.terminal);
  if (fields.length === 0 && isJson(text)) return { raw: text };
  if (fields.length === 0 && body?.types.includes("application/yaml")) return { yaml: text };
  const read = await parseFile(file, text);
  return { json: fields.length === 0 ? read : bodyOf(asFields(file, read), fields) };
}

/** Puts fields where their paths lead. */
export function bodyOf(
  start: Record<string, unknown>,
  fields: readonly (readonly [string, unknown])[],
): Record<string, unknown> {
  for (const [path, value] of fields) setPath(start, path, value);
  return start;
}

/** What options say about the body: `--reason text`, then `--field a.b=value`, then fields that the operation does not name. */
async function typedFields(
  { options, fields: others }: Given,
  values: readonly ValueOption[],
): Promise<(readonly [string, unknown])[]> {
  const fields: (readonly [string, unknown])[] = [];
  for (const option of values) {
    const typed = options[option.attributeName()];
    if (option.into === "body" && typed !== undefined)
      fields.push([option.value.name, await bodyValue(option.name(), [typed].flat().map(String), option.value)]);
  }
  for (const [path, text] of fieldPairs(options.field)) {
    const known = values.find(({ into, value }) => into === "body" && value.name === path);
    const isGuessed = known === undefined || known.value.type === "any";
    fields.push([path, isGuessed ? guessed(text) : await bodyValue(known.name(), [text], known.value)]);
  }
  return [...fields, ...others.map(([name, value]) => [name, guessed(value)] as const)];
}

/** `--field a.b=value`. */
export function fieldPairs(given: readonly string[] = []): readonly (readonly [path: string, value: string])[] {
  return given.map((text) => {
    const cut = text.indexOf("=");
    if (cut < 1)
      throw new CommandError(`--field ${text}: write it as <name>=<value>, such as --field scope.agents='["sales"]'.`);
    return [text.slice(0, cut), text.slice(cut + 1)];
  });
}

export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Reads JSON or YAML. Errors name the place as editors expect it: `file:line:column`. */
async function parseFile(file: string, text: string): Promise<unknown> {
  const { LineCounter, parseDocument } = await import("yaml");
  const lineCounter = new LineCounter();
  const document = parseDocument(text, { logLevel: "silent", lineCounter, prettyErrors: false });
  const [fault] = document.errors;
  if (fault === undefined) return document.toJS();
  const { line, col } = lineCounter.linePos(fault.pos[0]);
  throw new CommandError(`${file}:${line}:${col}: ${fault.message}`);
}

function asFields(file: string, value: unknown): Record<string, unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new CommandError(`${file} contains no fields that options could override.`);
  return value as Record<string, unknown>;
}

function nothingGiven({ body }: OperationEntry): string {
  const required = (body?.fields ?? [])
    .filter((field) => field.required)
    .map(({ name }) => `--${name.replaceAll("_", "-")}`);
  const which = required.length === 0 ? "Set what to change" : `Set ${required.join(", ")}`;
  return `${which} with options, or pass the whole body with -f <file>. --help lists the fields.`;
}
