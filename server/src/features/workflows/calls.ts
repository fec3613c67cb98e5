import { type Action, durationMs, type Plan, type PlannedStep } from "@aos/workflow";
import type { CallContext } from "../../kernel/context.ts";
import { askSkill, skillOfTool } from "../../kernel/direct-skills.ts";
import { refuse } from "../../kernel/errors.ts";
import { findLiveSkill, type LiveVersion } from "../agents/public.ts";
import type { AskedExpiry } from "../approvals/requests/public.ts";
import { riskOf, startingTrust, type Work } from "../tasks/public.ts";
import { invalidCall } from "./errors.ts";

/** A step as a task: whose skill with which input. */
export interface Call {
  readonly agent: string;
  readonly skill: string;
  readonly input: Record<string, unknown>;
  readonly requireApproval: boolean;
  readonly approval: AskedExpiry | null;
}

/** What task a step's action is. */
export function callOf(plan: Plan, planned: PlannedStep, action: Action): Call {
  const plain = { requireApproval: false, approval: null };
  switch (action.kind) {
    case "agent":
      return {
        ...plain,
        agent: action.agent,
        skill: action.skill,
        input: action.input,
        requireApproval: action.requireApproval,
      };
    case "tool":
      return { ...plain, agent: action.agent, skill: skillOfTool(action.tool), input: action.arguments };
    case "approval": {
      const { title, context, covered } = action;
      const { expires, on_expiry = "reject" } = planned.step.approval ?? {};
      const input = {
        title,
        ...(Object.keys(context).length > 0 && { context }),
        ...(Object.keys(covered).length > 0 && { calls: covered }),
      };
      const approval = expires === undefined ? null : { expires_in_seconds: durationMs(expires) / 1000, on_expiry };
      return { agent: askedFor(plan, planned), skill: askSkill, input, requireApproval: true, approval };
    }
    default:
      throw new TypeError(`a step of the kind ${action.kind} is no task`);
  }
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

/** The task's skill, trust and risk as they are now. Refuses input that the skill does not take. */
export function workOf(ctx: CallContext, version: LiveVersion, { agent, skill: name, input }: Call): Work {
  const skill = findLiveSkill(version, name);
  if (!skill) throw refuse(invalidCall, `${agent}, version ${version.number}, has no skill or tool for ${name}.`);
  const [fault] = skill.validate(input);
  if (fault)
    throw refuse(invalidCall, `${name} does not take what the step gives it: ${fault.pointer} ${fault.detail}.`);
  const trust = startingTrust(ctx, version.id, name);
  return { version, skill, input, trust, risk: riskOf(skill, trust.low) };
}
