import type { WriteContext } from "../../../../kernel/context.ts";
import { refuse } from "../../../../kernel/errors.ts";
import { defineOperation, exempt } from "../../../../kernel/operation.ts";
import { conflict, invalidBody } from "../../../../kernel/problems.ts";
import type { BaseHead } from "../../bases/lookup-store.ts";
import { byOwnBase } from "../../bases/narrowing.ts";
import { exampleBase } from "../../example.ts";
import { exampleSync } from "../example.ts";
import { syncs } from "../operation-parts.ts";
import { type ConnectorRow, connectorRows, type SyncRow } from "../resource.ts";
import { StartedSyncs, StartSyncBody } from "../schemas.ts";
import { findConnector, listActiveConnectors } from "../store.ts";
import { openSync, syncJob } from "../sync-store.ts";
import { syncView } from "../view.ts";

const queued = {
  trigger: "manual",
  state: "queued",
  added: 0,
  changed: 0,
  removed: 0,
  unchanged: 0,
  started_at: null,
  finished_at: null,
} as const;

export const startSync = defineOperation({
  ...syncs.changeOfAll(),
  id: "knowledge.startSync",
  method: "POST",
  path: "/v1/knowledge/bases/{base}/sync",
  status: 202,
  listed: true,
  summary: "Take over what changed at the sources",
  description:
    "Runs an incremental sync now, of one connector or of all that are active: only what is new or changed is read, and what vanished is deleted. One sync of a connector " +
    "runs at a time. Each sync says what it added, changed and removed: read it with `Prefer: wait=n`, which waits until searches find what it brought.",
  body: StartSyncBody,
  output: StartedSyncs,
  example: {
    params: { base: exampleBase.name },
    body: { connector: exampleSync.connector },
    output: { syncs: [{ ...exampleSync, ...queued }] },
  },
  location: ({ syncs: [sync, ...others] }) =>
    others.length === 0
      ? `/v1/knowledge/bases/${sync?.base_id}/syncs/${sync?.sync_id}`
      : `/v1/knowledge/bases/${sync?.base_id}/syncs`,
  narrowing: byOwnBase,
  gate: exempt("adds to a base; nothing acts"),
  errors: [conflict],
  async handle(ctx, { body: { connector, confirm_removals = false }, loaded: base }) {
    const named =
      connector === undefined ? await listActiveConnectors(ctx, base.id) : [await namedConnector(ctx, base, connector)];
    if (named.length === 0)
      throw refuse(
        conflict,
        `${base.name} has no active connector. Attach one with POST /v1/knowledge/bases/${base.name}/connectors, or resume one.`,
      );
    const opened: SyncRow[] = [];
    for (const { id, name } of named) {
      const held = await connectorRows.lock(ctx, id);
      if (held?.state !== "active" || held.stopped_reason !== null) continue; // also removed or paused meanwhile
      const about = {
        base: base.id,
        connector: id,
        connector_name: name,
        trigger: "manual",
        confirm_removals,
      } as const;
      opened.push(
        await openSync(ctx, {
          ...about,
          id: ctx.newId("syn"),
          author: ctx.principal.id,
          created_at: new Date(ctx.now),
        }),
      );
    }
    for (const { id, state } of opened) if (state === "queued") ctx.enqueue(syncJob(ctx.scope, id));
    return { syncs: opened.map(syncView) };
  },
});

async function namedConnector(ctx: WriteContext, base: BaseHead, name: string): Promise<ConnectorRow> {
  const connector = await findConnector(ctx, base.id, name);
  const unknown = `names no connector of ${base.name}; GET /v1/knowledge/bases/${base.name}/connectors lists them`;
  if (!connector)
    throw refuse(invalidBody, `/connector: ${unknown}`, {
      errors: [{ pointer: "/connector", code: "unknown_connector", detail: unknown }],
    });
  if (connector.stopped_reason !== null)
    throw refuse(conflict, `${connector.name} does not run. ${connector.stopped_reason}`);
  if (connector.state === "paused")
    throw refuse(conflict, `${connector.name} is paused. Resume it with PATCH and \`{"state": "active"}\` first.`);
  return connector;
}
