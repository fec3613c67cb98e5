import { type Fault, type Refusal, refuse } from "../kernel/errors.ts";
import { invalidBody, invalidParameter } from "../kernel/problems.ts";
import { type Attempt, contextOf } from "./attempt.ts";
import type { BodyReaders } from "./call.ts";

const noQuery = {};

/**
 * Query and body of a call, validated against their declarations; every fault at once. Read after permissions: who may not call learns
 * nothing about the body. A change takes `dry_run=true` besides its own parameters.
 */
export function readInput(attempt: Attempt): void {
  const { compiled, call, spec } = attempt;
  if (spec.door === "inside") return;
  attempt.query = readQuery(attempt);
  const validate = spec.method === "GET" ? null : compiled.body();
  if (!validate) return;
  const body = call.readBody(spec.reads as BodyReaders | undefined);
  const declared = validate(body);
  const own = ownRules(attempt, body);
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
 * The operation's own rules, which go by how things stand. A body that breaks only these is refused when the call is governed: a repetition of one that was
 * accepted, and whose answer was lost, is answered as the first time before that, however things stand by now. Only as far as the body is an object at all. */
function ownRules(attempt: Attempt, body: unknown): readonly Fault[] {
  const rules = attempt.spec.validate as unknown as ((ctx: object, given: object) => readonly Fault[]) | undefined;
  if (!rules || typeof body !== "object" || body === null || Array.isArray(body)) return [];
  return rules(contextOf(attempt), { params: attempt.params, body, loaded: attempt.loaded });
}

function readQuery(attempt: Attempt): Record<string, unknown> {
  const { compiled, call, spec } = attempt;
  if (call.query === "" && !spec.query) return noQuery;
  const search = new URLSearchParams(call.query);
  for (const [name, value] of search) if (value.includes("\u0000")) throw badParameter(name, "must not hold a NUL character");
  if (spec.method !== "GET" && search.has("dry_run")) {
    const asked = search.getAll("dry_run");
    if (asked.length > 1 || !/^(true|false)$/.test(asked[0] ?? "")) throw badParameter("dry_run", "takes true or false, once");
    attempt.dryRun = asked[0] === "true";
    search.delete("dry_run");
  }
  const read = compiled.query();
  if (!read) {
    const unknown = search.keys().next().value;
    if (unknown === undefined) return noQuery;
    throw badParameter(
      unknown,
      spec.method === "GET" ? "this operation takes no query parameters" : "this operation takes no query parameter but dry_run",
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
  return refuse(invalidParameter, `${parameter}: ${detail}`, { errors: [{ parameter, code: "invalid_parameter", detail }] });
}
