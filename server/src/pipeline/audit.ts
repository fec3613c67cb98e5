import { hash } from "node:crypto";
import type { ProblemType, Refusal } from "../kernel/errors.ts";
import type { AuditObject } from "../kernel/operation.ts";
import { anonymous } from "../kernel/principal.ts";
import { stagesOf } from "./call.ts";
import type { RecordDraft } from "./ports.ts";
import { recordedContext } from "./replay-context.ts";
import type { Reached } from "./stages.ts";

const nothing: AuditObject = { object: null };

/** SHA-256 of a text in UTF-8, in hexadecimal. */
export function digest(text: string): string {
  return hash("sha256", text, "hex");
}

/** What the record names: the operation knows, from whatever of its input was read before the call ended. */
function objectOf({ spec, params = {}, input, loaded }: Reached, output: unknown): AuditObject {
  const audit = spec.audit as unknown as (given: object) => AuditObject;
  try {
    return audit({ params, body: input?.body, loaded, output });
  } catch {
    return nothing; // a refused call may lack what the operation names its object by
  }
}

/** The record of a call that ends with `status`; `problem` says why where it was refused or failed. */
export function draftRecord(
  reached: Reached,
  end: { status: number; body: string; output: unknown; problem: ProblemType | null },
): RecordDraft {
  const { auditRef, now, scope = null, principal = anonymous, call, spec } = reached;
  const named = objectOf(reached, end.output);
  const code = end.problem?.code ?? null;
  return {
    id: auditRef,
    time: now,
    scope,
    principal: principal.id,
    keyId: principal.keyId,
    operation: spec.id,
    object: named.object,
    taskId: named.task ?? null,
    approvalId: named.approval ?? reached.approvalId ?? null,
    stages: stagesOf(reached),
    status: end.status,
    code,
    outcome: code === null ? "allowed" : end.status >= 500 ? "failed" : "refused",
    requestId: call.requestId,
    requestDigest: named.given ?? call.bodyDigest(),
    responseDigest: named.result ?? (end.body === "" ? null : digest(end.body)),
    address: call.address,
    trustScore: named.trust ?? null,
    subject: named.subject ?? principal.id,
    freshSubject: named.freshSubject === true && !reached.replayed,
    context: recordedContext(reached, named, code === null),
  };
}

/** Credentials of calls that sign in. */
const signingIn: ReadonlySet<string> = new Set(["sign_in", "proof", "signature", "refused"]);

/**
 * Refusals that a flood could repeat (401, 429) are recorded once per key or address, code and second; all of that second share the
 * reference of the one record. Bounded: the second that passed is forgotten.
 */
export class RefusalThrottle {
  #second = 0;
  #seen = new Map<string, Promise<string>>();

  /** Runs `write` for the first of its kind in this second; the others wait for the same reference. */
  once(reached: Reached, refusal: Refusal, write: () => Promise<string>): Promise<string> {
    const { now, principal, call, spec } = reached;
    const second = Math.floor(now / 1000);
    if (second !== this.#second) {
      this.#second = second;
      this.#seen = new Map();
    }
    const who = principal?.keyId ?? call.address ?? "-";
    // What somebody tried to sign in with is not hidden behind a page that asked who is signed in.
    const tried = signingIn.has(call.credential.kind) ? ` ${spec.id}` : "";
    const kind = `${refusal.type.code} ${who}${tried}`;
    const first = this.#seen.get(kind);
    if (first) return first;
    const written = write();
    this.#seen.set(kind, written);
    written.catch(() => this.#seen.delete(kind));
    return written;
  }
}
