import { defineInside, exempt, type InsideOperation } from "../../../../kernel/operation.ts";
import { findConnectorById, lockConnector } from "../connector-store.ts";
import { deleteBrought } from "../detach.ts";

/** Goes on with deleting the documents of a connector that was detached. */
export const deleteBroughtDocuments: InsideOperation<{ readonly connector: string }, { readonly done: boolean }> =
  defineInside({
    id: "knowledge.deleteBroughtDocuments",
    summary: "Delete the documents of a detached connector",
    permission: exempt("a machine of the service itself"),
    load: (ctx, { connector }: { readonly connector: string }) => findConnectorById(ctx, connector),
    gate: exempt("makes no agent act"),
    compliance: exempt("carries out what a caller was allowed to ask for"),
    audit: ({ params }: { params: { readonly connector: string } }) => `connector:${params.connector}`,
    async handle(ctx, { params }) {
      const connector = await lockConnector(ctx, params.connector);
      if (connector?.state !== "removing") return { done: true };
      return { done: await deleteBrought(ctx, connector, connector.author) };
    },
  });
