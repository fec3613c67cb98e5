import { generateKeyPairSync, sign } from "node:crypto";
import type { Ed25519Signer } from "./note.ts";
import type { AuditRecord, AuditStage } from "./record.ts";

/** A fresh key. */
export function newSigner(): Ed25519Signer {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  return {
    publicKey: new Uint8Array(Buffer.from(publicKey.export({ format: "jwk" }).x as string, "base64url")),
    sign: (message) => sign(null, message, privateKey),
  };
}

const said = (stage: string, verdict: string, ...reasons: string[]): AuditStage => ({
  policy_version: stage === "compliance" ? "pol_1@2" : null,
  reasons,
  stage,
  verdict,
});

/** A record of a dispatch, third of its key; members replaceable. */
export function auditRecord(members: Partial<AuditRecord> = {}): AuditRecord {
  return {
    address: "aa",
    approval_id: "apr_1",
    code: null,
    environment: "production",
    id: "aud_01jd8x0000000000000000000b",
    key_id: "key_1",
    key_seq: 3,
    object: "agent:sales",
    operation: "agents.dispatchTask",
    organization: "default",
    outcome: "allowed",
    principal: "mbr_1",
    request: "bb",
    request_id: "req_1",
    response: null,
    stages: [
      said("permissions", "allow", "role:operator"),
      said("evaluation_gate", "allow", "gate:missing"),
      said("compliance", "allow", "first", "second"),
      said("audit", "recorded"),
    ],
    status: 202,
    task_id: "tsk_1",
    time: "2026-05-03T09:00:00.123Z",
    trust_score: 0.8125,
    version: 1,
    ...members,
  };
}
