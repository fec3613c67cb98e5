import { Type } from "typebox";
import { listPage, listQuery } from "../../../../kernel/listing.ts";
import { byObject } from "../../../../kernel/narrowing.ts";
import { defineRead, governs } from "../../../../kernel/operation.ts";
import { whenEnded } from "../../../../kernel/wait.ts";
import { exampleBase } from "../../example.ts";
import { ofKnownBase } from "../../narrowing.ts";
import { BaseRef } from "../../schemas.ts";
import { findBase } from "../../store.ts";
import { exampleSync } from "../example.ts";
import { syncView } from "../model.ts";
import { SyncId, SyncReport } from "../schemas.ts";
import { findSeenSync, findSync, listFailures } from "../sync-store.ts";

export const readSync = defineRead({
  id: "knowledge.readSync",
  path: "/v1/knowledge/bases/{base}/syncs/{sync}",
  waitable: true,
  summary: "Read a sync",
  description:
    "What it added, changed and removed, how many items were as before, and a page of those that failed with the reason. The counts grow while it runs. `Prefer: wait=n` holds " +
    "the call until the sync ends.",
  params: Type.Object({ base: BaseRef, sync: SyncId }),
  query: listQuery({}),
  output: SyncReport,
  example: {
    params: { base: exampleBase.name, sync: exampleSync.sync_id },
    output: { ...exampleSync, failures: { data: [], has_more: false, next_cursor: null } },
  },
  permission: "knowledge:read",
  async load(ctx, { base: name, sync: id }) {
    const base = await findBase(ctx, name);
    return base && findSeenSync(ctx, base.id, id);
  },
  narrowing: byObject("the agents that name the base", ofKnownBase),
  compliance: governs("connector.read"),
  audit: ({ params }) => `sync:${params.sync}`,
  async handle(ctx, { loaded, params, query }) {
    const row = await whenEnded(ctx, loaded, () => findSync(ctx, loaded.base, loaded.id));
    const failures = await listPage(ctx, query, params, {
      sort: "item",
      read: (page) => listFailures(ctx, row.id, page),
      positionOf: ({ item }) => ({ keys: [], id: item }),
      item: (failure) => failure,
    });
    return { ...syncView(row), failures };
  },
});
