import type { WriteContext } from "../../../../kernel/context.ts";
import { refuse } from "../../../../kernel/errors.ts";
import { byBody } from "../../../../kernel/narrowing.ts";
import { defineOperation, exempt, governs } from "../../../../kernel/operation.ts";
import { insufficientScope } from "../../../../kernel/problems.ts";
import { allEnvironmentsAdminRequired, killSwitchAlreadyEngaged } from "../errors.ts";
import { killSwitchEngagedEvent } from "../events.ts";
import { exampleKillSwitch } from "../example.ts";
import { killSwitchFacts } from "../facts.ts";
import { isCritical } from "../rules.ts";
import { EngageKillSwitchBody, KillSwitch } from "../schemas.ts";
import { insertKillSwitch, type KillSwitchRow, type NewKillSwitch } from "../store.ts";
import { agentToStop, engageFaults, permitKillSwitch } from "../target.ts";
import { killSwitchView, releaseNeeds } from "../view.ts";

export const engageKillSwitch = defineOperation({
  id: "governance.engageKillSwitch",
  method: "POST",
  path: "/v1/governance/kill-switch",
  status: 201,
  listed: true,
  summary: "Stop agents",
  description:
    "Engages a kill switch: everywhere within a second nothing of what it names begins, and within two seconds nothing of it runs. One person suffices, no policy forbids it, " +
    "and it holds until it is released, whatever is restarted. Several at once hold together, and the strictest counts. Where it could not be released as the service is set up, it is engaged all the same, and `release_requires` says so; a dry run does among the reasons of compliance.",
  body: EngageKillSwitchBody,
  output: KillSwitch,
  example: {
    body: { kind: "agent", target: "sales", mode: "stop", reason: exampleKillSwitch.reason },
    output: { ...exampleKillSwitch, tasks_ended: 0, time_to_stop_ms: null },
  },
  permission: "governance:engage",
  load: exempt("names no object; what is to be stopped stands in the body"),
  narrowing: byBody("the agent that is stopped", (ctx, { body }: { body: EngageKillSwitchBody }) =>
    agentToStop(ctx, body),
  ),
  validate: (ctx, { body }) => engageFaults(ctx, body),
  gate: exempt("stops work, starts none"),
  decides: "rules",
  compliance: governs("kill_switch.engage"),
  audit: ({ output }) => (output ? `kill_switch:${output.kill_switch_id}` : "kill_switches"),
  emits: [killSwitchEngagedEvent],
  errors: [killSwitchAlreadyEngaged, allEnvironmentsAdminRequired, insufficientScope],
  async handle(ctx, { body }) {
    await permitKillSwitch(ctx, body);
    const { kind, target = null, mode = "stop", reason } = body;
    const stop = { id: ctx.newId("ksw"), kind, target, mode, reason, critical: isCritical(kind, body.critical) };
    const row = await enter(ctx, stop);
    const needed = releaseNeeds(ctx, stop);
    if (needed !== null) ctx.note(needed);
    ctx.touch(killSwitchFacts);
    const { id: kill_switch_id, ...told } = stop;
    ctx.emit(killSwitchEngagedEvent, { kill_switch_id, ...told, by: ctx.principal.id });
    return killSwitchView(row, ctx);
  },
});

async function enter(ctx: WriteContext, stop: NewKillSwitch): Promise<KillSwitchRow> {
  const known = await insertKillSwitch(ctx, stop);
  if ("row" in known) return known.row;
  throw refuse(killSwitchAlreadyEngaged, `${known.twin} stops the same in the same way; nothing was changed.`, {
    members: { kill_switch_id: known.twin },
  });
}
