import { refuse } from "../../../../kernel/errors.ts";
import { defineInside, exempt, type InsideOperation } from "../../../../kernel/operation.ts";
import { conflict } from "../../../../kernel/problems.ts";
import { automationStopped } from "../../../admin/public.ts";
import { findBase } from "../../bases/lookup-store.ts";
import { stopUnlessPermitted } from "../actor.ts";
import { clearFailures, type FailedItem, putFailures, putItems } from "../item-store.ts";
import { connectorRows } from "../resource.ts";
import { lockHeldSync, noteProgress } from "../sync-store.ts";
import { type SyncedItem, storeItems } from "../synced.ts";

export interface StoreSynced {
  readonly sync: string;
  /** Fences off an earlier attempt that was taken for lost. */
  readonly attempt: number;
  readonly items: readonly SyncedItem[];
  readonly failures: readonly FailedItem[];
}

export interface StoredSynced {
  readonly refused: number;
  /** Null: it goes on. */
  readonly stopped: string | null;
}

export const storeSynced: InsideOperation<StoreSynced, StoredSynced> = defineInside({
  id: "knowledge.storeSynced",
  summary: "Store items of a source",
  permission: exempt("a machine of the service itself"),
  load: exempt("names no object of a caller; the handler looks whether the attempt holds the sync"),
  gate: exempt("makes no agent act"),
  compliance: exempt("carries out what a caller was allowed to ask for"),
  audit: ({ params }: { params: StoreSynced }) => `sync:${params.sync}`,
  emits: [automationStopped],
  errors: [conflict],
  async handle(ctx, { params: { sync: id, attempt, items, failures } }) {
    const sync = await lockHeldSync(ctx, id, attempt);
    const connector = sync && (await connectorRows.find(ctx, sync.connector));
    const base = sync && (await findBase(ctx, sync.base));
    if (!connector || connector.state === "removing" || !base)
      throw refuse(
        conflict,
        "The attempt no longer holds the sync, so it cannot store anything. Nothing needs to be done.",
      );
    const stopped = await stopUnlessPermitted(ctx, connector);
    if (stopped !== null) return { refused: 0, stopped };
    const { stored, refused } = await storeItems(ctx, base, connector, items);
    const here = { sync: id, connector: connector.id };
    await putItems(ctx, here, stored);
    await putFailures(ctx, here, [...failures, ...refused]);
    await clearFailures(
      ctx,
      id,
      stored.map(({ item }) => item),
    );
    const count = (outcome: string): number => stored.filter((one) => one.outcome === outcome).length;
    await noteProgress(ctx, id, { added: count("added"), changed: count("replaced"), unchanged: count("unchanged") });
    return { refused: refused.length, stopped: null };
  },
});
