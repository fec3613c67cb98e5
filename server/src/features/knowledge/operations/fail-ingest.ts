import { refuse } from "../../../kernel/errors.ts";
import { defineInside, exempt, type InsideOperation } from "../../../kernel/operation.ts";
import { conflict } from "../../../kernel/problems.ts";
import { documentFailed } from "../events.ts";
import type { IngestFault } from "../ingest/model.ts";
import { endAttempt } from "../ingest/swap.ts";
import { holdBase } from "../store.ts";
import { findWorkedOn } from "./finish-ingest.ts";

export interface FailIngest {
  readonly document: string;
  readonly attempt: number;
  readonly fault: IngestFault;
}

/** Notes why contents could not be read. What was served before is still served; the contents wait for a reindex. */
export const failIngest: InsideOperation<FailIngest, { readonly state: "failed" }> = defineInside({
  id: "knowledge.failIngest",
  summary: "Note why a document could not be read",
  permission: exempt("a machine of the service itself"),
  load: (ctx, params: FailIngest) => findWorkedOn(ctx, params),
  gate: exempt("makes no agent act"),
  compliance: exempt("carries out what a caller was allowed to ask for"),
  audit: ({ params: { document } }) => `document:${document}`,
  emits: [documentFailed],
  errors: [conflict],
  async handle(ctx, { params: { document, attempt, fault }, loaded }) {
    const base = await holdBase(ctx, loaded.base);
    const ending = { state: "failed", error: JSON.stringify(fault) } as const;
    if (!(await endAttempt(ctx, { document, attempt }, ending)))
      throw refuse(conflict, "The document is no longer in the hands of this attempt.");
    ctx.emit(documentFailed, { document_id: document, base_id: base.id, base: base.name, ...fault });
    return { state: "failed" as const };
  },
});
