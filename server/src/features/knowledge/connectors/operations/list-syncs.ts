import { Type } from "typebox";
import { defineList } from "../../../../kernel/listing.ts";
import { byObject } from "../../../../kernel/narrowing.ts";
import { governs } from "../../../../kernel/operation.ts";
import { commaList } from "../../../../kernel/schema-words.ts";
import { exampleBase } from "../../example.ts";
import { ofKnownBase } from "../../narrowing.ts";
import { BaseRef } from "../../schemas.ts";
import { findBase } from "../../store.ts";
import { exampleSync } from "../example.ts";
import { syncView } from "../model.ts";
import { ConnectorRef, Sync } from "../schemas.ts";
import { listSyncRows } from "../sync-store.ts";

export const listSyncs = defineList({
  id: "knowledge.listSyncs",
  path: "/v1/knowledge/bases/{base}/syncs",
  summary: "List a base's syncs",
  description:
    "What the base's connectors took over, newest first. Syncs of connectors that were removed are among them.",
  params: Type.Object({ base: BaseRef }),
  filters: {
    connector: Type.Optional(ConnectorRef),
    state: commaList(Type.Enum(["queued", "running", "completed", "failed"] as const), "States"),
  },
  item: Sync,
  example: { params: { base: exampleBase.name }, item: exampleSync },
  permission: "knowledge:read",
  load: (ctx, { base }) => findBase(ctx, base),
  narrowing: byObject("the agents that name the base", ofKnownBase),
  compliance: governs("connector.read"),
  audit: ({ params, loaded }) => `base:${loaded?.id ?? params.base}`,
  read: (ctx, filter, page, base) => listSyncRows(ctx, base.id, filter, page),
  position: ({ id }) => id,
  view: syncView,
});
