import { Type } from "typebox";
import { defineEvent, whoHolds } from "../../kernel/events.ts";
import { ExportFormat, ExportId } from "./schemas.ts";

export const exportReady = defineEvent({
  type: "audit.export_ready",
  readers: whoHolds("audit:export"),
  summary: "An export of the audit log is ready to download.",
  schema: Type.Object({
    event: Type.Literal("audit.export_ready"),
    export_id: ExportId,
    format: ExportFormat,
    rows: Type.Integer({ minimum: 0, description: "Records in the file." }),
    digest: Type.String({ description: "SHA-256 of the file, in hexadecimal." }),
  }),
});

export const logStoppedEvent = defineEvent({
  type: "audit.log_stopped",
  readers: whoHolds("audit:read"),
  summary: "The audit log is no longer signed, because the database no longer matches what the service signed.",
  schema: Type.Object({
    event: Type.Literal("audit.log_stopped"),
    reason: Type.String({ description: "Reason code, such as `record_forged` or `head_went_back`." }),
    detail: Type.String({ description: "The reason as a sentence." }),
  }),
});
