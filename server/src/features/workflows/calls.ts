import { type Action, durationMs, type Plan, type PlannedStep } from "@aos/workflow";
import type { CallContext } from "../../kernel/context.ts";
import { askSkill, skillOfTool } from "../../kernel/direct-skills.ts";
import { refuse } from "../../kernel/errors.ts";
import type { RiskLevel } from "../../kernel/risk.ts";
import { findKnownAgent, findLiveSkill, type KnownAgent, type LiveVersion } from "../agents/public.ts";
import type { AskedExpiry } from "../approvals/requests/public.ts";
import { riskOf, startingTrust, type Work } from "../tasks/public.ts";
import { agentNotLive, invalidCall } from "./errors.ts";

/** A task of an agent: whose skill with which input. */
export interface CalledSkill {
  readonly agent: string;
  readonly skill: string;
  readonly input: Record<string, unknown>;
}

/** A step as a task. */
export interface Call extends CalledSkill {
  readonly requireApproval: boolean;
  readonly approval: AskedExpiry | null;
  /** What an approval demands at least, and what people approve with it. */
  readonly asks: {
    readonly risk: RiskLevel | null;
    readonly approvers: number;
    readonly covered: readonly (CalledSkill & { readonly step: string })[];
  } | null;
}

type OfTask = Extract<Action, { kind: "agent" | "tool" }>;
export const isTask = (action: Action): action is OfTask => action.kind === "agent" || action.kind === "tool";

/** The task that an agent's or a tool's call is. */
const calledSkill = (action: OfTask): CalledSkill =>
  action.kind === "agent"
    ? { agent: action.agent, skill: action.skill, input: action.input }
    : { agent: action.agent, skill: skillOfTool(action.tool), input: action.arguments };

/** The number of an agent's deployed version; null: it has none. */
type VersionOf = (agent: string) => number | null;

/** A call as people are shown it when they approve it for a later step: by the version that is deployed then. */
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

/** What task a step's action is. */
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
    ...{ agent: askedFor(plan, planned), skill: askSkill, input, requireApproval: true },
    approval: expires === undefined ? null : { expires_in_seconds: durationMs(expires) / 1000, on_expiry },
    asks: {
      risk,
      approvers,
      covered: Object.entries(covered).flatMap(([step, one]) => (isTask(one) ? { step, ...calledSkill(one) } : [])),
    },
  };
}

/** For whose work people are asked: of what they approve, else of the nearest step before it. */
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

/** An agent with its deployed version. Refuses one that has none here. */
export function deployed(ctx: CallContext, name: string): KnownAgent & { readonly live: LiveVersion } {
  const agent = findKnownAgent(ctx, name);
  if (agent?.live && !agent.archived) return { ...agent, live: agent.live };
  throw refuse(agentNotLive, `${name} is not deployed in ${ctx.scope.environment}, so that the step cannot be done.`);
}

/** The task's skill, trust and risk as they are now. Refuses input that the skill does not take. */
export function workOf(ctx: CallContext, version: LiveVersion, { agent, skill: name, input }: CalledSkill): Work {
  const skill = findLiveSkill(version, name);
  if (!skill) throw refuse(invalidCall, `${agent}, version ${version.number}, has no skill or tool for ${name}.`);
  const [fault] = skill.validate(input);
  if (fault)
    throw refuse(invalidCall, `${name} does not take what the step gives it: ${fault.pointer} ${fault.detail}.`);
  const trust = startingTrust(ctx, version.id, name);
  return { version, skill, input, trust, risk: riskOf(skill, trust.low) };
}
