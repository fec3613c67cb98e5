import { Type } from "typebox";
import { defineList } from "../../../../kernel/listing.ts";
import { byObject } from "../../../../kernel/narrowing.ts";
import { governs } from "../../../../kernel/operation.ts";
import { exampleBase } from "../../example.ts";
import { ofKnownBase } from "../../narrowing.ts";
import { BaseRef } from "../../schemas.ts";
import { findBase } from "../../store.ts";
import { countItems, listConnectorRows } from "../connector-store.ts";
import { exampleConnector } from "../example.ts";
import { connectorView } from "../model.ts";
import { Connector } from "../schemas.ts";
import { latestSyncs } from "../sync-store.ts";

export const listConnectors = defineList({
  id: "knowledge.listConnectors",
  path: "/v1/knowledge/bases/{base}/connectors",
  summary: "List a base's sources",
  description: "The connectors of the base, newest first, each with its latest sync. Credentials are not shown.",
  params: Type.Object({ base: BaseRef }),
  item: Connector,
  example: { params: { base: exampleBase.name }, item: exampleConnector },
  permission: "knowledge:read",
  load: (ctx, { base }) => findBase(ctx, base),
  narrowing: byObject("the agents that name the base", ofKnownBase),
  compliance: governs("connector.read"),
  audit: ({ params, loaded }) => `base:${loaded?.id ?? params.base}`,
  async read(ctx, _filter, page, base) {
    const rows = await listConnectorRows(ctx, base.id, page);
    const ids = rows.map(({ id }) => id);
    const [items, syncs] = await Promise.all([countItems(ctx, ids), latestSyncs(ctx, ids)]);
    return rows.map((row) => ({ row, items: items.get(row.id) ?? 0, last: syncs.get(row.id) }));
  },
  position: ({ row }) => row.id,
  view: ({ row, items, last }) => connectorView(row, items, last),
});
