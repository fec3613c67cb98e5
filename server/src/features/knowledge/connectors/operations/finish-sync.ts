import type { WriteContext } from "../../../../kernel/context.ts";
import { refuse } from "../../../../kernel/errors.ts";
import { defineInside, exempt, type InsideOperation } from "../../../../kernel/operation.ts";
import { conflict } from "../../../../kernel/problems.ts";
import { findBase } from "../../bases/lookup-store.ts";
import { syncCompleted, syncFailed } from "../events.ts";
import { type ConnectorRow, connectorRows, type SyncRow } from "../resource.ts";
import { backOffUntil } from "../schedule.ts";
import { endSync, lockHeldSync, type SyncEnd } from "../sync-store.ts";

export interface FinishSync {
  readonly sync: string;
  readonly attempt: number;
  readonly end: SyncEnd;
  /** Undefined: unchanged. */
  readonly memory?: unknown;
}

export const finishSync: InsideOperation<FinishSync, { readonly state: SyncEnd["state"] }> = defineInside({
  id: "knowledge.finishSync",
  summary: "Finish a sync of a knowledge base",
  permission: exempt("a machine of the service itself"),
  load: exempt("names no object of a caller; the handler looks whether the attempt holds the sync"),
  gate: exempt("makes no agent act"),
  compliance: exempt("carries out what a caller was allowed to ask for"),
  audit: ({ params }: { params: FinishSync }) => `sync:${params.sync}`,
  emits: [syncCompleted, syncFailed],
  errors: [conflict],
  async handle(ctx, { params: { sync: id, attempt, end, memory } }) {
    const held = await lockHeldSync(ctx, id, attempt);
    if (!held)
      throw refuse(conflict, "The attempt no longer holds the sync, so it cannot end it. Nothing needs to be done.");
    const ended = (await endSync(ctx, id, end)) as SyncRow;
    const connector = await connectorRows.lock(ctx, held.connector);
    if (connector && connector.state !== "removing") await noteEnd(ctx, connector, ended, memory);
    return { state: end.state };
  },
});

async function noteEnd(ctx: WriteContext, connector: ConnectorRow, sync: SyncRow, memory: unknown): Promise<void> {
  const base = await findBase(ctx, sync.base);
  const { added, changed, removed, failed } = sync;
  const about = {
    base_id: sync.base,
    base: base?.name ?? sync.base,
    connector_id: connector.id,
    connector: connector.name,
    sync_id: sync.id,
    added,
    changed,
    removed,
    failed,
  };
  if (sync.error === null) {
    const noted = memory === undefined ? {} : { memory: memory === null ? null : JSON.stringify(memory) };
    await connectorRows.update(ctx, connector.id, { failures: 0, ...noted });
    ctx.emit(syncCompleted, about);
    return;
  }
  const failures = connector.failures + 1;
  const earliest = backOffUntil(failures, ctx.now);
  const planned = connector.next_run_at;
  const next = planned && earliest && earliest > planned ? earliest : planned;
  await connectorRows.update(ctx, connector.id, { failures, next_run_at: next });
  const next_run_at = connector.state === "active" ? (next?.toISOString() ?? null) : null;
  ctx.emit(syncFailed, { ...about, code: sync.error.code, failures_in_a_row: failures, next_run_at });
}
