import { Type } from "typebox";
import { exempt } from "../../../kernel/operation.ts";
import { defineResource } from "../../../resources/resource.ts";
import { findBase } from "../bases/lookup-store.ts";
import { aboutBase } from "../bases/narrowing.ts";
import { BaseRef } from "../bases/schemas.ts";
import { exampleBase } from "../example.ts";
import { exampleConnector, exampleSync } from "./example.ts";
import { loadConnector } from "./load.ts";
import { storedConnectors, storedSyncs } from "./resource.ts";
import { Connector, ConnectorRef, Sync, SyncId } from "./schemas.ts";
import { countItems } from "./store.ts";
import { findSeenSync, latestSyncs } from "./sync-store.ts";
import { connectorView, syncView } from "./view.ts";

export const connectors = defineResource({
  ...storedConnectors,
  path: "/v1/knowledge/bases/{base}/connectors",
  params: Type.Object({ base: BaseRef }),
  member: Type.Object({ base: BaseRef, connector: ConnectorRef }),
  parent: (ctx, { base }) => findBase(ctx, base),
  load: (ctx, params) => loadConnector(ctx, params),
  rowOf: ({ connector }) => connector,
  item: Connector,
  identity: "connector_id",
  example: { params: { base: exampleBase.name, connector: exampleConnector.name }, item: exampleConnector },
  async complete(ctx, rows) {
    const ids = rows.map(({ id }) => id);
    const items = await countItems(ctx, ids);
    const syncs = await latestSyncs(ctx, ids);
    return rows.map((row) => ({ ...row, items: items.get(row.id) ?? 0, last: syncs.get(row.id) }));
  },
  view: connectorView,
  revision: ({ revision }) => revision,
  revisionOfPart: true,
  object: "connector",
  hasNames: true,
  objects: (params, loaded) => aboutBase({ params, loaded }),
  permission: { read: "knowledge:read", change: "knowledge:write" },
  governs: { read: "connector.read", change: "connector.change" },
  decides: "documents",
});

export const syncs = defineResource({
  ...storedSyncs,
  path: "/v1/knowledge/bases/{base}/syncs",
  params: Type.Object({ base: BaseRef }),
  member: Type.Object({ base: BaseRef, sync: SyncId }),
  parent: (ctx, { base }) => findBase(ctx, base),
  async load(ctx, { base: name, sync }) {
    const base = await findBase(ctx, name);
    return base && findSeenSync(ctx, base.id, sync);
  },
  item: Sync,
  identity: "sync_id",
  example: { params: { base: exampleBase.name, sync: exampleSync.sync_id }, item: exampleSync },
  view: syncView,
  object: "sync",
  objects: (params, loaded) => aboutBase({ params, loaded }),
  permission: { read: "knowledge:read", change: "knowledge:write" },
  governs: { read: "connector.read", change: "knowledge.sync" },
  decides: exempt("brings what the connector's makers chose"),
});
