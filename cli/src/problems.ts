import type { Given } from "./command.ts";
import type { Reply } from "./http.ts";
import { exits, type Painter, painter, printable, type Terminal } from "./terminal.ts";

interface Fault {
  readonly pointer?: string;
  readonly parameter?: string;
  readonly header?: string;
  readonly line?: number;
  readonly column?: number;
  readonly detail: string;
}

/** A problem of the service (RFC 9457), as far as commands look into it. */
export interface Problem {
  readonly code: string;
  readonly detail: string;
  readonly status?: number;
  readonly type?: string;
  readonly audit_ref?: string;
  readonly errors?: readonly Fault[];
  readonly missing_scope?: string;
  /** What the evaluation gate says, of calls that it refused. */
  readonly gate?: { readonly state: string; readonly reasons: readonly string[] };
}

/** The problem in an answer; null where the call went well. */
export function problemOf({ status, body }: Reply): Problem | null {
  if (status >= 200 && status < 300) return null;
  const { code, detail, audit_ref, errors, type, missing_scope, gate } = (
    typeof body === "object" && body !== null ? body : {}
  ) as Partial<Problem>;
  if (typeof code !== "string" || typeof detail !== "string")
    return {
      code: "unknown",
      status,
      detail: `The answer has status ${status} and is not from the service. Check AOS_URL.`,
    };
  return {
    code,
    detail,
    status,
    ...(type ? { type } : {}),
    ...(audit_ref ? { audit_ref } : {}),
    ...(errors ? { errors } : {}),
    ...(missing_scope ? { missing_scope } : {}),
    ...(gate ? { gate } : {}),
  };
}

/** What is wrong with a file, one line for each fault in the form that editors jump by: `file:line:column: message`. */
export function problemLines(file: string, { code, detail, audit_ref, errors = [] }: Problem): string[] {
  if (errors.length === 0) return [printable(`${file}: ${detail} (${[code, audit_ref].filter(Boolean).join(", ")})`)];
  return errors.map((fault) => {
    const place = fault.line === undefined ? file : `${file}:${fault.line}:${fault.column}`;
    const name = nameOf(fault);
    return printable(`${place}: ${name === "" ? "" : `${name} `}${fault.detail}`);
  });
}

const nameOf = ({ pointer, parameter, header }: Fault): string => pointer ?? parameter ?? header ?? "";

/** What to do about a problem, in the words of the command line; null where its own text says it. */
export function remedyOf({ code, missing_scope }: Problem, profile: string): string | null {
  const login = profile === "default" ? "aos login" : `aos login --profile ${profile}`;
  switch (code) {
    case "unauthenticated":
      return `Sign in with ${login}, or set AOS_KEY to a valid key.`;
    case "insufficient_scope":
      return `${missing_scope ? `It requires the permission ${missing_scope}. ` : ""}Check your permissions with aos whoami, or sign in with another key: aos login.`;
    case "evaluation_gate_failed":
      return "See what the gate requires with aos evaluations gates get <agent>; run the gate and deploy with aos agents promote <agent> --to <environment>.";
    case "agent_not_deployed":
      return "Deploy a version: aos agents deployments deploy <agent> --version <number>";
    case "stale_revision":
      return "Someone changed it meanwhile. Review it, then repeat the command; without --if-match the current revision is read first.";
    default:
      return null;
  }
}

/** Writes what is wrong, where, what to do, and which record proves it. Returns the exit status. */
export function writeProblem(problem: Problem, terminal: Terminal, profile: string): number {
  const paint = painter({ isTTY: terminal.showsProgress === true, env: terminal.env });
  terminal.stderr.write(`${problemText(problem, paint, profile).join("\n")}\n`);
  return exitOf(problem);
}

/** 4 if the key is not valid, else 1. */
export const exitOf = ({ status }: Problem): number => (status === 401 ? exits.notSignedIn : exits.failed);

function problemText(problem: Problem, paint: Painter, profile: string): string[] {
  const { code, status, detail, audit_ref, errors = [], type } = problem;
  const remedy = remedyOf(problem, profile);
  const shown = errors.filter((fault) => errors.length > 1 || !detail.includes(fault.detail));
  return [
    `aos: ${paint.removed(printable(detail))}`,
    ...shown.map((fault) => `  ${paint.changed(printable(nameOf(fault)))} ${printable(fault.detail)}`),
    ...(problem.gate?.reasons ?? []).map((reason) => `  ${printable(reason)}`),
    ...(remedy === null ? [] : [`  ${remedy}`]),
    paint.faint(
      printable(
        `  ${code}${status === undefined ? "" : ` (${status})`}${audit_ref ? `, record ${audit_ref}` : ""}${type ? `, ${type}` : ""}`,
      ),
    ),
  ];
}

/** Shows why the service refused a call; null if it did not. Returns the exit status. */
export function refused(reply: Reply, { terminal, json }: Given, profile: string): number | null {
  const problem = problemOf(reply);
  if (problem === null) return null;
  if (!json || reply.body === undefined) return writeProblem(problem, terminal, profile);
  terminal.stderr.write(`${JSON.stringify(reply.body)}\n`);
  return exitOf(problem);
}
