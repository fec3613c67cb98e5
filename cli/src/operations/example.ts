import type { OperationEntry, OperationValue } from "@aos/sdk/operations";
import { kebab, type OperationCommand } from "./names.ts";
import { valueOptions } from "./options.ts";

/** Ids as they look, by the name of the parameter. */
const ids: Readonly<Record<string, string>> = {
  agent: "sales",
  task: "tsk_01jd8x0000000000000000000a",
  approval: "apr_01jd8x0000000000000000000a",
  version: "1",
  scope: "environment",
  audit_ref: "aud_01jd8x0000000000000000000b",
  policy: "pol_01jd8x0000000000000000000a",
  kill_switch: "ksw_01jd8x0000000000000000000a",
  key: "key_01jd8x0000000000000000000a",
  member: "mbr_01jd8x0000000000000000000a",
  audit_export: "exp_01jd8x0000000000000000000a",
  base: "leads",
  document: "doc_01jd8x0000000000000000000a",
  dataset: "ds_01jd8x0000000000000000000a",
  run: "run_01jd8x0000000000000000000a",
  scorer: "exact",
  connection: "openai-main",
  job: "trn_01jd8x0000000000000000000a",
  webhook: "whk_01jd8x0000000000000000000a",
  object: "agent:sales@3",
  delivery: "dlv_01jd8x0000000000000000000a",
  event: "evt_01jd8x0000000000000000000a",
};

/** A line of a shell that makes the call, with the body of the operation's own example. */
export function exampleOf({ operation, words }: OperationCommand): string {
  const values = operation.pathParameters.map(({ name }) => ids[name] ?? name.toUpperCase());
  return ["aos", ...words, ...values.map(quoted), ...bodyArguments(operation)].join(" ");
}

/** The example's body as options. */
function bodyArguments(operation: OperationEntry): string[] {
  const example = operation.body?.example;
  if (typeof example !== "object" || example === null || Array.isArray(example)) return [];
  const options = valueOptions(operation).filter(({ into }) => into === "body");
  return Object.entries(example).flatMap(([name, value]) => {
    const option = options.find((one) => one.value.name === name);
    if (option === undefined)
      return operation.body?.open
        ? [`--${kebab(name)} ${typed(value)}`]
        : [`--field ${quoted(`${name}=${plain(value)}`)}`];
    if (option.isBoolean()) return [value === true ? `${option.long}` : `--no-${option.name()}`];
    return [`${option.long} ${quoted(written(value, option.value))}`];
  });
}

/** A value as an option of its kind takes it. */
function written(value: unknown, { type, items }: OperationValue): string {
  if (typeof value === "string" && type !== "any") return value;
  const plainItems =
    Array.isArray(value) &&
    items !== "object" &&
    items !== "array" &&
    value.every((item) => typeof item !== "object" && !/[,[]|^\s|\s$|^$/.test(String(item)));
  return plainItems && value.length > 0 ? value.join(",") : JSON.stringify(value);
}

/** A value where its kind is not known: a text that would be read as JSON is written as JSON. */
function plain(value: unknown): string {
  if (typeof value !== "string") return JSON.stringify(value);
  try {
    JSON.parse(value);
    return JSON.stringify(value);
  } catch {
    return value;
  }
}
const typed = (value: unknown): string => quoted(plain(value));

export const quoted = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
