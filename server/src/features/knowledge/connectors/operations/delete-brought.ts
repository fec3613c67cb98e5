import type { WriteContext } from "../../../../kernel/context.ts";
import { defineInside, exempt, type InsideOperation } from "../../../../kernel/operation.ts";
import { findBase } from "../../bases/lookup-store.ts";
import { removeDocuments } from "../../documents/deletion-store.ts";
import { connectorRows } from "../resource.ts";
import { deleteConnector, listBrought } from "../store.ts";
import { removalJob } from "../sync-store.ts";

export const deleteBroughtDocuments: InsideOperation<{ readonly connector: string }, { readonly done: boolean }> =
  defineInside({
    id: "knowledge.deleteBroughtDocuments",
    summary: "Delete the documents of a detached connector",
    permission: exempt("a machine of the service itself"),
    load: (ctx, { connector }: { readonly connector: string }) => connectorRows.find(ctx, connector),
    gate: exempt("makes no agent act"),
    compliance: exempt("carries out what a caller was allowed to ask for"),
    audit: ({ params }: { params: { readonly connector: string } }) => `connector:${params.connector}`,
    async handle(ctx, { params }) {
      const connector = await connectorRows.lock(ctx, params.connector);
      if (connector?.state !== "removing") return { done: true };
      return { done: await deleteBrought(ctx, connector, connector.author) };
    },
  });

const MOST_AT_ONCE = 500;

/** In steps. Returns whether everything is gone. */
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
  await connectorRows.update(ctx, id, { state: "removing", next_run_at: null, updated_at: new Date(ctx.now) });
  ctx.enqueue(removalJob(ctx.scope, id));
  return false;
}
