import { listPage, listQuery } from "../../../../kernel/listing.ts";
import { byObject } from "../../../../kernel/narrowing.ts";
import { defineRead } from "../../../../kernel/operation.ts";
import { whenEnded } from "../../../../kernel/wait.ts";
import { ofKnownBase } from "../../bases/narrowing.ts";
import { exampleBase } from "../../example.ts";
import { exampleSync } from "../example.ts";
import { syncs } from "../operation-parts.ts";
import type { SyncRow } from "../resource.ts";
import { SyncReport } from "../schemas.ts";
import { findSync, listFailures } from "../sync-store.ts";
import { syncView } from "../view.ts";

export const readSync = defineRead({
  ...syncs.readOfOne(),
  id: "knowledge.readSync",
  waitable: true,
  summary: "Read a sync",
  description:
    "What it added, changed and removed, how many items were as before, and a page of those that failed with the reason. The counts grow while it runs. `Prefer: wait=n` holds " +
    "the call until the sync has ended and searches find what it brought, so that `indexing` is 0.",
  query: listQuery({}),
  output: SyncReport,
  example: {
    params: { base: exampleBase.name, sync: exampleSync.sync_id },
    output: { ...exampleSync, failures: { data: [], has_more: false, next_cursor: null } },
  },
  narrowing: byObject("the agents that name the base", ofKnownBase),
  async handle(ctx, { loaded, params, query }) {
    const { row } = await whenEnded(ctx, whole(loaded), async () => {
      const found = await findSync(ctx, loaded.base, loaded.id);
      return found && whole(found);
    });
    const failures = await listPage(ctx, query, params, {
      sort: "item",
      read: (page) => listFailures(ctx, row.id, page),
      positionOf: ({ item }) => ({ keys: [], id: item }),
      item: (failure) => failure,
    });
    return { ...syncView(row), failures };
  },
});

/** Still running while documents wait to be indexed. */
const whole = (row: SyncRow) => ({ row, state: row.indexing > 0 ? "running" : row.state });
