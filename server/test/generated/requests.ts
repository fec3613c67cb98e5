import fc from "fast-check";
import type { Arranged } from "../arrangements.ts";
import { faulty, hostile } from "./faults.ts";
import type { Sent } from "./send.ts";
import { type Schema, valuesOf } from "./values.ts";

/** An operation as the description has it. */
export interface Described {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly {
    readonly name: string;
    readonly in: string;
    readonly required?: boolean;
    readonly schema: Schema;
  }[];
  readonly body: Schema | null;
  readonly mediaTypes: readonly string[];
  readonly responses: Readonly<Record<string, Schema>>;
}

export interface Means {
  readonly resolve: (schema: Schema) => Schema;
  /** What was arranged for the operation: ids that exist, bodies that were accepted. */
  readonly arranged: readonly Arranged[];
  /** Secrets of keys: those that may do everything, and others. */
  readonly admins: readonly string[];
  readonly others: readonly string[];
  /** Operations whose effect would empty the rest of the run; they are only tried. */
  readonly onlyTried: boolean;
}

/** How a request is made: as the description asks, with one thing wrong, or to do harm. */
export type Kind = "valid" | "faulty" | "hostile";

export interface Draft {
  readonly params: Readonly<Record<string, string>>;
  readonly query: readonly (readonly [string, string])[];
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
  /** Sent as it is in place of `body`. */
  readonly raw?: string | Buffer;
}

/** Requests to one operation. */
export function requestsTo(operation: Described, means: Means): fc.Arbitrary<Sent & { readonly kind: Kind }> {
  const valid = drafts(operation, means);
  const made = (kind: Kind, from: fc.Arbitrary<Draft>) => from.map((draft) => ({ kind, ...sentOf(operation, draft) }));
  return fc.oneof(
    { weight: 4, arbitrary: made("valid", valid) },
    {
      weight: 3,
      arbitrary: made(
        "faulty",
        valid.chain((draft) => faulty(operation, draft)),
      ),
    },
    {
      weight: 3,
      arbitrary: made(
        "hostile",
        valid.chain((draft) => hostile(operation, draft)),
      ),
    },
  );
}

function sentOf({ id, method, path }: Described, { params, query, headers, body, raw }: Draft): Sent {
  const address = path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) =>
    encodeURIComponent(wellFormed(params[name] ?? "x")),
  );
  const search = query
    .map(([name, value]) => `${encodeURIComponent(wellFormed(name))}=${encodeURIComponent(wellFormed(value))}`)
    .join("&");
  const bytes = raw ?? (method === "GET" || body === undefined ? undefined : JSON.stringify(body));
  const typed =
    bytes === undefined
      ? {}
      : { "content-type": "application/json", "content-length": String(Buffer.byteLength(bytes)) };
  return {
    operation: id,
    method,
    target: search === "" ? address : `${address}?${search}`,
    headers: { ...typed, ...headers },
    ...(bytes === undefined ? {} : { body: bytes }),
  };
}

const wellFormed = (text: string): string => text.toWellFormed();

/** Requests as the description asks for them, on what was arranged. */
function drafts(operation: Described, means: Means): fc.Arbitrary<Draft> {
  const { resolve, arranged, admins, others, onlyTried } = means;
  const change = operation.method !== "GET";
  const dry = change ? (onlyTried ? fc.constant(true) : fc.boolean()) : fc.constant(false);
  const key = fc.oneof(
    { weight: 9, arbitrary: fc.constantFrom(...admins) },
    { weight: 1, arbitrary: fc.constantFrom(...others) },
  );
  return fc
    .tuple(fc.constantFrom(...arranged), generated(operation, resolve), fc.boolean(), dry, key)
    .map(([given, made, own, dryRun, secret]) => ({
      params: given.params,
      query: [...made.query, ...(dryRun ? [["dry_run", "true"] as const] : [])],
      headers: { ...made.headers, ...given.headers, authorization: `Bearer ${secret}` },
      body: own || given.body === undefined ? made.body : given.body,
    }));
}

/** Parameters whose values make a call wait; the rest of their range is no other case. */
const short: Readonly<Record<string, fc.Arbitrary<string>>> = {
  wait: fc.constantFrom("0", "1"),
  Prefer: fc.constantFrom("wait=0", "wait=1", "respond-async", "handling=strict, wait=1"),
};

function generated({ parameters, body }: Described, resolve: Means["resolve"]) {
  const values = (one: Described["parameters"][number]): fc.Arbitrary<string> =>
    short[one.name] ??
    valuesOf(one.schema, resolve).map((value) => (Array.isArray(value) ? value.join(",") : String(value)));
  const some = (place: string) => {
    const here = parameters.filter((one) => one.in === place && one.name !== "dry_run");
    const model = Object.fromEntries(
      here.map((one) => [
        one.name,
        one.required === true ? values(one) : fc.option(values(one), { nil: undefined, freq: 2 }),
      ]),
    );
    return fc
      .record(model)
      .map((record) => Object.entries(record).filter((entry): entry is [string, string] => entry[1] !== undefined));
  };
  return fc
    .tuple(some("query"), some("header"), body === null ? fc.constant(undefined) : valuesOf(body, resolve))
    .map(([query, headers, value]) => ({
      query,
      headers: Object.fromEntries(headers.map(([name, one]) => [name.toLowerCase(), one.replaceAll(/[^\t -~]/g, "?")])),
      body: value,
    }));
}
