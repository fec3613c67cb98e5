import { Type } from "typebox";
import { refuse } from "../../../../kernel/errors.ts";
import { byObject } from "../../../../kernel/narrowing.ts";
import { defineRead, governs } from "../../../../kernel/operation.ts";
import { notFound, proofNotReady } from "../../../../kernel/problems.ts";
import { auditIntegrity, logStopped } from "../../errors.ts";
import { exampleProof, exampleRecord } from "../../example.ts";
import { auditPort } from "../../ports.ts";
import { AuditRef } from "../../schemas.ts";
import { concernedBy } from "../concerns.ts";
import { findRecord, type RecordRow } from "../store.ts";
import { refuseAltered } from "../view.ts";

export const readProof = defineRead({
  id: "audit.readProof",
  path: "/v1/audit/events/{audit_ref}/proof",
  listed: true,
  summary: "Read the offline proof of a record",
  description:
    "C2SP tlog-proof: the record's place, the hashes from it to the root, and the signed checkpoint of the log. The line `extra` holds the leaf data in base64, so " +
    "that the proof needs nothing but the log's key. A proof that is asked for too early waits up to two seconds. Of a 401, as of its record.",
  params: Type.Object({ audit_ref: AuditRef }),
  output: Type.String(),
  contentType: "text/plain; charset=utf-8",
  example: { params: { audit_ref: exampleRecord.audit_ref }, output: exampleProof },
  permission: "audit:read",
  load: (ctx, { audit_ref }) => findRecord(ctx, audit_ref),
  narrowing: byObject(
    "the agents that the record concerns; records of the key's own calls are open to it",
    (ctx, { loaded }: { loaded: RecordRow }) => concernedBy(ctx, loaded.body),
  ),
  compliance: governs("audit.read"),
  audit: ({ params }) => `audit:${params.audit_ref}`,
  errors: [proofNotReady, auditIntegrity, logStopped],
  async handle(ctx, { params, loaded }) {
    await refuseAltered(ctx, loaded);
    const proof = await ctx.port(auditPort).proof(loaded.log, params.audit_ref);
    if (proof.state === "proved") return proof.text;
    if (proof.state === "stopped") throw refuse(logStopped, `${proof.detail} ${proof.remedy}`);
    if (proof.state === "absent")
      throw refuse(notFound, "The text of this record is no longer kept, so there is nothing to prove.");
    throw refuse(proofNotReady, "The log has not reached this record within two seconds; ask again in a moment.");
  },
});
