import { nearestName } from "@aos/text";
import type { CallContext } from "../../../kernel/context.ts";
import type { Fault } from "../../../kernel/errors.ts";
import type { PolicyFacts } from "../../../kernel/operation.ts";
import { systemPrincipal } from "../../../kernel/principal.ts";
import { assessRisk, type Risk } from "../../../kernel/risk.ts";
import { type ApprovalDemand, type Governed, stricter } from "../../../kernel/verdict.ts";
import {
  type DraftVerdict,
  findKnownAgent,
  type JudgedDraft,
  type LiveSkill,
  type LiveVersion,
} from "../../agents/public.ts";
import type { RunnableTool, SkillDefinition, ToolDefinition } from "../../agents/schemas.ts";
import {
  type AskedOfProposal,
  type PolicyPort,
  type Proposal,
  type Proposed,
  policiesOf,
  policyPort,
  type SaidOfProposal,
} from "../../governance/public.ts";
import { approvalFor, declaredImpact, riskOf, riskOfCall, startingTrust, toolAsMarked } from "./rules.ts";

type Action = DraftVerdict["action"];

/** Verdicts of active policies and risk for each skill, the model and the tools of a draft, as if the caller dispatched it. */
export function judgeDraft(ctx: CallContext, draft: JudgedDraft): DraftVerdict[] {
  const { definition } = draft;
  const judge = (action: Action, skill: SkillDefinition, tool: ToolDefinition | null) =>
    verdictOn(ctx, draft, { action, skill, tool });
  return definition.skills.flatMap((skill) => [
    judge("task.dispatch", skill, null),
    judge("model.call", skill, null),
    ...(skill.tools ?? []).flatMap((name) => {
      const tool = definition.tools.find((one) => one.name === name);
      return tool ? [judge("tool.call", skill, tool)] : [];
    }),
  ]);
}

interface Asked {
  readonly action: Action;
  readonly skill: SkillDefinition;
  readonly tool: ToolDefinition | null;
}

function verdictOn(ctx: CallContext, draft: JudgedDraft, asked: Asked): DraftVerdict {
  const { action, skill, tool } = asked;
  const { risk, context } = contextOf(ctx, draft, asked);
  const said = ctx.port(policyPort).check({
    facts: ctx.facts,
    scope: ctx.scope,
    now: ctx.now,
    version: null,
    context,
    policies: policiesOf(ctx),
  });
  const deciding = said.policies.flatMap(decisionOf);
  const { approval, tags } = said;
  const demand =
    action === "task.dispatch"
      ? approvalFor(ctx, risk, approval, false)
      : tool
        ? callDemand(ctx, { tool, risk, governed: { approval, tags }, tainted: false })
        : approval;
  const refusals = deciding.filter(
    ({ effect, outcome }) => outcome === "error" || (effect === "deny" && outcome === "applies"),
  );
  const denied = refusals.length > 0;
  const open = deciding.some(({ outcome }) => outcome === "depends_on_input");
  return {
    action,
    skill: skill.name,
    tool: tool?.name ?? null,
    policies: deciding,
    verdict: denied ? "deny" : open ? "depends_on_input" : demand ? "require_approval" : "allow",
    reasons: denied ? refusals.map(({ message }) => message) : [...(demand?.reasons ?? [])],
  };
}

/** Such conditions ask `has()` first, so that they do not apply without an input. */
const readsInput = (when: string | null | undefined): boolean => /\b(input|data)\b/.test(when ?? "");

type Judged = ReturnType<PolicyPort["check"]>["policies"][number];

/** The decision of an active policy about a call without an input; undefined if it has no effect. */
function decisionOf({ policy: { id, effect, message, when, state }, outcome }: Judged): DraftVerdict["policies"] {
  if (state !== "active" || outcome === "outside_window") return [];
  const said = { policy_id: id, effect, message };
  if (outcome === "error") return [{ ...said, outcome }];
  if (!decides.has(effect)) return [];
  if (outcome === "applies") return [{ ...said, outcome }];
  return readsInput(when) ? [{ ...said, outcome: "depends_on_input" }] : [];
}

const decides: ReadonlySet<string> = new Set(["deny", "require_approval"]);

/** Facts for policies: no input, the trust of a version without evidence, and the declared risk. */
function contextOf(ctx: CallContext, { agent, labels, definition }: JudgedDraft, { action, skill, tool }: Asked) {
  const { score, low, high } = startingTrust(ctx, "", skill.name);
  const used = definition.tools.filter(({ name }) => skill.tools?.includes(name));
  const declared = tool?.effect === "write" ? [tool.impact] : [skill.impact, ...used.map(({ impact }) => impact)];
  const risk = assessRisk({
    ...declaredImpact(declared.filter((impact) => impact !== undefined)),
    unattended: true,
    trust_low: low,
    critical_finding: false,
    mitigation: 0,
  });
  const { id, kind, role } = action === "task.dispatch" ? ctx.principal : systemPrincipal("worker");
  const { level, impact, likelihood } = risk;
  const { model } = definition;
  const context = {
    action,
    environment: ctx.scope.environment,
    principal: { id, kind, role: role ?? "none" },
    now: ctx.now,
    agent: { name: agent, labels },
    skill: { name: skill.name },
    ...(tool && { tool: { name: tool.name, effect: tool.effect } }),
    ...(action === "model.call" && { model: { name: model.provider === "builtin" ? "builtin" : model.name } }),
    risk: { level, score: risk.score, impact, likelihood },
    trust: { score, low, high },
  };
  return { risk, context };
}

/** The tag by which a policy with the effect `tag` allows writes after text was read. */
const taintAccepted = "taint:accepted";

/** Why such a write needs approval. */
export const steeredReason = "It writes after text was read that could have steered it.";

/**
 * The approval that a call needs; null: none. Policies ask for it, and for a write its risk and that the model has read text that could steer it, unless a
 * policy says otherwise.
 */
export function callDemand(
  ctx: CallContext,
  call: {
    tool: Pick<RunnableTool, "effect">;
    risk: Risk;
    governed: Pick<Governed, "approval" | "tags">;
    tainted: boolean;
  },
): ApprovalDemand | null {
  const { tool, risk, governed, tainted } = call;
  if (tool.effect === "read") return governed.approval;
  const steered = tainted && !governed.tags.includes(taintAccepted);
  const byTaint: ApprovalDemand = {
    approvers: 1,
    requester_allowed: true,
    reasons: [steeredReason],
  };
  return approvalFor(ctx, risk, stricter(governed.approval, steered ? byTaint : null), false);
}

/** Actions with the input of a task, which pass the evaluation gate. */
export const ofWholeTasks: ReadonlySet<string> = new Set(["task.dispatch", "task.run"]);

/** Faults of a proposal with their places. The input of a task is judged by its skill. */
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

/** A proposal without faults, as the call itself would be. Of an agent alone the rest is left open. */
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

/** Trust and risk of a skill's work now, as at a dispatch; for a writing tool call, the risk of the call itself. */
function judged(ctx: CallContext, versionId: string, skill: LiveSkill, tool: Tool | undefined) {
  const { score, low, high } = startingTrust(ctx, versionId, skill.definition.name);
  const risk = tool?.effect === "write" ? riskOfCall(tool, low) : riskOf(skill, low);
  const { level, impact, likelihood } = risk;
  return { risk, facts: { risk: { level, score: risk.score, impact, likelihood }, trust: { score, low, high } } };
}
