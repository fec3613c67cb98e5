import { Type } from "typebox";
import { byObject } from "../../../../kernel/narrowing.ts";
import { defineRead, governs } from "../../../../kernel/operation.ts";
import { auditIntegrity } from "../../errors.ts";
import { exampleRecord } from "../../example.ts";
import { auditPort } from "../../ports.ts";
import { AuditRecord, AuditRef } from "../../schemas.ts";
import { concernedBy } from "../concerns.ts";
import { findRecord, findSalt, type RecordRow } from "../store.ts";
import { storedRecord } from "../stored-record.ts";
import { recordView, refuseAltered } from "../view.ts";

export const readEvent = defineRead({
  id: "audit.readEvent",
  path: "/v1/audit/events/{audit_ref}",
  listed: true,
  summary: "Read an audit record",
  description:
    "Who called, with which key, what, the four stage verdicts with reasons and policy versions, the outcome, and commitments to the bodies. `openings` lets " +
    "whoever holds a body check that it is the one: the commitment is SHA-256(opening ‖ hexadecimal SHA-256 of the body). `leaf_data` is what the log holds. " +
    "The record of a 401 belongs to no environment; auditors and admins of production whose key is not narrowed to agents read it.",
  params: Type.Object({ audit_ref: AuditRef }),
  output: AuditRecord,
  example: { params: { audit_ref: exampleRecord.audit_ref }, output: exampleRecord },
  permission: "audit:read",
  load: (ctx, { audit_ref }) => findRecord(ctx, audit_ref),
  narrowing: byObject(
    "the agents that the record concerns; records of the key's own calls are open to it",
    (ctx, { loaded }: { loaded: RecordRow }) => concernedBy(ctx, loaded.body),
  ),
  compliance: governs("audit.read"),
  audit: ({ params }) => `audit:${params.audit_ref}`,
  errors: [auditIntegrity],
  async handle(ctx, { loaded }) {
    await refuseAltered(ctx, loaded);
    return recordView(loaded, await findSalt(ctx, loaded, storedRecord(loaded)), ctx.port(auditPort));
  },
});
