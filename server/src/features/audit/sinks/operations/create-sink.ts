import { actorOfCall, storable } from "../../../../kernel/actor.ts";
import type { WriteContext } from "../../../../kernel/context.ts";
import { counted } from "../../../../kernel/count.ts";
import { refuse } from "../../../../kernel/errors.ts";
import { defineOperation, exempt } from "../../../../kernel/operation.ts";
import { logShorter, tooManySinks } from "../../errors.ts";
import { exportPort, sinkPort } from "../../ports.ts";
import { exampleSink } from "../example.ts";
import { sinks } from "../resource.ts";
import { sealCredentials, sinkFaults, sinkJob } from "../rules.ts";
import { CreateSinkBody } from "../schemas.ts";
import { openEpoch } from "../store.ts";
import type { SinkJson } from "../view.ts";

export const createSink = defineOperation({
  ...sinks.changeOfAll(),
  ...sinks.answer,
  id: "audit.createSink",
  method: "POST",
  status: 201,
  summary: "Send the audit log to a receiver",
  description:
    "Sends the records of the environment's log to a SIEM, a collector or a bucket, in the order of the log and as they come. The position moves only behind what the receiver acknowledged, so that none is missing; " +
    "what was not acknowledged is sent again as the same range, by which the receiver recognizes what it has. Each batch says its first and last place, the head of the log up to there, and a signed checkpoint that covers it. " +
    "It goes on as long as whoever set it up may export the log. Credentials are stored encrypted and never shown.",
  body: CreateSinkBody,
  location: ({ sink_id }) => `/v1/audit/sinks/${sink_id}`,
  example: {
    body: {
      name: exampleSink.name,
      kind: "splunk_hec",
      target: exampleSink.target,
      credentials: { token: "the-token-of-the-collector" },
      from_leaf: 0,
    },
    output: {
      ...exampleSink,
      position: 0,
      sent_records: 0,
      lag_records: 4712,
      lag_seconds: 86_400,
      last_sent_at: null,
      checkpoint: null,
    },
  },
  validate: ({ scope, port }, { body }) => sinkFaults({ port: port(sinkPort), environment: scope.environment }, body),
  gate: exempt("makes no agent act"),
  audit: ({ output }) => (output ? `sink:${output.sink_id}` : "sinks"),
  errors: [tooManySinks, logShorter],
  async handle(ctx, { body }) {
    const size = await ctx.port(exportPort).size(ctx.scope);
    const { from_leaf: from = size } = body;
    if (from > size)
      throw refuse(logShorter, `The log has ${counted(size, "record")}; \`from_leaf\` is at most ${size}.`);
    const row = await sinks.rows.insert(ctx, { ...newSink(ctx, body, from), epoch: await openEpoch(ctx) });
    ctx.enqueue(sinkJob(ctx.scope, row.id));
    return sinks.view(row, ctx);
  },
});

function newSink(ctx: WriteContext, body: CreateSinkBody, from: number) {
  const id = ctx.newId("snk");
  const { name, kind, format = "json", filter = {}, credentials } = body;
  const now = new Date(ctx.now);
  return {
    id,
    name,
    kind,
    format,
    filter,
    target: body.target as SinkJson["target"],
    not_sent: [],
    credentials: credentials ? sealCredentials(ctx.port(sinkPort).credentialKey, ctx.scope, id, credentials) : null,
    since_leaf: from,
    next_leaf: from,
    range_from: from,
    created_by: ctx.principal.id,
    actor: storable(actorOfCall(ctx)),
    next_at: now,
    created_at: now,
    updated_at: now,
  };
}
