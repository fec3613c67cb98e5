import { Type } from "typebox";
import { byObject } from "../../../../kernel/narrowing.ts";
import { defineOperation, exempt, governs } from "../../../../kernel/operation.ts";
import { withPorts } from "../../../../kernel/slice.ts";
import { exampleBase } from "../../example.ts";
import { BaseRef } from "../../schemas.ts";
import { changedActor } from "../connector-actor.ts";
import { type ConnectorRow, countItems, setActor, setReaders, updateConnector } from "../connector-store.ts";
import { sealCredentials } from "../credentials.ts";
import { exampleConnector } from "../example.ts";
import { type LoadedConnector, loadConnector, lockLoaded, ofConnectorsBase } from "../load.ts";
import { changeFaults, connectorView, scheduleOf } from "../model.ts";
import { nextRun } from "../schedule.ts";
import { ChangeConnectorBody, Connector, ConnectorRef } from "../schemas.ts";
import { latestSyncs } from "../sync-store.ts";

export const changeConnector = withPorts(({ sources: port }) =>
  defineOperation({
    id: "knowledge.changeConnector",
    method: "PATCH",
    path: "/v1/knowledge/bases/{base}/connectors/{connector}",
    summary: "Change a source",
    description:
      "Changes what it takes, when it runs and who may read it; `readers` holds at once for all that it brought. `paused` keeps it from running. If `source` leads to " +
      "another host, credentials are given again: they are sent only to the place that they were given for.",
    params: Type.Object({ base: BaseRef, connector: ConnectorRef }),
    body: ChangeConnectorBody,
    output: Connector,
    example: {
      params: { base: exampleBase.name, connector: exampleConnector.name },
      body: { state: "paused" },
      output: { ...exampleConnector, state: "paused", next_run_at: null, revision: 2 },
    },
    revision: ({ revision }) => revision,
    revisionOfPart: true,
    mayMatch: ({ connector }: LoadedConnector) => connector.revision,
    permission: "knowledge:write",
    load: loadConnector,
    narrowing: byObject("the agents that name the base, in their draft or a version", ofConnectorsBase),
    gate: exempt("changes a source; nothing acts"),
    decides: "documents",
    compliance: governs("connector.change"),
    audit: ({ params, loaded }) => `connector:${loaded?.connector.id ?? params.connector}`,
    validate: ({ scope, now }, { body, loaded }) =>
      changeFaults({ port, environment: scope.environment, now }, loaded.connector, body),
    async handle(ctx, { body, loaded }) {
      const connector = await lockLoaded(ctx, loaded.connector);
      const { id } = connector;
      const { credentials } = body;
      const sealed = credentials && { credentials: sealCredentials(port.credentialKey, ctx.scope, id, credentials) };
      const changes = {
        ...changesOf(connector, body, ctx.now),
        ...sealed,
        ...{ revision: connector.revision + 1, updated_at: new Date(ctx.now) },
      };
      const changed = (await (isTakenOn(connector, body)
        ? setActor(ctx, id, changedActor(ctx, connector), changes)
        : updateConnector(ctx, id, changes))) as ConnectorRow;
      if (body.readers !== undefined) await setReaders(ctx, connector, body.readers);
      const [items, syncs] = [await countItems(ctx, [id]), await latestSyncs(ctx, [id])];
      return connectorView(changed, items.get(id) ?? 0, syncs.get(id));
    },
  }),
);

/** Whether whoever changes it is its owner from now on: they change what it does, or start it again. */
function isTakenOn({ stopped_reason }: ConnectorRow, { state, ...members }: ChangeConnectorBody): boolean {
  return Object.keys(members).length > 0 || (stopped_reason !== null && state === "active");
}

/** The columns that a change sets. A connector that is resumed runs at its next time, not for those that passed. */
function changesOf(connector: ConnectorRow, body: ChangeConnectorBody, now: number) {
  const schedule = body.schedule === undefined ? scheduleOf(connector) : body.schedule;
  const restarts = connector.stopped_reason !== null && isTakenOn(connector, body);
  const replan = body.schedule !== undefined || body.state === "active" || restarts;
  return {
    // What a former look noted of another address says nothing about this one.
    ...(body.source === undefined ? {} : { source: JSON.stringify(body.source), memory: null }),
    ...(body.connection === undefined ? {} : { connection: body.connection }),
    ...(body.readers === undefined ? {} : { readers: body.readers }),
    ...(body.keep_removed === undefined ? {} : { keep_removed: body.keep_removed }),
    ...(body.state === undefined ? {} : { state: body.state }),
    ...(body.schedule === undefined
      ? {}
      : { schedule: schedule?.cron ?? null, time_zone: schedule?.time_zone ?? null }),
    ...(replan ? { next_run_at: nextRun(schedule, connector.id, now), failures: 0 } : {}),
  };
}
