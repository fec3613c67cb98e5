import type { WriteContext } from "../../../kernel/context.ts";
import { refuse } from "../../../kernel/errors.ts";
import { byBody } from "../../../kernel/narrowing.ts";
import { defineOperation, exempt, governs } from "../../../kernel/operation.ts";
import { insufficientScope } from "../../../kernel/problems.ts";
import { agentToStop, engageFaults, permitStop } from "../kill-switch/engage.ts";
import { exampleStop } from "../kill-switch/example.ts";
import { stopFacts } from "../kill-switch/facts.ts";
import { isCritical } from "../kill-switch/model.ts";
import { findStop, insertStop, type NewStop, type StopRow } from "../kill-switch/store.ts";
import { releaseNeeds, stopView } from "../kill-switch/view.ts";
import { alreadyStopped, stopsEverywhere } from "../kill-switch-errors.ts";
import { killSwitchEngagedEvent } from "../kill-switch-events.ts";
import { EngageStopBody, Stop } from "../kill-switch-schemas.ts";

export const engageStop = defineOperation({
  id: "governance.engageStop",
  method: "POST",
  path: "/v1/governance/kill-switch",
  status: 201,
  listed: true,
  summary: "Stop agents",
  description:
    "Engages a kill switch: everywhere within a second nothing of what it names begins, and within two seconds nothing of it runs. One person suffices, no policy forbids it, " +
    "and it holds until it is released, whatever is restarted. Several at once hold together, and the strictest counts. Where it could not be released as the service is set up, it is engaged all the same, and `release_needs` says so; a dry run does among the reasons of compliance.",
  body: EngageStopBody,
  output: Stop,
  example: {
    body: { kind: "agent", target: "sales", mode: "stop", reason: exampleStop.reason },
    output: { ...exampleStop, tasks_ended: 0, time_to_stop_ms: null },
  },
  permission: "governance:stop",
  load: exempt("names no object; what is to be stopped stands in the body"),
  narrowing: byBody("the agent that is stopped", (ctx, { body }: { body: EngageStopBody }) => agentToStop(ctx, body)),
  validate: (ctx, { body }) => engageFaults(ctx, body),
  gate: exempt("stops work, starts none"),
  compliance: governs("stop.engage"),
  audit: ({ output }) => (output ? `stop:${output.stop_id}` : "stops"),
  emits: [killSwitchEngagedEvent],
  errors: [alreadyStopped, stopsEverywhere, insufficientScope],
  async handle(ctx, { body }) {
    await permitStop(ctx, body);
    const { kind, target = null, mode = "stop", reason } = body;
    const stop = { id: ctx.newId("ksw"), kind, target, mode, reason, critical: isCritical(kind, body.critical) };
    await enter(ctx, stop);
    const needed = releaseNeeds(ctx, stop);
    if (needed !== null) ctx.note(needed);
    ctx.touch(stopFacts);
    const { id: stop_id, ...told } = stop;
    ctx.emit(killSwitchEngagedEvent, { stop_id, ...told, by: ctx.principal.id });
    return stopView((await findStop(ctx, stop_id)) as StopRow, ctx);
  },
});

async function enter(ctx: WriteContext, stop: NewStop): Promise<void> {
  const known = await insertStop(ctx, stop);
  if (!known) return;
  throw refuse(alreadyStopped, `${known.twin} stops the same in the same way; nothing was changed.`, {
    members: { stop_id: known.twin },
  });
}
