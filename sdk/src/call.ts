import { AosError } from "./errors.ts";
import type { CallOptions } from "./methods.ts";
import type { Route } from "./route.ts";

// From what a caller gives to what is sent, and from what comes to what a caller gets.

/** The untyped side of the options of a call. */
export interface AnyOptions extends CallOptions {
  readonly idempotencyKey?: string;
  readonly ifMatch?: string;
  readonly ifNoneMatch?: string;
  readonly wait?: number;
  readonly dryRun?: boolean;
  readonly accept?: string;
}

export type AnyInput = Readonly<Record<string, unknown>>;
/** What openapi-fetch is given besides method and path. */
export interface Init {
  readonly params: { readonly query: AnyInput };
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly bodySerializer?: (body: unknown) => string | FormData;
  readonly signal?: AbortSignal;
}

/** The path with its parameters. Throws where one is missing or would lead elsewhere. */
export function pathOf(id: string, [, path]: Route, input: AnyInput): string {
  return path.replaceAll(/\{(\w+)\}/g, (_match, name: string) => {
    const value = input[name];
    if ((typeof value !== "string" && typeof value !== "number") || /^\.{0,2}$/.test(String(value)))
      throw new AosError(`${id}: ${name} takes the name or id that stands in ${path}, not ${JSON.stringify(value)}`);
    return encodeURIComponent(value);
  });
}

/** What is sent of an input: each member where its operation takes it, the rest in the query, so that the service says which of them it does not know. */
export function initOf([, path, more = {}]: Route, input: AnyInput, options: AnyOptions): Init {
  const { body: takesBody, query = [], both = [], yaml: takesYaml = false } = more;
  const rest = Object.entries(input).filter(([name]) => !path.includes(`{${name}}`) || both.includes(name));
  const inQuery = ([name]: [string, unknown]): boolean => takesBody === undefined || query.includes(name);
  const fields = Object.fromEntries(rest.filter((entry) => !inQuery(entry)));
  const yaml = takesYaml && typeof fields.yaml === "string" ? fields.yaml : undefined;
  const sends = takesBody === "required" || Object.values(fields).some((value) => value !== undefined);
  const form = fields.file instanceof Blob ? formOf(fields) : undefined;
  const body = yaml ?? form ?? (takesBody !== undefined && sends ? fields : undefined);
  return {
    params: { query: { ...Object.fromEntries(rest.filter(inQuery)), ...(options.dryRun ? { dry_run: true } : {}) } },
    headers: headersOf(options, yaml !== undefined),
    ...(body === undefined ? {} : { body }),
    ...(yaml === undefined ? {} : { bodySerializer: String }),
    ...(form === undefined ? {} : { bodySerializer: () => form }),
    ...(options.signal === undefined ? {} : { signal: options.signal }),
  };
}

/** Members before the file; what is no text is JSON. */
function formOf({ file, ...members }: AnyInput): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(members))
    if (value !== undefined) form.append(name, typeof value === "string" ? value : JSON.stringify(value));
  form.append("file", file as Blob, file instanceof File ? file.name : undefined);
  return form;
}

function headersOf(
  { headers, idempotencyKey, ifMatch, ifNoneMatch, wait, accept }: AnyOptions,
  yaml: boolean,
): Record<string, string> {
  const own = {
    "content-type": yaml ? "application/yaml" : undefined,
    "idempotency-key": idempotencyKey,
    "if-match": ifMatch,
    "if-none-match": ifNoneMatch,
    prefer: wait === undefined ? undefined : `wait=${wait}`,
    accept,
  };
  return {
    ...headers,
    ...Object.fromEntries(Object.entries(own).filter((entry): entry is [string, string] => entry[1] !== undefined)),
  };
}

/** What an answer carries: JSON parsed, text as text, what may be long as a stream of bytes; null where the caller's revision is still current. */
export async function dataOf(response: Response, id: string): Promise<unknown> {
  if (response.status === 304) return null;
  const type = response.headers.get("content-type") ?? "";
  if (/^application\/(\w+\+)?json\b/.test(type)) return response.json();
  if (/^(application\/x-ndjson|text\/csv)\b/.test(type)) return response.body;
  if (/^(text\/(plain|markdown)|application\/yaml)\b/.test(type)) return response.text();
  throw new AosError(
    `${id} was answered with ${type || "nothing"}, which is none of the service's: check the address of the service`,
  );
}
