import { type Action, durationMs, type Plan, type PlannedStep } from "@aos/workflow";
import type { CallContext } from "../../../kernel/context.ts";
import { askSkill, directOf, skillOfTool } from "../../../kernel/direct-skills.ts";
import { refuse } from "../../../kernel/errors.ts";
import type { PolicyFacts, Proposal } from "../../../kernel/operation.ts";
import { assessRisk, highestOf, type Risk, type RiskLevel } from "../../../kernel/risk.ts";
import { type ApprovalDemand, type Governed, stricter } from "../../../kernel/verdict.ts";
import { findKnownAgent, findLiveSkill, type KnownAgent, type LiveVersion } from "../../agents/public.ts";
import type { AskedExpiry } from "../../approvals/requests/public.ts";
import {
  approvalFor,
  declaredImpact,
  riskOf,
  riskOfCall,
  startingTrust,
  toolsAsMarked,
  type Work,
} from "../../tasks/public.ts";
import { agentNotLive, invalidCall } from "../errors.ts";

interface CalledSkill {
  readonly agent: string;
  readonly skill: string;
  readonly input: Record<string, unknown>;
}

/** A step as a task. */
export interface Call extends CalledSkill {
  readonly requireApproval: boolean;
  readonly approval: AskedExpiry | null;
  /** The least that an approval demands, and what it approves besides the step. */
  readonly asks: {
    readonly risk: RiskLevel | null;
    readonly approvers: number;
    readonly covered: readonly (CalledSkill & { readonly step: string })[];
  } | null;
}

type OfTask = Extract<Action, { kind: "agent" | "tool" }>;
export const isTask = (action: Action): action is OfTask => action.kind === "agent" || action.kind === "tool";

const calledSkill = (action: OfTask): CalledSkill =>
  action.kind === "agent"
    ? { agent: action.agent, skill: action.skill, input: action.input }
    : { agent: action.agent, skill: skillOfTool(action.tool), input: action.arguments };

/** The number of an agent's deployed version, if any. */
type VersionOf = (agent: string) => number | null;

/** A call as its approvers see it before a later step makes it: by the version deployed then. */
export function shownCall(action: Action, versionOf: VersionOf): Readonly<Record<string, unknown>> {
  switch (action.kind) {
    case "agent":
      return { agent: action.agent, version: versionOf(action.agent), skill: action.skill, input: action.input };
    case "tool":
      return { agent: action.agent, version: versionOf(action.agent), tool: action.tool, arguments: action.arguments };
    case "workflow":
      return { workflow: action.workflow, version: action.version, input: action.input };
    default:
      throw new TypeError(`a step of the kind ${action.kind} cannot be covered`);
  }
}

/** The task of a step's action. */
export function callOf(plan: Plan, planned: PlannedStep, action: Action, versionOf: VersionOf): Call {
  const plain = { requireApproval: false, approval: null, asks: null };
  switch (action.kind) {
    case "agent":
      return { ...plain, ...calledSkill(action), requireApproval: action.requireApproval };
    case "tool":
      return { ...plain, ...calledSkill(action) };
    case "approval":
      return askFor(plan, planned, action, versionOf);
    default:
      throw new TypeError(`a step of the kind ${action.kind} is no task`);
  }
}

function askFor(
  plan: Plan,
  planned: PlannedStep,
  { title, context, covered }: Extract<Action, { kind: "approval" }>,
  versionOf: VersionOf,
): Call {
  const { expires, on_expiry = "reject", risk = null, approvers = 1 } = planned.step.approval ?? {};
  const calls = Object.entries(covered).map(([step, call]) => [step, shownCall(call, versionOf)] as const);
  const input = {
    title,
    ...(Object.keys(context).length > 0 && { context }),
    ...(calls.length > 0 && { calls: Object.fromEntries(calls) }),
  };
  return {
    agent: askedFor(plan, planned),
    skill: askSkill,
    input,
    requireApproval: true,
    approval: expires === undefined ? null : { expires_in_seconds: durationMs(expires) / 1000, on_expiry },
    asks: {
      risk,
      approvers,
      covered: Object.entries(covered).flatMap(([step, one]) => (isTask(one) ? { step, ...calledSkill(one) } : [])),
    },
  };
}

/** The agent whose work people approve: of the approved calls, else of the nearest step before. */
function askedFor(plan: Plan, { step, needs, id }: PlannedStep): string {
  const named = step.approval?.agent;
  if (named !== undefined) return named;
  for (const covered of step.approval?.covers ?? []) {
    const agent = agentOf(plan.byId.get(covered));
    if (agent !== undefined) return agent;
  }
  const seen = new Set([id]);
  const queue = [...needs];
  for (const one of queue) {
    if (seen.has(one)) continue;
    seen.add(one);
    const planned = plan.byId.get(one);
    const agent = agentOf(planned);
    if (agent !== undefined) return agent;
    queue.push(...(planned?.needs ?? []));
  }
  return plan.steps.map(agentOf).find((agent) => agent !== undefined) ?? "";
}

const agentOf = (planned: PlannedStep | undefined): string | undefined =>
  planned?.step.agent?.name ?? planned?.step.tool?.agent;

/** Throws if the agent has no version here. */
export function deployed(ctx: CallContext, name: string): KnownAgent & { readonly live: LiveVersion } {
  const agent = findKnownAgent(ctx, name);
  if (agent?.live && !agent.archived) return { ...agent, live: agent.live };
  throw refuse(agentNotLive, `${name} is not deployed in ${ctx.scope.environment}, so that the step cannot be done.`);
}

/** The task's skill, trust and risk now. Throws for input that the skill does not take. */
export function workOf(ctx: CallContext, version: LiveVersion, { agent, skill: name, input }: CalledSkill): Work {
  const skill = findLiveSkill(version, name);
  if (!skill) throw refuse(invalidCall, `${agent}, version ${version.number}, has no skill or tool for ${name}.`);
  const [fault] = skill.validate(input);
  if (fault)
    throw refuse(invalidCall, `${name} does not take what the step gives it: ${fault.pointer} ${fault.detail}.`);
  const trust = startingTrust(ctx, version.id, name);
  return { version, skill, input, trust, risk: riskOf(skill, trust.low) };
}

type StepOfWorkflow = NonNullable<PolicyFacts["workflow"]>;

/** A step's call with its agent and work at this moment. */
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

/** Facts for policies. `covered`: the calls that people approve with the task. */
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

/** The worst risk of each, and at least what the workflow sets. */
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

/** Further policy proposals at the start of a step: its tool call, and the calls that people approve with it. */
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

/** The approval that a step's task needs, by workflow, gate, policies and risk; null: none. */
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
