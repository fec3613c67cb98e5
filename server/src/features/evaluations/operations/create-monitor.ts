import { actorOfCall } from "../../../kernel/actor.ts";
import { refuse } from "../../../kernel/errors.ts";
import { byBody } from "../../../kernel/narrowing.ts";
import { defineOperation, exempt, governs } from "../../../kernel/operation.ts";
import { conflict } from "../../../kernel/problems.ts";
import { findKnownAgent } from "../../agents/public.ts";
import { findSkillSchemas } from "../dataset-store.ts";
import { unknownAgent, unknownSkill } from "../errors.ts";
import { exampleMonitor } from "../example.ts";
import { findMonitor, insertMonitor, type MonitorTally } from "../review-store.ts";
import { monitorView } from "../review-view.ts";
import { CreateMonitorBody, MONITOR_START, Monitor } from "../schemas.ts";

export const createMonitor = defineOperation({
  id: "evaluations.createMonitor",
  method: "POST",
  path: "/v1/evaluations/monitors",
  status: 201,
  summary: "Draw live tasks for review",
  description:
    "From now on a random share of the agent's completed tasks in the environment goes into the review queue. The trust score learns most from verdicts on random tasks: " +
    "people who choose what to judge choose what looks wrong.",
  body: CreateMonitorBody,
  output: Monitor,
  example: { body: { agent: exampleMonitor.agent, share: exampleMonitor.share }, output: exampleMonitor },
  permission: "evaluations:write",
  load: exempt("names no object; the agent stands in the body"),
  narrowing: byBody("the agent in the body", (_ctx, { body }: { body: CreateMonitorBody }) => [body.agent]),
  gate: exempt("makes no agent act"),
  decides: "rules",
  compliance: governs("review.monitor"),
  audit: ({ output }) => (output ? `monitor:${output.monitor_id}` : "monitors"),
  errors: [conflict],
  async handle(ctx, { body: { agent, skill = null, ...given } }) {
    if (!findKnownAgent(ctx, agent)) throw unknownAgent(agent);
    if (skill !== null && !(await findSkillSchemas(ctx, agent, skill))) throw unknownSkill(agent);
    const made = { id: ctx.newId("mon"), agent, skill, author: ctx.principal.id, created_at: new Date(ctx.now) };
    if (!(await insertMonitor(ctx, { ...MONITOR_START, ...given, ...made }, actorOfCall(ctx)))) {
      const what = skill === null ? `All skills of ${agent} have` : `The skill ${skill} of ${agent} has`;
      throw refuse(conflict, `${what} a monitor in ${ctx.scope.environment}. Remove it first to draw another share.`);
    }
    return monitorView((await findMonitor(ctx, made.id)) as MonitorTally);
  },
});
