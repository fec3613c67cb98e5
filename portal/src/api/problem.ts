/** One fault of an input, with its place. */
export interface Fault {
  readonly pointer?: string;
  readonly parameter?: string;
  readonly header?: string;
  readonly line?: number;
  readonly column?: number;
  readonly code: string;
  readonly detail: string;
}

/** A refusal or failure as the service said it (RFC 9457), or that no answer came (`status` 0). Every call of the portal fails with one of these. */
export class Problem extends Error {
  override readonly name = "Problem";
  readonly status: number;
  readonly code: string;
  readonly title: string;
  readonly detail: string;
  readonly auditRef: string | null;
  readonly stage: string | null;
  readonly retryable: boolean;
  readonly faults: readonly Fault[];
  /** Members that kinds of problems add: `missing_scope`, `policies`, `decided_by`. */
  readonly members: Readonly<Record<string, unknown>>;

  constructor(body: Record<string, unknown> & { status: number; code: string; title: string; detail: string }) {
    super(body.detail);
    this.status = body.status;
    this.code = body.code;
    this.title = body.title;
    this.detail = body.detail;
    this.auditRef = typeof body.audit_ref === "string" ? body.audit_ref : null;
    this.stage = typeof body.stage === "string" ? body.stage : null;
    this.retryable = body.retryable === true;
    this.faults = Array.isArray(body.errors) ? (body.errors as Fault[]) : [];
    this.members = body;
  }

  /** The page with cause and remedy of this kind of problem; null where the service did not answer. */
  get help(): string | null {
    return this.status === 0 ? null : `/docs/problems/${encodeURIComponent(this.code)}`;
  }
}

/** The problem of an answer that is no success. */
export function problemOf(response: Response, body: unknown): Problem {
  if (isProblemBody(body)) return new Problem(body);
  const detail = `The service answered ${response.status} without saying why. Try again in a moment.`;
  return new Problem({
    status: response.status,
    code: "unexpected_answer",
    title: "An unexpected answer",
    detail,
    retryable: true,
  });
}

/** No answer: the connection is lost, or the service is down. */
export function unreachable(cause: unknown): Problem {
  const detail =
    "The service did not answer. Check the connection; the portal goes on by itself as soon as it answers again.";
  const problem = new Problem({ status: 0, code: "unreachable", title: "No connection", detail, retryable: true });
  problem.cause = cause;
  return problem;
}

function isProblemBody(
  body: unknown,
): body is Record<string, unknown> & { status: number; code: string; title: string; detail: string } {
  const said = body as Record<string, unknown> | null;
  return (
    typeof said === "object" &&
    said !== null &&
    typeof said.code === "string" &&
    typeof said.detail === "string" &&
    typeof said.status === "number"
  );
}

/** Whatever was thrown, as a problem: mistakes of the portal itself too, which are reported as such. */
export function asProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  const detail = `The portal itself made a mistake: ${error instanceof Error ? error.message : String(error)}. Reload the page; tell us if it comes again.`;
  return new Problem({ status: 0, code: "portal_fault", title: "Something went wrong here", detail });
}
