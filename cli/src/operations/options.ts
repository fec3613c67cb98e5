import type { OperationEntry, OperationValue } from "@aos/sdk/operations";
import { type Flag, serviceFlags } from "../flags.ts";
import { onQuestionFlag } from "../held.ts";
import { kebab } from "./names.ts";

/** A flag for a value of a call: where it goes, and what it is. */
export interface ValueFlag extends Flag {
  readonly into: "query" | "body";
  readonly value: OperationValue;
}

const words: Readonly<Record<OperationValue["type"], string>> = {
  ...{
    string: "<text>",
    integer: "<number>",
    number: "<number>",
    boolean: "",
    array: "<item>",
    object: "<json>",
    any: "<json>",
  },
};

/** What a value looks like, for help: its values where they are few, else its kind. */
export function takesOf(value: OperationValue): string {
  const values = value.enum ?? [];
  if (values.length > 0 && values.join("|").length <= 40) return values.join("|");
  if (value.format === "date-time") return "<time>";
  if (value.type === "array" && (value.items === "object" || value.items === "array")) return "<json>";
  return words[value.type];
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

/** The flags for the values of an operation: its query, then the fields of its body that no parameter of the query has the name of. */
export function valueFlags(operation: OperationEntry): readonly ValueFlag[] {
  const { queryParameters, body } = operation;
  const paginated = isPaged(operation);
  const query = queryParameters
    .filter(({ name }) => !(paginated && name === "limit"))
    .map((value) => flagOf(value, "query"));
  const taken = new Set([...reserved, ...query.map(({ name }) => name), ...(paginated ? ["limit"] : [])]);
  const fields = (body?.fields ?? []).map((value) => flagOf(value, "body")).filter(({ name }) => !taken.has(name));
  return [...query.filter(({ name }) => !reserved.has(name)), ...fields];
}

function flagOf(value: OperationValue, into: "query" | "body"): ValueFlag {
  const stands = value.type === "boolean" && value.nullable === undefined;
  return {
    name: kebab(value.name),
    ...(stands ? { boolean: true } : { takes: takesOf(value) }),
    description: oneLine(
      value.description ??
        (value.type === "object" || value.items === "object"
          ? `as JSON${value.schema ? ` (${value.schema})` : ""}`
          : ""),
    ),
    ...(value.enum === undefined ? {} : { values: value.enum }),
    ...(value.type === "array" ? { multiple: true } : {}),
    into,
    value,
  };
}

const oneLine = (text: string): string => text.replaceAll(/\s+/g, " ").trim();

/** What can be said about how an operation is called, besides its values. */
export function callFlags(operation: OperationEntry): readonly Flag[] {
  const { body, ifMatch, mayMatch, idempotent, dryRun, answer, streams } = operation;
  const paginated = isPaged(operation);
  const flags: readonly (Flag | false)[] = [
    body !== null && {
      name: "file",
      short: "f",
      takes: "<file>",
      description: "the body, JSON or YAML; - for standard input. Other options override it",
    },
    body !== null && {
      name: "field",
      takes: "<a.b=value>",
      multiple: true,
      description: "one field, however nested; numbers, true, null and JSON are parsed",
    },
    paginated && { name: "limit", takes: "<number>", description: "the maximum number; default: 25" },
    paginated && { name: "all", boolean: true, description: "all items, page by page" },
    streams && { name: "follow", boolean: true, description: "follows the stream until it ends" },
    isWaitable(operation) && { name: "wait", boolean: true, description: "waits until the work ends" },
    isWaitable(operation) && onQuestionFlag,
    answer.types.includes("application/yaml") && { name: "yaml", boolean: true, description: "the response as YAML" },
    dryRun && { name: "dry-run", boolean: true, description: "shows what the call would do without changing anything" },
    ifMatch && {
      name: "if-match",
      takes: "<etag>",
      description: "the expected revision; default: the current one, read first",
    },
    mayMatch && {
      name: "if-match",
      takes: "<etag>",
      description: "the expected revision; default: any",
    },
    idempotent && {
      name: "idempotency-key",
      takes: "<text>",
      description: "a call repeated with this key within 24 hours takes effect once",
    },
    ...serviceFlags,
  ];
  return flags.filter((flag) => flag !== false);
}

/** Whether the call answers pages of a list. A run of an evaluation has a page of its items beside much else. */
export const isPaged = ({ name, queryParameters }: OperationEntry): boolean =>
  !name.startsWith("read") &&
  ["cursor", "limit"].every((needed) => queryParameters.some((parameter) => parameter.name === needed));

/** Whether the call begins work that can be read on, or reads work that can be waited for. */
export const isWaitable = ({ waits, answer, queryParameters }: OperationEntry): boolean =>
  (waits || answer.status === 202) && !queryParameters.some(({ name }) => name === "wait");
