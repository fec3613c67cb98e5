import type { JobSpec } from "../../../kernel/append.ts";
import type { Scope } from "../../../kernel/principal.ts";
import { storedJson } from "../../../kernel/stored-json.ts";
import { type ActorReading, whyStopped } from "../../admin/public.ts";
import type { AuditExport } from "../schemas.ts";
import { schemaVersions } from "./format.ts";
import type { ExportRow } from "./store.ts";

export const exportJobName = "audit_export";

export function exportJob({ organization, environment }: Scope, id: string): JobSpec {
  return { task: exportJobName, payload: { organization, environment, export: id }, key: id };
}

/** Why the export fails, because whoever started it may no longer export; null: they may. */
export async function whyNotExported(ctx: ActorReading, { actor, filter }: ExportRow): Promise<string | null> {
  const why = await whyStopped(ctx, { actor, agents: filter.agents ?? null }, "audit:export");
  return why === null ? null : `The export was stopped: ${why}.`;
}

/** The first line of a manifest is its signature. */
const manifestJson = storedJson<{ line: { readonly schema_version: string } }>();

/** The version that a file was written in, which its manifest says; before that the one in which it will be. */
function versionOf({ format, manifest }: ExportRow): string {
  if (manifest === null) return schemaVersions[format];
  return manifestJson({ line: manifest.split("\n")[1] as string }, "line").schema_version;
}

export function exportView(row: ExportRow, logKey: string): AuditExport {
  return {
    export_id: row.id,
    format: row.format,
    schema_version: versionOf(row),
    filter: row.filter,
    state: row.state,
    tree_size: row.tree_size,
    rows: row.rows,
    bytes: row.bytes,
    digest: row.digest,
    manifest: row.manifest,
    log_key: logKey,
    failure: row.failure,
    created_at: row.created_at.toISOString(),
    finished_at: row.finished_at?.toISOString() ?? null,
    requested_by: row.principal,
  };
}
