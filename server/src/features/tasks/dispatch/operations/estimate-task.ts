import type { BatchContext, ItemOutcome } from "../../../../kernel/context.ts";
import { byBody } from "../../../../kernel/narrowing.ts";
import { defineBatch, exempt, governs } from "../../../../kernel/operation.ts";
import type { ApprovalDemand } from "../../../../kernel/verdict.ts";
import { findKnownAgent, type LiveSkill } from "../../../agents/public.ts";
import { exampleEstimate, exampleEstimated } from "../../example.ts";
import { type DispatchBody, EstimateBody, TaskEstimate } from "../../schemas.ts";
import { figuresOf, rangeOf } from "../estimate.ts";
import { listDecisionTimes, listEnded } from "../estimate-store.ts";
import { agentSeen, approvalFor, riskOf, startingTrust } from "../rules.ts";
import { dispatchTask } from "./dispatch-task.ts";

const mostEnded = 500;

export const estimateTask = defineBatch({
  id: "tasks.estimateTask",
  path: "/v1/tasks/estimate",
  status: 200,
  summary: "Estimate a task before it is dispatched",
  description:
    "Makes the dispatch as a rehearsal, so that the same permissions, gate, policies, budgets and risk decide, and says what it would come to; with it the chance that it completes, its cost and its " +
    "times, from how the newest tasks of the same skill went. It leaves nothing but records in the audit log.",
  body: EstimateBody,
  output: TaskEstimate,
  example: {
    body: exampleEstimated,
    output: exampleEstimate,
  },
  permission: "tasks:write",
  load: exempt("the agent stands in the body; the rehearsed dispatch finds it"),
  narrowing: byBody("the agent in the body", (_ctx, { body }: { body: EstimateBody }) => [body.agent]),
  gate: exempt("rehearses a dispatch, which passes its own"),
  decides: exempt("changes nothing"),
  compliance: governs("task.read", (ctx, { body }: { body: EstimateBody }) => ({ agent: agentSeen(ctx, body.agent) })),
  audit: ({ body }) => (body === undefined ? "tasks" : `agent:${body.agent}`),
  async handle(ctx, { body: { agent, ...body } }) {
    const outcome = await ctx.call(dispatchTask, { params: { agent }, body, index: 0, rehearsed: true });
    const asked = body as Partial<DispatchBody>;
    const task = typeof asked.task === "string" ? asked.task : "";
    const live = findKnownAgent(ctx, agent)?.live ?? null;
    const skill = live?.skills.get(task);
    const judged =
      skill && live ? judge(ctx, live.id, skill, { outcome, byCaller: asked.require_approval === true }) : nothing;
    const of = { agent, skill: task, most: mostEnded };
    const decided = judged.approval === null ? [] : await listDecisionTimes(ctx, of);
    return {
      agent,
      task,
      version: live?.number ?? null,
      would: outcome.status >= 300 ? "be_refused" : judged.approval === null ? "run" : "wait_for_approval",
      problem: outcome.status >= 300 ? (outcome.body as Record<string, unknown>) : null,
      ...judged,
      ...figuresOf(await listEnded(ctx, of), live?.id ?? null),
      approval_seconds: rangeOf(decided, "median"),
      at_most: skill === undefined ? null : limitsOf(skill),
    } satisfies TaskEstimate;
  },
});

type Judged = Pick<TaskEstimate, "approval" | "risk" | "trust">;
const nothing: Judged = { approval: null, risk: null, trust: null };

/** What dispatch would ask of people: the rehearsal says what gate and policies demand, and the risk and the caller may add to it. */
function judge(
  ctx: BatchContext,
  version: string,
  skill: LiveSkill,
  { outcome, byCaller }: { readonly outcome: ItemOutcome; readonly byCaller: boolean },
): Judged {
  const trust = startingTrust(ctx, version, skill.definition.name);
  const risk = riskOf(skill, trust.low);
  const { approval: demanded = null } = outcome.body as { approval?: ApprovalDemand | null };
  const demand = outcome.status >= 300 ? null : approvalFor(ctx, risk, demanded, byCaller);
  return {
    approval: demand && {
      approvers: demand.approvers,
      requester_allowed: demand.requester_allowed,
      reasons: [...demand.reasons],
    },
    risk: { level: risk.level, score: risk.score },
    trust: { score: trust.score, low: trust.low, high: trust.high },
  };
}

function limitsOf({ definition: { limits = {} } }: LiveSkill): TaskEstimate["at_most"] {
  const { cost_usd = null, tokens = null, seconds = null, steps = null } = limits;
  return { cost_usd, tokens, seconds, steps };
}
