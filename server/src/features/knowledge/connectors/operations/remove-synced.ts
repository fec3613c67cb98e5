import { refuse } from "../../../../kernel/errors.ts";
import { defineInside, exempt, type InsideOperation } from "../../../../kernel/operation.ts";
import { conflict } from "../../../../kernel/problems.ts";
import { automationStopped } from "../../../admin/public.ts";
import { findBase } from "../../bases/lookup-store.ts";
import { removeDocuments } from "../../documents/deletion-store.ts";
import { stopUnlessPermitted } from "../actor.ts";
import { takeItems } from "../item-store.ts";
import { connectorRows } from "../resource.ts";
import { lockHeldSync, noteProgress } from "../sync-store.ts";

export interface RemoveSynced {
  readonly sync: string;
  readonly attempt: number;
  readonly most: number;
  /** Undefined: whatever the sync has not seen. */
  readonly gone?: readonly string[];
}

export interface RemovedSynced {
  readonly removed: number;
  /** Null: it goes on. */
  readonly stopped: string | null;
}

export const removeSynced: InsideOperation<RemoveSynced, RemovedSynced> = defineInside({
  id: "knowledge.removeSynced",
  summary: "Delete documents that vanished from their source",
  permission: exempt("a machine of the service itself"),
  load: exempt("names no object of a caller; the handler looks whether the attempt holds the sync"),
  gate: exempt("makes no agent act"),
  compliance: exempt("carries out what a caller was allowed to ask for"),
  audit: ({ params }: { params: RemoveSynced }) => `sync:${params.sync}`,
  emits: [automationStopped],
  errors: [conflict],
  async handle(ctx, { params: { sync: id, attempt, most, gone } }) {
    const sync = await lockHeldSync(ctx, id, attempt);
    const base = sync && (await findBase(ctx, sync.base));
    const connector = sync && (await connectorRows.find(ctx, sync.connector));
    if (!base || !connector)
      throw refuse(
        conflict,
        "The attempt no longer holds the sync, so it cannot delete anything. Nothing needs to be done.",
      );
    const stopped = await stopUnlessPermitted(ctx, connector);
    if (stopped !== null) return { removed: 0, stopped };
    const documents = await takeItems(ctx, sync.connector, id, most, gone);
    await removeDocuments(ctx, base, documents, { author: sync.author, at: new Date(ctx.now) });
    await noteProgress(ctx, id, { removed: documents.length });
    return { removed: documents.length, stopped: null };
  },
});
