import { type AuditRecord, buildRecordBody, type CommittedField, commit } from "@aos/proof";
import { timestamp } from "../kernel/clock.ts";
import type { StageVerdict } from "../kernel/verdict.ts";
import type { Salt, Salts } from "./salts.ts";
import { installationEnvironment, type LogScope } from "./scope.ts";

/** What the pipeline knows of a call when it ends. */
export interface CallFacts {
  readonly id: string;
  readonly time: number;
  readonly scope: LogScope | null;
  readonly principal: string;
  readonly keyId: string | null;
  readonly operation: string;
  readonly object: string | null;
  readonly taskId: string | null;
  readonly approvalId: string | null;
  readonly stages: readonly StageVerdict[];
  readonly status: number;
  readonly code: string | null;
  readonly outcome: AuditRecord["outcome"];
  readonly requestId: string;
  readonly requestDigest: string | null;
  readonly responseDigest: string | null;
  readonly address: string | null;
  readonly trustScore: number | null;
  readonly subject: string;
  readonly freshSubject: boolean;
  readonly context: string | null;
}

export interface Prepared {
  readonly id: string;
  readonly organization: string;
  readonly environment: string;
  readonly body: string;
  readonly context: string | null;
  readonly saltId: string;
  readonly newSalt: { readonly subject: string; readonly id: string; readonly salt: Buffer } | null;
}

/**
 * Turns what happened into the text of a record: personal values and body digests stand in it as commitments under the salt of the
 * subject whose data they are. Waits only where that salt is not in memory.
 */
export function createRecorder(salts: Salts, organization: string): (facts: CallFacts) => Prepared | Promise<Prepared> {
  return (facts) => {
    const scope = facts.scope ?? { organization, environment: installationEnvironment };
    if (facts.freshSubject) {
      const salt = salts.fresh(scope, facts.subject);
      return recordUnder(salt, scope, facts, {
        subject: facts.subject,
        id: salt.id,
        salt: Buffer.from(salt.secret, "hex"),
      });
    }
    const salt = salts.cached(scope, facts.subject);
    if (salt) return recordUnder(salt, scope, facts, null);
    return salts.saltOf(scope, facts.subject).then((found) => recordUnder(found, scope, facts, null));
  };
}

function recordUnder(salt: Salt, scope: LogScope, facts: CallFacts, newSalt: Prepared["newSalt"]): Prepared {
  const { organization, environment } = scope;
  const sealed = (field: CommittedField, value: string | null): string | null =>
    value === null ? null : commit(salt.secret, facts.id, field, value);
  const body = buildRecordBody({
    address: sealed("address", facts.address),
    approval_id: facts.approvalId,
    code: facts.code,
    environment,
    id: facts.id,
    key_id: facts.keyId,
    key_seq: null,
    object: facts.object,
    operation: facts.operation,
    organization,
    outcome: facts.outcome,
    principal: facts.principal,
    request: sealed("request", facts.requestDigest),
    request_id: facts.requestId,
    response: sealed("response", facts.responseDigest),
    stages: facts.stages,
    status: facts.status,
    task_id: facts.taskId,
    time: timestamp(facts.time),
    trust_score: facts.trustScore,
    version: 1,
  });
  return { id: facts.id, organization, environment, body, context: facts.context, saltId: salt.id, newSalt };
}
