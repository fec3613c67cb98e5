import type { TObject } from "typebox";
import type { BodyBounds } from "../kernel/body-bounds.ts";
import type { Fault, Refusal } from "../kernel/errors.ts";
import type { KeyFacts } from "../kernel/key-facts.ts";
import type { Principal, Scope } from "../kernel/principal.ts";
import type { StageVerdict } from "../kernel/verdict.ts";

/** How a caller says who it is: a key, or, for machines of the service itself, a principal with its scope. */
export type Credential =
  | { readonly kind: "bearer"; readonly secret: string }
  | { readonly kind: "none" }
  | ChatTokenCredential
  | SessionCredential
  /** A sign-in: what opens a session, from the body. */
  | { readonly kind: "sign_in"; readonly by: "key" | "link"; readonly secret: string }
  /** A sign-in by something else: `prove` finds out who it is, once the address may try, or throws a Refusal. */
  | { readonly kind: "proof"; readonly prove: () => Promise<KeyFacts> }
  /** A signature over the body of the call: `prove` finds out whose it is, or throws a Refusal. */
  | { readonly kind: "signature"; readonly prove: () => Promise<KeyFacts> }
  /** The interface could not read a credential out of the request, or takes none that comes so. */
  | { readonly kind: "refused"; readonly refusal: Refusal }
  | { readonly kind: "inside"; readonly principal: Principal; readonly scope: Scope };

/** A chat token, and the origin of the page that sends it. */
export interface ChatTokenCredential {
  readonly kind: "chat_token";
  readonly secret: string;
  /** Null: the request names none. */
  readonly origin: string | null;
}

/** A session of the portal, from its cookie, with what the browser says of where the request comes from. */
export interface SessionCredential {
  readonly kind: "session";
  readonly secret: string;
  /** What the page sent as `X-CSRF-Token`; null without it. */
  readonly csrf: string | null;
  /** Whether the method is one that changes things. */
  readonly changes: boolean;
  /** Whether the page that made the request is of another origin. */
  readonly fromElsewhere: boolean;
}

/** One call on its way into the pipeline, the same from every interface. */
export interface Call {
  readonly requestId: string;
  readonly credential: Credential;
  /** Network address of the caller; null inside. */
  readonly address: string | null;
  readonly params: Readonly<Record<string, string>>;
  /** The query as sent, without its question mark. */
  readonly query: string;
  /**
   * Reads the body when the pipeline gets to it, as JSON or by the reader of its media type; throws a Refusal where it is not readable. Answers a promise, which rejects
   * with the Refusal, for a body that is read beside the calls of the process, and for one with a file that is still arriving. `bounds`: of JSON; default: the ordinary ones.
   */
  readonly readBody: (readers?: BodyReaders, receives?: FormReader, bounds?: BodyBounds) => unknown;
  /** Gives back what the body holds, once the call has ended. */
  readonly end?: () => Promise<void>;
  /** Bytes of the body. */
  readonly bodyLength: number;
  /** SHA-256 of the body's bytes, in hexadecimal; null without one. */
  readonly bodyDigest: () => string | null;
  readonly idempotencyKey: string | null;
  readonly ifMatch: string | null;
  readonly ifNoneMatch: string | null;
  readonly accept: string | null;
  readonly prefer: string | null;
  readonly lastEventId: string | null;
  /** Aborted when the caller has gone or the service stops. Made when it is asked for: few calls look. */
  readonly signal: () => AbortSignal;
  /** The batch that the call is an item of. */
  readonly batch: string | null;
  /** Whether it belongs to a request that counted against the caller's rate with an earlier call. */
  readonly counted?: boolean;
  /** Method and path as addressed, what an Idempotency-Key is bound to. */
  readonly target: string;
}

/** Readers of bodies by media type, for an operation that takes more than JSON. */
export type BodyReaders = Readonly<Record<string, (bytes: Buffer) => unknown>>;

/** How a body with a file is read: the part with the file, its most bytes, and the members besides it. */
export interface FormReader {
  readonly form: TObject;
  readonly file: string;
  readonly limit: number;
}

/** What goes back to the caller. */
export interface Answer {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
  readonly headers: Record<string, string>;
  /** What follows the head instead of `body`, which is empty then. */
  readonly stream?: AsyncIterable<string | Uint8Array>;
}

/** A problem body (RFC 9457) with our members. */
export interface ProblemBody {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly code: string;
  readonly detail: string;
  readonly instance: string;
  readonly request_id: string;
  readonly audit_ref: string;
  readonly stage?: string;
  readonly retryable: boolean;
  readonly errors?: readonly Fault[];
}

const unreached = (stage: StageVerdict["stage"]): StageVerdict => ({
  stage,
  verdict: "not_reached",
  reasons: ["an earlier stage refused the call"],
  policy_version: null,
});
const unreachedPermissions = unreached("permissions");
const unreachedGate = unreached("evaluation_gate");
const unreachedCompliance = unreached("compliance");
const recorded: StageVerdict = { stage: "audit", verdict: "recorded", reasons: [], policy_version: null };

/** What each stage said of a call; left out: it was not reached. */
export interface Verdicts {
  readonly permissions?: StageVerdict;
  readonly gate?: StageVerdict;
  readonly compliance?: StageVerdict;
}

/** The verdicts of a call, those of stages that it did not reach included. */
export function verdictsOf({
  permissions = unreachedPermissions,
  gate = unreachedGate,
  compliance = unreachedCompliance,
}: Verdicts): Required<Verdicts> {
  return { permissions, gate, compliance };
}

/** The four verdicts in the order of the pipeline. */
export function stagesOf(verdicts: Verdicts): StageVerdict[] {
  const { permissions, gate, compliance } = verdictsOf(verdicts);
  return [permissions, gate, compliance, recorded];
}
