import type { Reply } from "./http.ts";
import { printable } from "./terminal.ts";

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
  readonly audit_ref?: string;
  readonly errors?: readonly Fault[];
}

/** The problem in an answer; null where the call went well. */
export function problemOf({ status, body }: Reply): Problem | null {
  if (status >= 200 && status < 300) return null;
  const { code, detail, audit_ref, errors } = (typeof body === "object" && body !== null ? body : {}) as Partial<Problem>;
  if (typeof code !== "string" || typeof detail !== "string")
    return { code: "unknown", detail: `The answer has status ${status} and is none of the service's; check AOS_URL.` };
  return { code, detail, ...(audit_ref ? { audit_ref } : {}), ...(errors ? { errors } : {}) };
}

/** What is wrong with a file, one line for each fault in the form that editors jump by: `file:line:column: message`. */
export function problemLines(file: string, { code, detail, audit_ref, errors = [] }: Problem): string[] {
  if (errors.length === 0) return [printable(`${file}: ${detail} (${[code, audit_ref].filter(Boolean).join(", ")})`)];
  return errors.map((fault) => {
    const place = fault.line === undefined ? file : `${file}:${fault.line}:${fault.column}`;
    const name = fault.pointer ?? fault.parameter ?? fault.header ?? "";
    return printable(`${place}: ${name === "" ? "" : `${name} `}${fault.detail}`);
  });
}
