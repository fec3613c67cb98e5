import { Type } from "typebox";
import { byObject } from "../../../../kernel/narrowing.ts";
import { defineOperation, exempt } from "../../../../kernel/operation.ts";
import { closed } from "../../../../kernel/schema-words.ts";
import { exampleBase } from "../../example.ts";
import { exampleConnector } from "../example.ts";
import { type LoadedConnector, lockLoaded, ofConnectorsBase } from "../load.ts";
import { connectors } from "../operation-parts.ts";
import { RemovedConnector } from "../schemas.ts";
import { deleteConnector, releaseDocuments } from "../store.ts";
import { abandonSync } from "../sync-store.ts";
import { deleteBrought } from "./delete-brought.ts";

const KeepDocuments = Type.Boolean({
  default: true,
  description: "Whether its documents stay in the base, without further updates. `false` deletes them.",
});

export const removeConnector = defineOperation({
  ...connectors.changeOfOne("connector.remove"),
  id: "knowledge.removeConnector",
  method: "DELETE",
  summary: "Detach a source",
  description:
    "Ends its syncs, and deletes its credentials. What it brought stays, or is deleted with `keep_documents=false`: many documents are deleted bit by bit.",
  query: Type.Object({ keep_documents: Type.Optional(KeepDocuments) }, closed),
  output: RemovedConnector,
  example: {
    params: { base: exampleBase.name, connector: exampleConnector.name },
    output: { connector_id: exampleConnector.connector_id, removed: true, documents: "kept" },
  },
  mayMatch: ({ connector }: LoadedConnector) => connector.revision,
  narrowing: byObject("the agents that name the base, in their draft or a version", ofConnectorsBase),
  gate: exempt("detaches a source; nothing acts"),
  decides: exempt("detaches a source; brings nothing"),
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
