import { Type } from "typebox";
import { actorOfCall } from "../../../../kernel/actor.ts";
import { refuse } from "../../../../kernel/errors.ts";
import { byObject } from "../../../../kernel/narrowing.ts";
import { defineOperation, exempt, governs } from "../../../../kernel/operation.ts";
import { withPorts } from "../../../../kernel/slice.ts";
import { exampleBase } from "../../example.ts";
import { ofOwnBase } from "../../narrowing.ts";
import { BaseRef } from "../../schemas.ts";
import { findBase } from "../../store.ts";
import { insertConnector } from "../connector-store.ts";
import { sealCredentials } from "../credentials.ts";
import { connectorExists } from "../errors.ts";
import { exampleConnector } from "../example.ts";
import { connectorFaults, connectorView } from "../model.ts";
import { nextRun } from "../schedule.ts";
import { Connector, CreateConnectorBody } from "../schemas.ts";

const { name, kind, source, schedule, readers } = exampleConnector;

export const createConnector = withPorts(({ sources: port }) =>
  defineOperation({
    id: "knowledge.createConnector",
    method: "POST",
    path: "/v1/knowledge/bases/{base}/connectors",
    status: 201,
    listed: true,
    summary: "Attach a source",
    description:
      "A folder, a website, a bucket, a query or a feed from which the base takes documents by itself: what is new there is added, what changed is replaced, and what " +
      "vanished is deleted, at the times of `schedule` or when a sync is started. Credentials are stored encrypted and never shown again.",
    params: Type.Object({ base: BaseRef }),
    body: CreateConnectorBody,
    output: Connector,
    example: {
      params: { base: exampleBase.name },
      body: { name, kind, source, schedule, readers },
      output: { ...exampleConnector, items: 0, last_sync: null },
    },
    location: ({ base_id }) => `/v1/knowledge/bases/${base_id}/connectors`,
    revision: ({ revision }) => revision,
    revisionOfPart: true,
    permission: "knowledge:write",
    load: (ctx, { base }) => findBase(ctx, base),
    narrowing: byObject("the agents that name the base, in their draft or a version", ofOwnBase),
    gate: exempt("attaches a source; nothing acts"),
    decides: "documents",
    compliance: governs("connector.create"),
    audit: ({ params, output }) => (output ? `connector:${output.connector_id}` : `base:${params.base}`),
    errors: [connectorExists],
    validate: ({ scope, now }, { body }) => connectorFaults({ port, environment: scope.environment, now }, body),
    async handle(ctx, { body, loaded: base }) {
      const id = ctx.newId("cnr");
      const { credentials, schedule = null } = body;
      const now = new Date(ctx.now);
      const made = await insertConnector(ctx, actorOfCall(ctx), {
        ...{ id, base: base.id, name: body.name, kind: body.kind, source: JSON.stringify(body.source) },
        connection: body.connection ?? null,
        credentials: credentials ? sealCredentials(port.credentialKey, ctx.scope, id, credentials) : null,
        ...{ schedule: schedule?.cron ?? null, time_zone: schedule?.time_zone ?? null },
        next_run_at: nextRun(schedule, id, ctx.now),
        readers: body.readers ?? null,
        keep_removed: body.keep_removed ?? body.kind === "feed",
        created_at: now,
        updated_at: now,
      });
      if (!made)
        throw refuse(
          connectorExists,
          `${base.name} has a connector ${body.name}. Choose another name, or change that one.`,
        );
      return connectorView(made, 0, undefined);
    },
  }),
);
