import { Type } from "typebox";
import { byObject } from "../../../../kernel/narrowing.ts";
import { defineOperation, exempt, governs } from "../../../../kernel/operation.ts";
import { closed } from "../../../../kernel/schema-words.ts";
import { exampleBase } from "../../example.ts";
import { BaseRef } from "../../schemas.ts";
import { deleteConnector, releaseDocuments } from "../connector-store.ts";
import { deleteBrought } from "../detach.ts";
import { exampleConnector } from "../example.ts";
import { type LoadedConnector, loadConnector, lockLoaded, ofConnectorsBase } from "../load.ts";
import { ConnectorRef, RemovedConnector } from "../schemas.ts";
import { abandonSync } from "../sync-store.ts";

const KeepDocuments = Type.Boolean({
  default: true,
  description: "Whether what it brought stays in the base, where it is not updated any more. `false` deletes it.",
});

export const removeConnector = defineOperation({
  id: "knowledge.removeConnector",
  method: "DELETE",
  path: "/v1/knowledge/bases/{base}/connectors/{connector}",
  summary: "Detach a source",
  description:
    "Ends its syncs, and deletes its credentials. What it brought stays, or is deleted with `keep_documents=false`: many documents are deleted bit by bit.",
  params: Type.Object({ base: BaseRef, connector: ConnectorRef }),
  query: Type.Object({ keep_documents: Type.Optional(KeepDocuments) }, closed),
  output: RemovedConnector,
  example: {
    params: { base: exampleBase.name, connector: exampleConnector.name },
    output: { connector_id: exampleConnector.connector_id, removed: true, documents: "kept" },
  },
  mayMatch: ({ connector }: LoadedConnector) => connector.revision,
  permission: "knowledge:write",
  load: loadConnector,
  narrowing: byObject("the agents that name the base, in their draft or a version", ofConnectorsBase),
  gate: exempt("detaches a source; nothing acts"),
  decides: exempt("detaches a source; brings nothing"),
  compliance: governs("connector.remove"),
  audit: ({ params, loaded }) => `connector:${loaded?.connector.id ?? params.connector}`,
  async handle(ctx, { loaded, query: { keep_documents = true } }) {
    const connector = await lockLoaded(ctx, loaded.connector);
    const done = { connector_id: connector.id, removed: true as const };
    await abandonSync(ctx, connector.id, new Date(ctx.now));
    if (keep_documents) {
      await releaseDocuments(ctx, connector.id);
      await deleteConnector(ctx, connector.id);
      return { ...done, documents: "kept" as const };
    }
    const all = await deleteBrought(ctx, connector, ctx.principal.id);
    return { ...done, documents: all ? ("deleted" as const) : ("being_deleted" as const) };
  },
});
