import { type Fault, Refusal, refuse } from "../kernel/errors.ts";
import type { Validator } from "../kernel/json-schema.ts";
import { invalidBody, invalidParameter } from "../kernel/problems.ts";
import { type Attempt, contextOf } from "./stages.ts";
import type { BodyReaders } from "./call.ts";

const noQuery = {};

/**
 * Query and body of a call, validated against their declarations; every fault at once. Read after permissions: who may not call learns
 * nothing about the body. Answers a promise only where there is something to wait for. A change takes `dry_run=true` besides its own parameters.
 */
export function readInput(attempt: Attempt): Promise<void> | undefined {
  const { compiled, call, spec } = attempt;
  if (spec.door === "inside") return undefined;
  attempt.query = readQuery(attempt);
  const validate = spec.method === "GET" ? null : compiled.body();
  if (!validate) return undefined;
  const body = call.readBody(spec.reads as BodyReaders | undefined);
  if (body instanceof Promise) return body.then((read) => judgeBody(attempt, validate, read));
  return judgeBody(attempt, validate, body);
}

function judgeBody(attempt: Attempt, validate: Validator, body: unknown): Promise<void> | undefined {
  const declared = validate(body);
  const own = ownRules(attempt, body, declared);
  if (own instanceof Promise) return own.then((faults) => settleBody(attempt, body, declared, faults));
  settleBody(attempt, body, declared, own);
  return undefined;
}

function settleBody(attempt: Attempt, body: unknown, declared: readonly Fault[], own: readonly Fault[]): void {
  if (declared.length > 0) throw unfit([...declared, ...own]);
  attempt.body = body;
  if (own.length > 0) attempt.unfit = unfit(own);
}

function unfit(faults: readonly Fault[]): Refusal {
  const [first] = faults as [Fault];
  const more = faults.length > 1 ? ` (and ${faults.length - 1} more)` : "";
  return refuse(invalidBody, `${first.pointer || "The body"}: ${first.detail}${more}`, { errors: faults });
}

/**
 * The operation's own rules, which depend on the present state. A body that breaks only these is refused when the call is governed: a repetition of an accepted
 * call whose answer was lost gets its first answer before that, whatever the state is by then.
 */
function ownRules(attempt: Attempt, body: unknown, declared: readonly Fault[]): Faults | Promise<Faults> {
  const rules = attempt.spec.validate as unknown as
    | ((ctx: object, given: object) => Faults | Promise<Faults>)
    | undefined;
  if (!rules || typeof body !== "object" || body === null || Array.isArray(body)) return none;
  const judge = () => rules(contextOf(attempt), { params: attempt.params, body, loaded: attempt.loaded });
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

function readQuery(attempt: Attempt): Record<string, unknown> {
  const { compiled, call, spec } = attempt;
  if (call.query === "" && !spec.query) return noQuery;
  const search = new URLSearchParams(call.query);
  for (const [name, value] of search)
    if (value.includes("\u0000")) throw badParameter(name, "must not hold a NUL character");
  if (spec.method !== "GET" && search.has("dry_run")) {
    const asked = search.getAll("dry_run");
    if (asked.length > 1 || !/^(true|false)$/.test(asked[0] ?? ""))
      throw badParameter("dry_run", "takes true or false, once");
    attempt.dryRun = asked[0] === "true";
    search.delete("dry_run");
  }
  const read = compiled.query();
  if (!read) {
    const unknown = search.keys().next().value;
    if (unknown === undefined) return noQuery;
    throw badParameter(
      unknown,
      spec.method === "GET"
        ? "this operation takes no query parameters"
        : "this operation takes no query parameter but dry_run",
    );
  }
  const result = read(search);
  if (result.faults.length > 0) {
    const first = result.faults[0] as { parameter: string; detail: string };
    throw refuse(invalidParameter, `${first.parameter}: ${first.detail}`, { errors: result.faults });
  }
  return result.value;
}

function badParameter(parameter: string, detail: string): Error {
  return refuse(invalidParameter, `${parameter}: ${detail}`, {
    errors: [{ parameter, code: "invalid_parameter", detail }],
  });
}
