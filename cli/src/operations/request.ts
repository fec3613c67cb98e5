import type { OperationEntry } from "@aos/sdk/operations";
import { lastOf, type Parsed } from "../flags.ts";
import type { Sending } from "../http.ts";
import { CommandError, readInput, type Terminal } from "../terminal.ts";
import type { ValueFlag } from "./options.ts";
import { bodyValue, guessed, setPath } from "./values.ts";

/** A call that is ready to be made. */
export interface Request {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly sending: Sending;
}

/** Makes the call out of what was typed. Throws a CommandError where something is missing or cannot be what it has to be. */
export async function requestOf(
  operation: OperationEntry,
  parsed: Parsed,
  flags: readonly ValueFlag[],
  terminal: Terminal,
  usage: string,
): Promise<Request> {
  const path = pathOf(operation, parsed, usage);
  const query = queryOf(parsed, flags);
  if (lastOf(parsed, "dry-run") === "true") query.set("dry_run", "true");
  const body = operation.body === null ? {} : await sendingOf(operation, parsed, flags, terminal);
  const key = lastOf(parsed, "idempotency-key");
  return {
    method: operation.method,
    path,
    query,
    sending: { ...body, ...(key === undefined ? {} : { headers: { "idempotency-key": key } }) },
  };
}

/** The address of a call. */
export const addressOf = ({ path, query }: Pick<Request, "path" | "query">): string =>
  query.size === 0 ? path : `${path}?${query}`;

function pathOf({ path, pathParameters }: OperationEntry, { positionals }: Parsed, usage: string): string {
  const missing = pathParameters[positionals.length];
  if (missing !== undefined) throw new CommandError(`<${missing.name}> is missing.\n\n${usage}`);
  const more = positionals[pathParameters.length];
  if (more !== undefined) throw new CommandError(`${JSON.stringify(more)} is an unexpected argument.\n\n${usage}`);
  return pathParameters.reduce((text, { name }, index) => {
    const value = positionals[index] as string;
    if (value === "" || value === "." || value === "..")
      throw new CommandError(`<${name}> cannot be ${JSON.stringify(value)}.`);
    return text.replace(`{${name}}`, encodeURIComponent(value));
  }, path);
}

function queryOf(parsed: Parsed, flags: readonly ValueFlag[]): URLSearchParams {
  const query = new URLSearchParams();
  for (const { name, into, value } of flags) {
    const typed = parsed.values.get(name);
    if (into === "query" && typed !== undefined)
      query.set(value.name, value.type === "array" ? typed.join(",") : (typed.at(-1) as string));
  }
  return query;
}

/** The body: a file as it is, where nothing changes it; else the file's fields with what the options say. */
async function sendingOf(
  operation: OperationEntry,
  parsed: Parsed,
  flags: readonly ValueFlag[],
  terminal: Terminal,
): Promise<Sending> {
  const { body } = operation;
  const fields = await typedFields(parsed, flags);
  const file = lastOf(parsed, "file");
  if (file === undefined) {
    if (fields.length > 0) return { json: bodyOf({}, fields) };
    if (body?.required) throw new CommandError(nothingGiven(operation));
    return {};
  }
  const text = await readInput(file, terminal);
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
async function typedFields(parsed: Parsed, flags: readonly ValueFlag[]): Promise<(readonly [string, unknown])[]> {
  const fields: (readonly [string, unknown])[] = [];
  for (const { name, into, value } of flags) {
    const typed = parsed.values.get(name);
    if (into === "body" && typed !== undefined) fields.push([value.name, await bodyValue(name, typed, value)]);
  }
  for (const text of parsed.values.get("field") ?? []) {
    const cut = text.indexOf("=");
    if (cut < 1)
      throw new CommandError(`--field ${text}: write it as <name>=<value>, such as --field scope.agents='["sales"]'.`);
    const path = text.slice(0, cut);
    const known = flags.find(({ into, value }) => into === "body" && value.name === path);
    fields.push([
      path,
      known === undefined || known.value.type === "any"
        ? guessed(text.slice(cut + 1))
        : await bodyValue(known.name, [text.slice(cut + 1)], known.value),
    ]);
  }
  return [...fields, ...parsed.others.map(([name, value]) => [name, guessed(value)] as const)];
}

/** Whether a text is JSON. */
export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** A file in JSON or YAML. Faults are told as editors jump to them: `file:line:column`. */
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
