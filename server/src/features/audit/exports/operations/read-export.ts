import { Type } from "typebox";
import type { StreamContext } from "../../../../kernel/context.ts";
import { refuse } from "../../../../kernel/errors.ts";
import { byObject } from "../../../../kernel/narrowing.ts";
import { defineRead, governs } from "../../../../kernel/operation.ts";
import { notAcceptable } from "../../../../kernel/problems.ts";
import { whenEnded } from "../../../../kernel/wait.ts";
import { exportFailed, exportNotReady } from "../../errors.ts";
import { exampleExport } from "../../example.ts";
import { exportPort } from "../../ports.ts";
import { AuditExport, ExportId } from "../../schemas.ts";
import { mediaTypes } from "../format.ts";
import { exportView } from "../rules.ts";
import { type ExportRow, findExport, readPart } from "../store.ts";

export const readExport = defineRead({
  id: "audit.readExport",
  path: "/v1/audit/exports/{audit_export}",
  listed: true,
  waitable: true,
  summary: "Read an export, or fetch its file",
  description:
    "As JSON: how far it is, its digest and its manifest. With `Accept: application/x-ndjson` (formats `jsonl` and `ocsf`) or `Accept: text/csv` the finished file itself, byte for byte " +
    "what the manifest signs. In OCSF the caller's address, which the log holds as a commitment only, is `undisclosed`. `Prefer: wait=n` holds the call until the export " +
    "ends.",
  params: Type.Object({ audit_export: ExportId }),
  output: AuditExport,
  example: { params: { audit_export: exampleExport.export_id }, output: exampleExport },
  streams: { "application/x-ndjson": fileAs("application/x-ndjson"), "text/csv": fileAs("text/csv") },
  permission: "audit:export",
  load: (ctx, params) => findExport(ctx, params.audit_export),
  narrowing: byObject(
    "the agents to which whoever started the export was narrowed",
    (_ctx, { loaded }: { loaded: ExportRow }) => loaded.filter.agents ?? null,
  ),
  compliance: governs("audit.export"),
  audit: ({ params }) => `export:${params.audit_export}`,
  errors: [exportNotReady, exportFailed],
  handle: async (ctx, { loaded }) =>
    exportView(await whenEnded(ctx, loaded, () => findExport(ctx, loaded.id)), ctx.port(exportPort).logKey(ctx.scope)),
});

function fileAs(type: string) {
  return (ctx: StreamContext, { loaded }: { loaded: ExportRow }): AsyncIterable<Uint8Array> => {
    const own = mediaTypes[loaded.format];
    if (own !== type) {
      throw refuse(
        notAcceptable,
        `The file of this export is ${loaded.format}: accept ${own}, or application/json for its state.`,
        {
          members: { acceptable: ["application/json", own] },
        },
      );
    }
    if (loaded.state === "failed")
      throw refuse(exportFailed, `The export failed: ${loaded.failure} Start another one.`);
    if (loaded.state !== "completed") {
      throw refuse(exportNotReady, `The export is ${loaded.state}; its file can be fetched once it is completed.`, {
        headers: { "Retry-After": "1" },
      });
    }
    return partsOf(ctx, loaded);
  };
}

async function* partsOf(ctx: StreamContext, { id, bytes }: ExportRow): AsyncGenerator<Uint8Array> {
  let left = bytes ?? 0;
  for (let n = 0; left > 0; n++) {
    // A file that merely ended here would look whole.
    if (!ctx.allowed()) throw new Error(`the file of ${id} is broken off: the key that fetches it no longer may`);
    const part = await readPart(ctx, id, n);
    if (!part) throw new Error(`part ${n} of ${id} is missing`);
    left -= part.length;
    yield part;
  }
}
