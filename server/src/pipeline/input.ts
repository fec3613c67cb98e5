import { type Fault, Refusal, refuse } from "../kernel/errors.ts";
import { invalidBody, invalidParameter } from "../kernel/problems.ts";
import { uploadOf } from "../kernel/uploads.ts";
import type { BodyReaders } from "./call.ts";
import { hasForms } from "./form.ts";
import { permitBody } from "./narrowing.ts";
import type { Authorized, Reach, Validated } from "./stages.ts";

interface Query {
  readonly query: Validated["input"]["query"];
  readonly dryRun: boolean;
}
const noQuery: Query = { query: {}, dryRun: false };

/**
 * Query and body of a call, validated against their declarations; every fault at once. Follows permissions: who may not call learns
 * nothing about the body. A change takes `dry_run=true` besides its own parameters.
 */
export async function validate(authorized: Authorized, reached: Reach): Promise<Validated> {
  const { compiled, call, spec, principal } = authorized;
  const inside = spec.door === "inside";
  const query = inside ? noQuery : readQuery(authorized);
  const fits = inside || spec.method === "GET" ? null : compiled.body();
  let body: unknown;
  let invalid: Refusal | null = null;
  if (fits) {
    const read = call.readBody(spec.reads as BodyReaders | undefined, spec.receives, spec.bounds);
    body = read instanceof Promise ? await read : read;
    const declared = uploadOf(body) ? (compiled.form()?.(body) ?? none) : fits(body);
    const found = ownRules(authorized, body, declared);
    const own = found instanceof Promise ? await found : found;
    if (declared.length > 0) throw bodyRefusal([...declared, ...own]);
    if (own.length > 0) invalid = bodyRefusal(own);
  }
  const validated = reached(withInput(authorized, query, body, invalid));
  if (principal.agents !== null) await permitBody(validated);
  return validated;
}

function withInput(call: Authorized, { query, dryRun }: Query, body: unknown, invalid: Refusal | null): Validated {
  const { params, loaded } = call;
  const headers = hasForms(call.spec) ? { ...call.headers, Vary: "Accept" } : call.headers;
  return { ...call, headers, input: { params, query, body, loaded }, dryRun, invalid };
}

function bodyRefusal(faults: readonly Fault[]): Refusal {
  const [first] = faults as [Fault];
  const more = faults.length > 1 ? ` (and ${faults.length - 1} more)` : "";
  return refuse(invalidBody, `${first.pointer || "The body"}: ${first.detail}${more}`, { errors: faults });
}

/**
 * The operation's own rules, which depend on the present state. A body that breaks only these is refused when the call is governed: a repetition of an accepted
 * call whose answer was lost gets its first answer before that, whatever the state is by then.
 */
function ownRules(
  { spec, context, params, loaded }: Authorized,
  body: unknown,
  declared: readonly Fault[],
): Faults | Promise<Faults> {
  const rules = spec.validate as unknown as ((ctx: object, given: object) => Faults | Promise<Faults>) | undefined;
  if (!rules || typeof body !== "object" || body === null || Array.isArray(body)) return none;
  const judge = () => rules(context, { params, body, loaded });
  if (declared.length === 0) return judge();
  const places = declared.map(({ pointer = "" }) => pointer);
  const elsewhere = (faults: Faults): Faults =>
    faults.filter(({ pointer = "" }) => !places.some((place) => overlap(place, pointer)));
  try {
    const found = judge();
    return found instanceof Promise ? found.then(elsewhere).catch(noneBesides) : elsewhere(found);
  } catch (error) {
    return noneBesides(error);
  }
}

type Faults = readonly Fault[];
const none: Faults = [];

/** The rules are written for bodies of the declared form. One that is refused for its form anyway may make them fail. */
function noneBesides(error: unknown): Faults {
  if (error instanceof Refusal) throw error;
  return none;
}

/** Whether one place lies within the other. */
const overlap = (a: string, b: string): boolean => a === b || a.startsWith(`${b}/`) || b.startsWith(`${a}/`);

function readQuery({ compiled, call, spec }: Authorized): Query {
  if (call.query === "" && !spec.query) return noQuery;
  const search = new URLSearchParams(call.query);
  for (const [name, value] of search) {
    if (isControlled(name)) throw badParameter(named(name), "has a control character in its name; leave it out");
    if (value.includes("\u0000")) throw badParameter(name, "must not hold a NUL character");
  }
  const dryRun = spec.method !== "GET" && takeDryRun(search);
  const read = compiled.query();
  if (!read) {
    const unknown = search.keys().next().value;
    if (unknown === undefined) return { query: noQuery.query, dryRun };
    const except = spec.method === "GET" ? "" : " but dry_run";
    throw badParameter(unknown, `this operation takes no query parameters${except}`);
  }
  const { faults, value } = read(search);
  const [first] = faults;
  if (first) throw refuse(invalidParameter, `${first.parameter}: ${first.detail}`, { errors: faults });
  return { query: value, dryRun };
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what no name has.
const controls = /[\u0000-\u001f\u007f-\u009f]/;
const isControlled = (name: string): boolean => controls.test(name);
/** A name of a parameter as it was sent, percent-encoded, so that no answer, record or log line carries a control character. */
const named = (name: string): string => encodeURIComponent(name.toWellFormed()).slice(0, 100);

/** Takes `dry_run` out of the query of a change. */
function takeDryRun(search: URLSearchParams): boolean {
  const asked = search.getAll("dry_run");
  if (asked.length > 1 || !/^(true|false)$/.test(asked[0] ?? "false"))
    throw badParameter("dry_run", "takes true or false, once");
  search.delete("dry_run");
  return asked[0] === "true";
}

function badParameter(parameter: string, detail: string): Error {
  return refuse(invalidParameter, `${parameter}: ${detail}`, {
    errors: [{ parameter, code: "invalid_parameter", detail }],
  });
}
