import { nearestName } from "@aos/text";
import type { CallContext } from "../../kernel/context.ts";
import type { Fault } from "../../kernel/errors.ts";
import type { PolicyFacts } from "../../kernel/operation.ts";
import type { Risk } from "../../kernel/risk.ts";
import type { ApprovalDemand } from "../../kernel/verdict.ts";
import { findKnownAgent, type LiveSkill, type LiveVersion } from "../agents/public.ts";
import type { AskedOfProposal, Proposal, Proposed, SaidOfProposal } from "../governance/public.ts";
import { callDemand } from "./call-demand.ts";
import { approvalFor, riskOf, riskOfCall, startingTrust } from "./model.ts";
import { toolAsMarked } from "./tool-effects.ts";

/** The actions whose input is that of a task, and that pass the evaluation gate. */
export const ofWholeTasks: ReadonlySet<string> = new Set(["task.dispatch", "task.run"]);

/** What keeps a proposal from being a call of a deployed agent, each fault with its place. The input of a task is judged by its skill. */
export function proposalFaults(ctx: CallContext, proposal: Proposal): Fault[] {
  const { agent: name, skill: asked, tool: called, input } = proposal;
  if (name === undefined) {
    return (["skill", "tool"] as const).flatMap((member) =>
      proposal[member] === undefined
        ? []
        : [{ pointer: "/agent", code: "required", detail: `is required together with \`${member}\`; add it` }],
    );
  }
  const agent = findKnownAgent(ctx, name);
  if (!agent || agent.archived)
    return [{ pointer: "/agent", code: "unknown_agent", detail: `${name} is no agent of this organization` }];
  if (!agent.live)
    return [{ pointer: "/agent", code: "not_deployed", detail: `${name} is not deployed in ${ctx.scope.environment}` }];
  const { skills } = agent.live;
  const skill = asked === undefined ? undefined : skills.get(asked);
  const faults: Fault[] = [];
  if (asked !== undefined && !skill)
    faults.push(unknown("/skill", `${name} has no skill ${asked}`, asked, [...skills.keys()]));
  const tools = toolsOf(agent.live, skill).map((tool) => tool.name);
  if (called !== undefined && !tools.includes(called)) {
    faults.push(unknown("/tool", `${skill ? `the skill ${asked}` : name} has no tool ${called}`, called, tools));
  }
  if (skill && ofWholeTasks.has(proposal.action))
    faults.push(...skill.validate(input ?? {}).map((fault) => ({ ...fault, pointer: `/input${fault.pointer}` })));
  return faults;
}

function unknown(pointer: string, what: string, name: string, names: readonly string[]): Fault {
  const close = nearestName(name, names);
  return {
    pointer,
    code: `unknown_${pointer.slice(1)}`,
    detail: `${what}; ${close ? `did you mean ${close}?` : `it has ${names.join(", ") || "none"}`}`,
  };
}

const toolsOf = (version: LiveVersion, skill: LiveSkill | undefined): LiveSkill["tools"] =>
  skill ? skill.tools : [...version.skills.values()].flatMap(({ tools }) => tools);

/** A proposal that has no faults, seen as the call itself would be. Of an agent alone the rest is left open. */
export function proposedCall(
  ctx: CallContext,
  { action, agent: name, skill: asked, tool: called, model, input }: Proposal,
): Proposed {
  const given: PolicyFacts = {
    ...(model === undefined ? {} : { model: { name: model } }),
    ...(input === undefined ? {} : { input }),
  };
  const agent = name === undefined ? undefined : findKnownAgent(ctx, name);
  if (!agent?.live)
    return { facts: given, version: null, costUsd: 0, demand: ({ approval }) => ({ approval, steered: approval }) };
  const { live } = agent;
  const skill = asked === undefined ? undefined : live.skills.get(asked);
  const named = toolsOf(live, skill).find((one) => one.name === called);
  const tool = named && toolAsMarked(ctx, named);
  const work = skill && judged(ctx, live.id, skill, action === "tool.call" ? tool : undefined);
  return {
    facts: {
      agent: { name: agent.agent, labels: agent.labels },
      version: { number: live.number, id: live.id },
      ...(skill ? { skill: { name: skill.definition.name } } : {}),
      ...(tool ? { tool: { name: tool.name, effect: tool.effect } } : {}),
      ...(work ? work.facts : {}),
      ...given,
    },
    version: { agent: agent.agent, id: live.id },
    costUsd: tool?.cost_usd ?? 0,
    demand: (said) => demandOf(ctx, { action, tool, risk: work?.risk }, said),
  };
}

type Tool = LiveSkill["tools"][number];

function demandOf(
  ctx: CallContext,
  { action, tool, risk }: { action: string; tool: Tool | undefined; risk: Risk | undefined },
  said: SaidOfProposal,
): AskedOfProposal {
  const same = (approval: ApprovalDemand | null): AskedOfProposal => ({ approval, steered: approval });
  if (risk && ofWholeTasks.has(action)) return same(approvalFor(ctx, risk, said.approval, false));
  if (!risk || !tool || action !== "tool.call") return same(said.approval);
  const call = { tool, risk, governed: said };
  return {
    approval: callDemand(ctx, { ...call, tainted: false }),
    steered: callDemand(ctx, { ...call, tainted: true }),
  };
}

/** Trust and risk of work by a skill at this moment, as at a dispatch; of a call of a tool that writes, the risk is that of the call itself. */
function judged(ctx: CallContext, versionId: string, skill: LiveSkill, tool: Tool | undefined) {
  const { score, low, high } = startingTrust(ctx, versionId, skill.definition.name);
  const risk = tool?.effect === "write" ? riskOfCall(tool, low) : riskOf(skill, low);
  const { level, impact, likelihood } = risk;
  return { risk, facts: { risk: { level, score: risk.score, impact, likelihood }, trust: { score, low, high } } };
}
