import { refuse } from "../../../../kernel/errors.ts";
import { defineInside, exempt, type InsideOperation } from "../../../../kernel/operation.ts";
import { conflict } from "../../../../kernel/problems.ts";
import { exportReady } from "../../events.ts";
import { whyNotExported } from "../rules.ts";
import { type ExportEnding, endExport, findExport } from "../store.ts";

export interface FinishExport {
  readonly export: string;
  /** The attempt that ends it; an earlier one, which was taken for lost, no longer can. */
  readonly attempt: number;
  readonly ending: ExportEnding;
  /** It is given up: only while nobody holds it. */
  readonly lapsed?: boolean;
}

export interface FinishedExport {
  readonly state: "completed" | "failed";
}

/** Ends an export: its file is written and signed, its attempts are used up, or whoever started it may no longer export. */
export const finishExport: InsideOperation<FinishExport, FinishedExport> = defineInside({
  id: "audit.finishExport",
  summary: "Finish an export of the audit log",
  permission: exempt("a machine of the service itself"),
  load: (ctx, params: FinishExport) => findExport(ctx, params.export),
  gate: exempt("makes no agent act"),
  compliance: exempt("carries out what a caller was allowed to ask for"),
  // Commits to the SHA-256 of the file, which its signed manifest names.
  audit: ({ params: { export: id, ending }, output }) => ({
    object: `export:${id}`,
    result: output?.state === "completed" && "digest" in ending ? ending.digest : null,
  }),
  emits: [exportReady],
  errors: [conflict],
  async handle(ctx, { loaded, params: { export: id, attempt, ending: written, lapsed } }): Promise<FinishedExport> {
    const failure = await whyNotExported(ctx, loaded);
    const ending = failure === null ? written : { failure };
    const row = await endExport(ctx, { id, attempt, lapsed }, ending);
    if (!row) throw refuse(conflict, "The export is no longer in the hands of this attempt, so it was not ended.");
    if ("failure" in ending) return { state: "failed" };
    const { rows, digest } = ending;
    ctx.emit(exportReady, { export_id: id, format: row.format, rows, digest });
    return { state: "completed" };
  },
});
