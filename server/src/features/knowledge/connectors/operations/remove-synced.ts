import { refuse } from "../../../../kernel/errors.ts";
import { defineInside, exempt, type InsideOperation } from "../../../../kernel/operation.ts";
import { conflict } from "../../../../kernel/problems.ts";
import { removeDocuments } from "../../deletion-store.ts";
import { findBase } from "../../store.ts";
import { takeItems } from "../item-store.ts";
import { lockHeldSync, noteProgress } from "../sync-store.ts";

export interface RemoveSynced {
  readonly sync: string;
  readonly attempt: number;
  readonly most: number;
}

/** Deletes documents whose items a sync did not see any more. */
export const removeSynced: InsideOperation<RemoveSynced, { readonly removed: number }> = defineInside({
  id: "knowledge.removeSynced",
  summary: "Delete documents that vanished from their source",
  permission: exempt("a machine of the service itself"),
  load: exempt("names no object of a caller; the handler looks whether the attempt holds the sync"),
  gate: exempt("makes no agent act"),
  compliance: exempt("carries out what a caller was allowed to ask for"),
  audit: ({ params }: { params: RemoveSynced }) => `sync:${params.sync}`,
  errors: [conflict],
  async handle(ctx, { params: { sync: id, attempt, most } }) {
    const sync = await lockHeldSync(ctx, id, attempt);
    const base = sync && (await findBase(ctx, sync.base));
    if (!base)
      throw refuse(
        conflict,
        "The attempt no longer holds the sync, so it cannot delete anything. Nothing needs to be done.",
      );
    const documents = await takeItems(ctx, sync.connector, id, most);
    await removeDocuments(ctx, base, documents, { author: sync.author, at: new Date(ctx.now) });
    await noteProgress(ctx, id, { removed: documents.length });
    return { removed: documents.length };
  },
});
