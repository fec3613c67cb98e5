import { Type } from "typebox";
import type { WriteContext } from "../../../../kernel/context.ts";
import { refuse } from "../../../../kernel/errors.ts";
import { byObject } from "../../../../kernel/narrowing.ts";
import { defineOperation, exempt, governs } from "../../../../kernel/operation.ts";
import { conflict, invalidBody } from "../../../../kernel/problems.ts";
import { exampleBase } from "../../example.ts";
import { ofOwnBase } from "../../narrowing.ts";
import { BaseRef } from "../../schemas.ts";
import { type BaseHead, findBase } from "../../store.ts";
import { type ConnectorRow, findConnector, listActiveConnectors, lockConnector } from "../connector-store.ts";
import { exampleSync } from "../example.ts";
import { syncView } from "../model.ts";
import { StartedSyncs, StartSyncBody } from "../schemas.ts";
import { syncJob } from "../sync-job-spec.ts";
import { openSync, type SyncRow } from "../sync-store.ts";

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
  id: "knowledge.startSync",
  method: "POST",
  path: "/v1/knowledge/bases/{base}/sync",
  status: 202,
  listed: true,
  summary: "Take over what changed at the sources",
  description:
    "Runs an incremental sync now, of one connector or of all that are active: only what is new or changed is read, and what vanished is deleted. One sync of a connector " +
    "runs at a time. Each sync says what it added, changed and removed: read it with `Prefer: wait=n`, which waits until it ends.",
  params: Type.Object({ base: BaseRef }),
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
  permission: "knowledge:write",
  load: (ctx, { base }) => findBase(ctx, base),
  narrowing: byObject("the agents that name the base, in their draft or a version", ofOwnBase),
  gate: exempt("adds to a base; nothing acts"),
  decides: exempt("brings what the connector's makers chose"),
  compliance: governs("knowledge.sync"),
  audit: ({ params, loaded }) => `base:${loaded?.id ?? params.base}`,
  errors: [conflict],
  async handle(ctx, { body: { connector, confirm_removals = false }, loaded: base }) {
    const connectors =
      connector === undefined ? await listActiveConnectors(ctx, base.id) : [await namedConnector(ctx, base, connector)];
    if (connectors.length === 0)
      throw refuse(
        conflict,
        `${base.name} has no active connector. Attach one with POST /v1/knowledge/bases/${base.name}/connectors, or resume one.`,
      );
    const syncs: SyncRow[] = [];
    for (const { id, name } of connectors) {
      const held = await lockConnector(ctx, id);
      if (held?.state !== "active" || held.stopped_reason !== null) continue; // also removed or paused meanwhile
      const about = {
        base: base.id,
        connector: id,
        connector_name: name,
        trigger: "manual",
        confirm_removals,
      } as const;
      syncs.push(
        await openSync(ctx, {
          ...about,
          id: ctx.newId("syn"),
          author: ctx.principal.id,
          created_at: new Date(ctx.now),
        }),
      );
    }
    for (const { id, state } of syncs) if (state === "queued") ctx.enqueue(syncJob(ctx.scope, id));
    return { syncs: syncs.map(syncView) };
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
