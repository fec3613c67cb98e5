import { changedMeanwhile } from "../../../../kernel/changed-meanwhile.ts";
import type { WriteContext } from "../../../../kernel/context.ts";
import { refuse } from "../../../../kernel/errors.ts";
import { defineOperation, exempt } from "../../../../kernel/operation.ts";
import { notFound } from "../../../../kernel/problems.ts";
import { sinkPort } from "../../ports.ts";
import { exampleSink } from "../example.ts";
import { sinks } from "../resource.ts";
import { credentialFaults, ownedByCaller, sealCredentials, sinkJob, triedAgain } from "../rules.ts";
import { ChangeSinkBody } from "../schemas.ts";
import type { SinkRow, StoredSink } from "../view.ts";

/** How long a webhook's former secret signs too (milliseconds). */
const overlapMs = 86_400_000;

export const changeSink = defineOperation({
  ...sinks.changeOfOne(),
  ...sinks.answer,
  id: "audit.changeSink",
  method: "PATCH",
  summary: "Pause an audit sink, or replace its credentials",
  description:
    "A paused sink goes on where it was. After new credentials it is tried again at once; the former secret of a webhook signs too for a day. Target and filter stay: another sink, with `from_leaf` at the position of this one, sends elsewhere. " +
    "Whoever replaces the credentials of a sink, or starts one that stopped, is its owner from then on.",
  body: ChangeSinkBody,
  mayMatch: ({ revision }: SinkRow) => revision,
  example: {
    params: { sink: exampleSink.sink_id },
    body: { state: "paused" },
    output: { ...exampleSink, state: "paused", revision: 2 },
  },
  validate: (_ctx, { body, loaded }) => credentialFaults(loaded.kind, body.credentials),
  gate: exempt("makes no agent act"),
  async handle(ctx, { loaded, body: { name, state, credentials } }) {
    const sink = await sinks.rows.lock(ctx, loaded.id);
    if (!sink) throw refuse(notFound, "The sink was just removed.");
    if (ctx.basedOnLoaded && sink.revision !== loaded.revision) throw changedMeanwhile();
    const starts = state === "active" && (sink.state === "paused" || sink.stopped_reason !== null);
    const isOwner = credentials !== undefined || (state === "active" && sink.stopped_reason !== null);
    const row = await sinks.rows.update(ctx, sink, {
      ...(name !== undefined && { name }),
      ...(state !== undefined && { state }),
      ...(credentials && replaced(ctx, sink, credentials)),
      ...(isOwner && ownedByCaller(ctx, sink)),
      ...((starts || isOwner) && triedAgain(ctx.now)),
      revision: sink.revision + 1,
      updated_at: new Date(ctx.now),
    });
    ctx.enqueue(sinkJob(ctx.scope, row.id));
    return sinks.view(row, ctx);
  },
});

function replaced(ctx: WriteContext, { id, kind, credentials: former }: StoredSink, credentials: object) {
  const signs = kind === "webhook" && former !== null;
  return {
    credentials: sealCredentials(ctx.port(sinkPort).credentialKey, ctx.scope, id, credentials),
    previous_credentials: signs ? former : null,
    previous_until: signs ? new Date(ctx.now + overlapMs) : null,
  };
}
