import type { WriteContext } from "../../../kernel/context.ts";
import { removeDocuments } from "../deletion-store.ts";
import { findBase } from "../store.ts";
import { deleteConnector, listBrought, updateConnector } from "./connector-store.ts";
import { removalJob } from "./sync-job-spec.ts";

/** Documents that are deleted in one transaction. */
const MOST_AT_ONCE = 500;

/** Deletes what a connector that is being detached brought, a bounded number at a time, and at last the connector. Whether that is done. */
export async function deleteBrought(
  ctx: WriteContext,
  connector: { id: string; base: string },
  by: string,
): Promise<boolean> {
  const { id } = connector;
  const base = await findBase(ctx, connector.base);
  const documents = await listBrought(ctx, id, MOST_AT_ONCE);
  if (base && documents.length > 0) await removeDocuments(ctx, base, documents, { author: by, at: new Date(ctx.now) });
  if (!base || documents.length < MOST_AT_ONCE) {
    await deleteConnector(ctx, id);
    return true;
  }
  await updateConnector(ctx, id, { state: "removing", next_run_at: null, updated_at: new Date(ctx.now) });
  ctx.enqueue(removalJob(ctx.scope, id));
  return false;
}
