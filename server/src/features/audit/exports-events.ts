import { Type } from "typebox";
import { defineEvent } from "../../kernel/events.ts";
import { ExportFormat, ExportId } from "./exports-schemas.ts";

export const exportReady = defineEvent({
  type: "audit.export_ready",
  summary: "An export of the audit log can be fetched.",
  schema: Type.Object({
    event: Type.Literal("audit.export_ready"),
    export_id: ExportId,
    format: ExportFormat,
    rows: Type.Integer({ minimum: 0, description: "Records in the file." }),
    digest: Type.String({ description: "SHA-256 of the file, in hexadecimal." }),
  }),
});
