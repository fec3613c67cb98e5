import { actorOfCall, storable } from "../../../../kernel/actor.ts";
import { refuse } from "../../../../kernel/errors.ts";
import { byBody } from "../../../../kernel/narrowing.ts";
import { defineOperation, exempt } from "../../../../kernel/operation.ts";
import { conflict } from "../../../../kernel/problems.ts";
import { findKnownAgent } from "../../../agents/public.ts";
import { findSkillSchemas } from "../../datasets/store.ts";
import { unknownAgent, unknownSkill } from "../../errors.ts";
import { exampleMonitor } from "../../example.ts";
import { CreateMonitorBody, MONITOR_START, Monitor } from "../../schemas.ts";
import { monitors } from "../resource.ts";
import { newestSequence } from "../store.ts";

export const createMonitor = defineOperation({
  ...monitors.changeOfAll(),
  id: "evaluations.createMonitor",
  method: "POST",
  status: 201,
  summary: "Draw live tasks for review",
  description:
    "Queues a random share of the agent's completed tasks in the environment for review from now on. The trust score learns most from verdicts on random tasks: " +
    "people who choose tasks themselves choose those that look wrong.",
  body: CreateMonitorBody,
  output: Monitor,
  example: { body: { agent: exampleMonitor.agent, share: exampleMonitor.share }, output: exampleMonitor },
  narrowing: byBody("the agent in the body", (_ctx, { body }: { body: CreateMonitorBody }) => [body.agent]),
  gate: exempt("makes no agent act"),
  audit: ({ output }) => (output ? `monitor:${output.monitor_id}` : "monitors"),
  errors: [conflict],
  async handle(ctx, { body: { agent, skill = null, ...given } }) {
    if (!findKnownAgent(ctx, agent)) throw unknownAgent(agent);
    if (skill !== null && !(await findSkillSchemas(ctx, agent, skill))) throw unknownSkill(agent);
    const row = await monitors.rows.insertUnlessTaken(ctx, {
      ...MONITOR_START,
      ...given,
      id: ctx.newId("mon"),
      agent,
      skill,
      author: ctx.principal.id,
      actor: storable(actorOfCall(ctx)),
      drawn_to: newestSequence(ctx),
      created_at: new Date(ctx.now),
    });
    if (!row) {
      const what = skill === null ? `All skills of ${agent} have` : `The skill ${skill} of ${agent} has`;
      throw refuse(conflict, `${what} a monitor in ${ctx.scope.environment}. Remove it first to draw another share.`);
    }
    return monitors.view(row, ctx);
  },
});
