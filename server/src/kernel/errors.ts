/** A kind of failure that callers can meet: one entry of the catalogue that `/docs/problems/` answers. `code` is contract, never renamed. */
export interface ProblemType {
  readonly code: string;
  readonly status: number;
  readonly title: string;
  /** Why it happens, for the page of this problem. */
  readonly cause: string;
  /** What the caller can do about it. */
  readonly remedy: string;
  readonly retryable: boolean;
  /** It says nothing of what was asked for: the service itself could not do its work. Machines of the service never take it as an outcome. */
  readonly infrastructure?: true;
}

const catalogue = new Map<string, ProblemType>();

/** Declares a kind of failure and enters it in the catalogue. Two declarations of one code are a mistake in the source. */
export function defineProblem(type: ProblemType): ProblemType {
  if (catalogue.has(type.code)) throw new Error(`problem ${type.code} is declared twice`);
  catalogue.set(type.code, type);
  return type;
}

/** Every declared kind of failure, by code. */
export function problemCatalogue(): ProblemType[] {
  return [...catalogue.values()].sort((a, b) => (a.code < b.code ? -1 : 1));
}

/** One fault of an input: `pointer` (RFC 6901) in a body, `parameter` in the path or query, `header` by its name; in a body that is a file, its place too. */
export interface Fault {
  readonly pointer?: string;
  readonly parameter?: string;
  readonly header?: string;
  /** From 1; together with `column`. */
  readonly line?: number;
  /** From 1, in characters (code points) of the line. */
  readonly column?: number;
  readonly code: string;
  readonly detail: string;
}

/** The stage of the pipeline that refused. */
export type StageName = "permissions" | "evaluation_gate" | "compliance" | "audit";

/** The members that every problem body has (RFC 9457, and ours): no refusal can give them another meaning. */
type ReservedMembers = {
  readonly [Name in
    | "type"
    | "title"
    | "status"
    | "code"
    | "detail"
    | "instance"
    | "request_id"
    | "audit_ref"
    | "stage"
    | "retryable"
    | "errors"]?: never;
};

export interface RefusalDetails {
  /** One sentence for this occurrence: the field, the rule, the remedy. */
  readonly detail: string;
  readonly errors?: readonly Fault[];
  readonly stage?: StageName;
  /** Headers that belong to the status, such as `Allow` or `Retry-After`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether the call is worth repeating as it is, where that is not what the type of the problem says. */
  readonly retryable?: boolean;
  /** Further members of the problem body, such as the scope that is missing. */
  readonly members?: Readonly<Record<string, unknown>> & ReservedMembers;
}

/** The one error a handler or a stage throws to say no. Anything else that is thrown is a fault of ours: 500. */
export class Refusal extends Error {
  readonly type: ProblemType;
  readonly details: RefusalDetails;
  constructor(type: ProblemType, details: RefusalDetails) {
    super(`${type.code}: ${details.detail}`);
    this.name = "Refusal";
    this.type = type;
    this.details = details;
  }
}

/** Says no: `throw refuse(wrongState, "The task is completed; only a waiting task can be cancelled.")`. */
export function refuse(type: ProblemType, detail: string, more: Omit<RefusalDetails, "detail"> = {}): Refusal {
  return new Refusal(type, { detail, ...more });
}

/**
 * What an inside call throws that the service itself could not carry out: the database, the queue, a thread, or an unexpected exception. It is no `Refusal`, so that
 * no machine takes it as an outcome: it is thrown on, and the work is done again later.
 */
export class InfrastructureError extends Error {
  /** As a caller from outside would have got it. */
  readonly refusal: Refusal;
  constructor(refusal: Refusal) {
    super(refusal.message, { cause: refusal.cause ?? refusal });
    this.name = "InfrastructureError";
    this.refusal = refusal;
  }
}

/** A refusal as a machine of the service gets it thrown. */
export const thrownInside = (refusal: Refusal): Refusal | InfrastructureError =>
  refusal.type.infrastructure ? new InfrastructureError(refusal) : refusal;

/** The refusal behind what an inside call threw; undefined: it is no answer of a call. */
export function refusalOf(error: unknown): Refusal | undefined {
  if (error instanceof InfrastructureError) return error.refusal;
  return error instanceof Refusal ? error : undefined;
}

/** What a machine writes down of work that failed. */
export interface BusinessFailure {
  readonly code: string;
  readonly detail: string;
}

/**
 * A refused call as the failure that a machine writes down. Anything else is thrown on as it is: an error of the infrastructure is no outcome of the work, and the
 * work stays as it was.
 */
export function businessFailure(error: unknown): BusinessFailure {
  if (!(error instanceof Refusal) || error.type.infrastructure) throw error;
  return { code: error.type.code, detail: error.details.detail };
}
