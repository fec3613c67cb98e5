import type { OperationValue } from "@aos/sdk/operations";
import { counted } from "../output/text.ts";
import { CommandError } from "../terminal.ts";

/** The value of a body's field from what was typed. Throws a CommandError that names the option. */
export async function bodyValue(name: string, typed: readonly string[], value: OperationValue): Promise<unknown> {
  if (value.type === "array") return arrayOf(name, typed, value);
  const text = typed.at(-1) ?? "";
  if (value.nullable && text === "null") return null;
  switch (value.type) {
    case "string":
      return text;
    case "integer":
    case "number":
      return numberOf(name, text, value.type === "integer");
    case "boolean":
      return booleanOf(name, text);
    case "object":
      return structure(name, text);
    default:
      return guessed(text);
  }
}

async function arrayOf(name: string, typed: readonly string[], { items }: OperationValue): Promise<unknown[]> {
  if (items === "object" || items === "array" || typed.some((text) => text.trimStart().startsWith("["))) {
    const read = await Promise.all(typed.map((text) => structure(name, text)));
    return read.flat(1);
  }
  const parts = typed
    .flatMap((text) => text.split(","))
    .map((part) => part.trim())
    .filter((part) => part !== "");
  if (items === "integer" || items === "number") return parts.map((part) => numberOf(name, part, items === "integer"));
  return items === "boolean" ? parts.map((part) => booleanOf(name, part)) : parts;
}

function numberOf(name: string, text: string, whole: boolean): number {
  const number = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) ? Number(text) : Number.NaN;
  if (!Number.isFinite(number) || (whole && !Number.isSafeInteger(number)))
    throw new CommandError(`--${name} takes a ${whole ? "whole number" : "number"}, not ${JSON.stringify(text)}.`);
  return number;
}

function booleanOf(name: string, text: string): boolean {
  if (text !== "true" && text !== "false")
    throw new CommandError(`--${name} must be true or false, not ${JSON.stringify(text)}.`);
  return text === "true";
}

/** A list or an object as it is typed in a shell: JSON, or YAML on one line. */
async function structure(name: string, text: string): Promise<unknown> {
  const { parseDocument } = await import("yaml");
  const document = parseDocument(text, { logLevel: "silent" });
  const [fault] = document.errors;
  const value: unknown = fault === undefined ? document.toJS() : null;
  if (typeof value === "object" && value !== null) return value;
  throw new CommandError(
    `--${name} takes JSON, such as '{"name": "value"}'${fault === undefined ? "" : `: ${fault.message.split("\n")[0]}`}`,
  );
}

/** For fields of unknown type: JSON if it parses, else the text. */
export function guessed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Sets the value at a path of names and indexes (`a.b.0`), creating objects and lists on the way. Throws if the path leads through a value without fields. */
export function setPath(body: Record<string, unknown>, path: string, value: unknown): void {
  const steps = path.split(".");
  if (steps.some((step) => step === "" || step === "__proto__"))
    throw new CommandError(`--field ${path}=…: a path is names with dots between them, such as scope.agents.`);
  let holder: Record<string, unknown> | unknown[] = body;
  steps.slice(0, -1).forEach((step, index) => {
    const inside: unknown = read(holder, step);
    const next = inside ?? (/^\d+$/.test(steps[index + 1] as string) ? [] : {});
    if (typeof next !== "object")
      throw new CommandError(
        `--field ${path}=…: ${steps.slice(0, index + 1).join(".")} is ${JSON.stringify(next)}, which has no fields.`,
      );
    write(holder, step, next, path);
    holder = next as Record<string, unknown>;
  });
  write(holder, steps.at(-1) as string, value, path);
}

const read = (holder: object, step: string): unknown =>
  Object.hasOwn(holder, step) ? (holder as Record<string, unknown>)[step] : undefined;

function write(holder: Record<string, unknown> | unknown[], step: string, value: unknown, path: string): void {
  if (!Array.isArray(holder)) {
    holder[step] = value;
    return;
  }
  const place = /^\d{1,4}$/.test(step) ? Number(step) : Number.NaN;
  if (!(place <= holder.length))
    throw new CommandError(
      `--field ${path}=…: the list has ${counted(holder.length, "item")}; ${step} is not an index in it.`,
    );
  holder[place] = value;
}
