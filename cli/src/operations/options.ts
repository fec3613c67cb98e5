import type { OperationEntry, OperationValue } from "@aos/sdk/operations";
import { Option } from "commander";
import { collect } from "../command.ts";
import { onQuestionOption } from "../holds.ts";
import { kebab } from "./names.ts";

export class ValueOption extends Option {
  readonly into: "query" | "body";
  readonly value: OperationValue;

  constructor(value: OperationValue, into: "query" | "body") {
    const isFlag = value.type === "boolean" && value.nullable === undefined;
    super(`--${kebab(value.name)}${isFlag ? "" : ` <${takesOf(value)}>`}`, describe(value, into));
    this.into = into;
    this.value = value;
    if (value.type === "array") this.argParser(collect);
    // For completion and help: what is wrong is for the service to say.
    if (value.enum !== undefined) this.argChoices = [...value.enum];
  }
}

const words: Readonly<Record<OperationValue["type"], string>> = {
  string: "text",
  integer: "number",
  number: "number",
  boolean: "true|false|null",
  array: "item",
  object: "json",
  any: "json",
};

function takesOf(value: OperationValue): string {
  if (value.format === "date-time") return "time";
  if (value.type === "array" && (value.items === "object" || value.items === "array")) return "json";
  return words[value.type];
}

function describe(value: OperationValue, into: "query" | "body"): string {
  const isObject = value.type === "object" || value.items === "object";
  const text = value.description ?? (isObject ? `as JSON${value.schema ? ` (${value.schema})` : ""}` : "");
  const required = into === "body" && value.required ? " Required." : "";
  return `${text.replaceAll(/\s+/g, " ").trim()}${required}`.trim();
}

/** Names that mean the same in every command; a field of such a name is given by `--field`. */
const reserved = new Set([
  "help",
  "json",
  "profile",
  "key-file",
  "file",
  "field",
  "dry-run",
  "idempotency-key",
  "if-match",
  "all",
  "yaml",
  "follow",
]);

/** The options for the values of an operation: its query, then the fields of its body that no parameter of the query has the name of. */
export function valueOptions(operation: OperationEntry): readonly ValueOption[] {
  const { queryParameters, body, method } = operation;
  const query = queryParameters
    .filter(({ name }) => !(isPaged(operation) && name === "limit"))
    .map((value) => new ValueOption(value, "query").helpGroup(method === "GET" ? "Filters:" : "Parameters:"));
  const taken = new Set([
    ...reserved,
    ...query.map((option) => option.name()),
    ...(isPaged(operation) ? ["limit"] : []),
  ]);
  const fields = (body?.fields ?? []).map((value) => new ValueOption(value, "body").helpGroup("Fields:"));
  return [
    ...fields.filter((option) => !taken.has(option.name())),
    ...query.filter((option) => !reserved.has(option.name())),
  ];
}

/** The options of how an operation is called, besides its values. */
export function callOptions(operation: OperationEntry): readonly Option[] {
  const { body, ifMatch, mayMatch, idempotent, dryRun, answer, streams } = operation;
  const options: readonly (Option | false)[] = [
    body !== null &&
      new Option("-f, --file <file>", "the body, JSON or YAML; - for standard input. Other options override it"),
    body !== null &&
      new Option("--field <a.b=value>", "one field, however nested; numbers, true, null and JSON are parsed").argParser(
        collect,
      ),
    isPaged(operation) && new Option("--limit <number>", "the maximum number; default: 25"),
    isPaged(operation) && new Option("--all", "all items, page by page"),
    streams && new Option("--follow", "follows the stream until it ends"),
    isWaitable(operation) && new Option("--wait", "waits until the work ends"),
    isWaitable(operation) && onQuestionOption(),
    answer.types.includes("application/yaml") && new Option("--yaml", "the response as YAML"),
    dryRun && new Option("--dry-run", "shows what the call would do without changing anything"),
    ifMatch && new Option("--if-match <etag>", "the expected revision; default: the current one, read first"),
    mayMatch && new Option("--if-match <etag>", "the expected revision; default: any"),
    idempotent &&
      new Option("--idempotency-key <text>", "a call repeated with this key within 24 hours takes effect once"),
  ];
  return options.filter((option) => option !== false);
}

/** Whether the call answers pages of a list. A run of an evaluation has a page of its items beside much else. */
export const isPaged = ({ name, queryParameters }: OperationEntry): boolean =>
  !name.startsWith("read") &&
  ["cursor", "limit"].every((needed) => queryParameters.some((parameter) => parameter.name === needed));

/** Whether the call begins work that can be read on, or reads work that can be awaited. */
export const isWaitable = ({ waits, answer, queryParameters }: OperationEntry): boolean =>
  (waits || answer.status === 202) && !queryParameters.some(({ name }) => name === "wait");
