import { limitedTo } from "../../../../kernel/narrowing.ts";
import { defineOperation, exempt, governs } from "../../../../kernel/operation.ts";
import { exampleExport } from "../../example.ts";
import { exportPort } from "../../ports.ts";
import { AuditExport, StartExportBody } from "../../schemas.ts";
import { exportJob, exportView } from "../rules.ts";
import { insertExport } from "../store.ts";

export const startExport = defineOperation({
  id: "audit.startExport",
  method: "POST",
  path: "/v1/audit/exports",
  status: 202,
  listed: true,
  summary: "Start an export of the audit log",
  description:
    "Writes the records that a filter fits into a file, oldest first, with a signed manifest. It holds what stands in the log at this moment: a call is in it some milliseconds after its answer, " +
    "under load at most a second. Every record of the log up to then is read and held to its hash, and the records themselves decide which fit; where one is not what was logged, the export fails and names it. A key that is narrowed to agents exports what it sees. `GET /v1/audit/exports/{export}` tells how far it is and answers the file.",
  body: StartExportBody,
  output: AuditExport,
  location: ({ export_id }) => `/v1/audit/exports/${export_id}`,
  example: {
    body: { format: "jsonl", filter: { decision: ["refused"], created_after: "2026-11-01T00:00:00Z" } },
    output: {
      ...exampleExport,
      state: "queued",
      rows: null,
      bytes: null,
      digest: null,
      manifest: null,
      finished_at: null,
    },
  },
  permission: "audit:export",
  load: exempt("names no object; the log is that of the key's environment"),
  narrowing: limitedTo("exports records that concern the key's agents alone"),
  gate: exempt("makes no agent act"),
  decides: exempt("exports are for people"),
  compliance: governs("audit.export"),
  audit: ({ output }) => (output ? `export:${output.export_id}` : "exports"),
  async handle(ctx, { body: { format, filter = {} } }) {
    const { agents } = ctx.principal;
    const size = await ctx.port(exportPort).size(ctx.scope);
    const id = ctx.newId("exp");
    const kept = { ...filter, ...(agents !== null && { agents: [...agents].sort() }) };
    const row = await insertExport(ctx, { id, format, filter: kept, treeSize: size });
    ctx.enqueue(exportJob(ctx.scope, id));
    return exportView(row, ctx.port(exportPort).logKey(ctx.scope));
  },
});
