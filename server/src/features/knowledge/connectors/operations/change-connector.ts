import { byObject } from "../../../../kernel/narrowing.ts";
import { defineOperation, exempt } from "../../../../kernel/operation.ts";
import { exampleBase } from "../../example.ts";
import { sourcePort } from "../../ports.ts";
import { changedActor } from "../actor.ts";
import { exampleConnector } from "../example.ts";
import { type LoadedConnector, lockLoaded, ofConnectorsBase } from "../load.ts";
import { connectors } from "../operation-parts.ts";
import type { ConnectorRow } from "../resource.ts";
import { changeFaults, scheduleOf } from "../rules.ts";
import { nextRun } from "../schedule.ts";
import { ChangeConnectorBody } from "../schemas.ts";
import { inNameOf, sealCredentials, setReaders } from "../store.ts";

export const changeConnector = defineOperation({
  ...connectors.changeOfOne(),
  ...connectors.answer,
  id: "knowledge.changeConnector",
  method: "PATCH",
  summary: "Change a source",
  description:
    "Changes what it takes, when it runs and who may read it; `readers` holds at once for all that it brought. `paused` keeps it from running. If `source` leads to " +
    "another host, credentials are given again: they are sent only to the place that they were given for.",
  body: ChangeConnectorBody,
  example: {
    params: { base: exampleBase.name, connector: exampleConnector.name },
    body: { state: "paused" },
    output: { ...exampleConnector, state: "paused", next_run_at: null, revision: 2 },
  },
  mayMatch: ({ connector }: LoadedConnector) => connector.revision,
  narrowing: byObject("the agents that name the base, in their draft or a version", ofConnectorsBase),
  gate: exempt("changes a source; nothing acts"),
  validate: ({ scope, now, port }, { body, loaded }) =>
    changeFaults({ port: port(sourcePort), environment: scope.environment, now }, loaded.connector, body),
  async handle(ctx, { body, loaded }) {
    const connector = await lockLoaded(ctx, loaded.connector);
    const { id } = connector;
    const { credentials } = body;
    const sealed = credentials && {
      credentials: sealCredentials(ctx.port(sourcePort).credentialKey, ctx.scope, id, credentials),
    };
    const changed = await connectors.rows.revise(ctx, id, {
      ...changesOf(connector, body, ctx.now),
      ...sealed,
      ...(isTakenOn(connector, body) && inNameOf(changedActor(ctx, connector))),
    });
    if (body.readers !== undefined) await setReaders(ctx, connector, body.readers);
    return connectors.itemOf(ctx, changed as ConnectorRow);
  },
});

/** Whoever changes what it does, or starts it again, owns it. */
function isTakenOn({ stopped_reason }: ConnectorRow, { state, ...members }: ChangeConnectorBody): boolean {
  return Object.keys(members).length > 0 || (stopped_reason !== null && state === "active");
}

/** A resumed connector runs at its next time, not for missed ones. */
function changesOf(connector: ConnectorRow, body: ChangeConnectorBody, now: number) {
  const schedule = body.schedule === undefined ? scheduleOf(connector) : body.schedule;
  const restarts = connector.stopped_reason !== null && isTakenOn(connector, body);
  const replan = body.schedule !== undefined || body.state === "active" || restarts;
  return {
    // What a former look noted of another address says nothing about this one.
    ...(body.source === undefined ? {} : { source: body.source, memory: null }),
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
