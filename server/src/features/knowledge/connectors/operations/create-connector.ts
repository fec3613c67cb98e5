import { actorOfCall } from "../../../../kernel/actor.ts";
import type { WriteContext } from "../../../../kernel/context.ts";
import { refuse } from "../../../../kernel/errors.ts";
import { defineOperation, exempt } from "../../../../kernel/operation.ts";
import { byOwnBase } from "../../bases/narrowing.ts";
import { connectorExists } from "../../errors.ts";
import { exampleBase } from "../../example.ts";
import { sourcePort } from "../../ports.ts";
import { exampleConnector } from "../example.ts";
import { connectors } from "../operation-parts.ts";
import { connectorFaults } from "../rules.ts";
import { nextRun } from "../schedule.ts";
import { CreateConnectorBody } from "../schemas.ts";
import { inNameOf, sealCredentials } from "../store.ts";

const { name, kind, source, schedule, readers } = exampleConnector;

export const createConnector = defineOperation({
  ...connectors.changeOfAll("connector.create"),
  ...connectors.answer,
  id: "knowledge.createConnector",
  method: "POST",
  status: 201,
  listed: true,
  summary: "Attach a source",
  description:
    "A folder, a website, a bucket, a query, a feed, a git repository or a JSON API from which the base takes documents automatically: what is new there is added, what changed is replaced, and what " +
    "vanished is deleted, at the times of `schedule` or when a sync is started. Credentials are stored encrypted and never shown again.",
  body: CreateConnectorBody,
  example: {
    params: { base: exampleBase.name },
    body: { name, kind, source, schedule, readers },
    output: { ...exampleConnector, items: 0, last_sync: null },
  },
  location: ({ base_id }) => `/v1/knowledge/bases/${base_id}/connectors`,
  narrowing: byOwnBase,
  gate: exempt("attaches a source; nothing acts"),
  audit: ({ params, output }) => (output ? `connector:${output.connector_id}` : `base:${params.base}`),
  errors: [connectorExists],
  validate: ({ scope, now, port }, { body }) =>
    connectorFaults({ port: port(sourcePort), environment: scope.environment, now }, body),
  async handle(ctx, { body, loaded: base }) {
    const made = await connectors.rows.insertUnlessTaken(
      ctx,
      newConnector(ctx, ctx.port(sourcePort).credentialKey, base, body),
    );
    if (!made)
      throw refuse(
        connectorExists,
        `${base.name} has a connector ${body.name}. Choose another name, or change that one.`,
      );
    return connectors.view({ ...made, items: 0, last: undefined }, ctx);
  },
});

function newConnector(
  ctx: WriteContext,
  credentialKey: Buffer,
  base: { readonly id: string },
  body: CreateConnectorBody,
) {
  const id = ctx.newId("cnr");
  const { credentials, schedule = null } = body;
  const now = new Date(ctx.now);
  const actor = actorOfCall(ctx);
  return {
    id,
    base: base.id,
    name: body.name,
    kind: body.kind,
    source: body.source,
    connection: body.connection ?? null,
    credentials: credentials ? sealCredentials(credentialKey, ctx.scope, id, credentials) : null,
    schedule: schedule?.cron ?? null,
    time_zone: schedule?.time_zone ?? null,
    next_run_at: nextRun(schedule, id, ctx.now),
    readers: body.readers ?? null,
    keep_removed: body.keep_removed ?? body.kind === "feed",
    author: actor.owner,
    ...inNameOf(actor),
    created_at: now,
    updated_at: now,
  };
}
