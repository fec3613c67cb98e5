import type { CallContext } from "../../kernel/context.ts";
import { directOf } from "../../kernel/direct-skills.ts";
import type { PolicyFacts, Proposal } from "../../kernel/operation.ts";
import { assessRisk, highestOf, type Risk } from "../../kernel/risk.ts";
import { type ApprovalDemand, type Governed, stricter } from "../../kernel/verdict.ts";
import type { KnownAgent } from "../agents/public.ts";
import { approvalFor, declaredImpact, riskOfCall, toolsAsMarked, type Work } from "../tasks/public.ts";
import { type Call, type CalledSkill, deployed, workOf } from "./calls.ts";

type StepOfWorkflow = NonNullable<PolicyFacts["workflow"]>;

/** A step's call with what is known of its agent and its work at this moment. */
interface Judged {
  readonly step: StepOfWorkflow;
  readonly agent: KnownAgent;
  readonly call: CalledSkill;
  readonly work: Work;
}

function judge(ctx: CallContext, step: StepOfWorkflow, call: CalledSkill): Judged {
  const agent = deployed(ctx, call.agent);
  return { step, agent, call, work: workOf(ctx, agent.live, call) };
}

/** What policies see of a step's task. `work`: what the task is made of; `covered`: what people approve with it. */
export function stepFacts(ctx: CallContext, step: StepOfWorkflow, call: Call) {
  const covered = (call.asks?.covered ?? []).map((one) => judge(ctx, { name: step.name, step: one.step }, one));
  const own = judge(ctx, step, call);
  const work = call.asks ? { ...own.work, risk: riskOfAll(own.work, covered, call.asks.risk) } : own.work;
  return { ...dispatchFacts({ ...own, work }), work, covered };
}

function dispatchFacts({ step, agent, call, work }: Judged) {
  const { level, score, impact, likelihood } = work.risk;
  const { score: trust, low, high } = work.trust;
  return {
    agent: { name: agent.agent, labels: agent.labels },
    version: { number: work.version.number, id: work.version.id },
    skill: { name: call.skill },
    workflow: step,
    input: call.input,
    risk: { level, score, impact, likelihood },
    trust: { score: trust, low, high },
  };
}

/** The risk of what people approve together: the worst of each, and at least what the workflow says. */
function riskOfAll(own: Work, covered: readonly Judged[], atLeast: Risk["level"] | null): Risk {
  const works = [own, ...covered.map(({ work }) => work)];
  const impacts = works
    .flatMap(({ skill }) => [skill.definition.impact, ...skill.tools.map(({ impact }) => impact)])
    .filter((impact) => impact !== undefined);
  const trust_low = Math.min(...works.map(({ trust }) => trust.low));
  const shared = { unattended: true, trust_low, critical_finding: false, mitigation: 0 };
  const risk = covered.length === 0 ? own.risk : assessRisk({ ...declaredImpact(impacts), ...shared });
  if (atLeast === null || highestOf(risk.level, atLeast) === risk.level) return risk;
  return { ...risk, level: atLeast, floors: [...risk.floors, { rule: "workflow", level: atLeast }], lower: null };
}

/** What else policies judge when a step begins: the call of the tool that it is, and what people approve with it. */
export function stepProposals(ctx: CallContext, step: StepOfWorkflow, call: Call): Proposal[] {
  const { covered } = stepFacts(ctx, step, call);
  const later = covered.flatMap((one) =>
    (["task.dispatch", "task.run"] as const).map((action) => ({ action, facts: dispatchFacts(one) })),
  );
  const calls = call.asks ? covered : [judge(ctx, step, call)];
  return [...later, ...calls.flatMap((one) => toolProposal(ctx, one))];
}

function toolProposal(ctx: CallContext, judged: Judged): Proposal[] {
  const { call, work } = judged;
  const [tool] = toolsAsMarked(ctx, work.skill.tools);
  if (typeof directOf(call.skill) !== "object" || !tool) return [];
  const { level, score, impact, likelihood } = tool.effect === "write" ? riskOfCall(tool, work.trust.low) : work.risk;
  const facts: PolicyFacts = {
    ...dispatchFacts(judged),
    tool: { name: tool.name, effect: tool.effect },
    risk: { level, score, impact, likelihood },
    spend: { task_usd: 0 },
  };
  return [{ action: "tool.call", facts }];
}

/** What is demanded of people before a step's task runs, by the workflow, gate, policies and risk; null: nothing. */
export function demandOf(
  ctx: CallContext,
  { call, work, asks }: { readonly call: Call; readonly work: Work; readonly asks: string },
  governed: Governed,
): ApprovalDemand | null {
  const own: ApprovalDemand | null = call.requireApproval
    ? { approvers: call.asks?.approvers ?? 1, requester_allowed: true, reasons: [asks] }
    : null;
  const demand = approvalFor(ctx, work.risk, stricter(own, governed.approval), false);
  return demand && { ...demand, reasons: [...new Set(demand.reasons)] };
}
