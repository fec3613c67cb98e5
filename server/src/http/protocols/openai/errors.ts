import type { Fault } from "../../../kernel/errors.ts";
import { storedJson } from "../../../kernel/stored-json.ts";
import type { Answer, ProblemBody } from "../../../pipeline/call.ts";

const problemJson = storedJson<{ body: ProblemBody }>();

/** What the clients of OpenAI call kinds of errors. */
function typeOf(status: number): string {
  if (status === 401) return "authentication_error";
  if (status === 403) return "permission_error";
  if (status === 404) return "not_found_error";
  if (status === 409) return "conflict_error";
  if (status === 429) return "rate_limit_error";
  return status >= 500 ? "server_error" : "invalid_request_error";
}

/** Names of our members as callers of these interfaces wrote them. */
const theirNames: Readonly<Record<string, string>> = {
  agent: "model",
  history: "messages",
  text: "messages",
  context: "messages",
  external_key: "id",
  image: "messages",
  results: "messages",
  turn_id: "messages",
};

/** A parameter by the pointer to it, in the manner of OpenAI: `messages[0].role`. */
export function parameterName({ pointer, parameter, header }: Fault): string | null {
  if (pointer === undefined) return parameter ?? header ?? null;
  const [first = "", ...rest] = pointer
    .slice(1)
    .split("/")
    .map((name) => name.replaceAll("~1", "/").replaceAll("~0", "~"));
  if (first === "") return null;
  if (first === "options" && rest.length > 0) return optionName(rest);
  return [theirNames[first] ?? first, ...rest.map((name) => (/^\d+$/.test(name) ? `[${name}]` : `.${name}`))].join("");
}

/** A member of a reply's options as POST /v1/chat/completions has it. */
function optionName([first = "", ...rest]: readonly string[]): string {
  const [place = "", member] = rest;
  if (first === "images") return "messages";
  if (first === "format")
    return rest.length === 0 ? "response_format" : ["response_format.json_schema", ...rest].join(".");
  if (first !== "tools" || member === undefined) return rest.length === 0 ? first : `${first}[${place}]`;
  return `tools[${place}].function.${rest.slice(1).join(".")}`;
}

/** A problem as the clients of OpenAI read errors. `x-should-retry` tells them whether the call is worth repeating. */
export function openAiError(answer: Answer): Answer {
  const problem = problemJson(answer, "body");
  const unknownModel = problem.errors?.some(({ pointer }) => pointer === "/agent") ?? false;
  const status = unknownModel ? 404 : answer.status;
  const { errors = [], request_id, audit_ref, retryable } = problem;
  const said = errors.map((fault) => `${parameterName(fault) ?? "body"}: ${fault.detail}`);
  const error = {
    message: said.length > 0 ? `${problem.detail} ${said.join("; ")}` : problem.detail,
    type: typeOf(status),
    param: errors[0] ? parameterName(errors[0]) : null,
    code: unknownModel ? "model_not_found" : problem.code,
    request_id,
    audit_ref,
    retryable,
  };
  return {
    status,
    contentType: "application/json",
    body: JSON.stringify({ error }),
    headers: { ...answer.headers, "X-Should-Retry": String(retryable) },
  };
}
