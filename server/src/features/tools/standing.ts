import type { CallContext } from "../../kernel/context.ts";
import type { Risk } from "../../kernel/risk.ts";
import type { SlicePorts } from "../../kernel/slice.ts";
import type { ApprovalDemand, RedactDemand } from "../../kernel/verdict.ts";
import type { LiveSkill } from "../agents/public.ts";
import type { SkillDefinition, ToolDefinition } from "../agents/schemas.ts";
import { callVerdict } from "../governance/public.ts";
import { callDemand, riskOf, riskOfCall, startingTrust } from "../tasks/public.ts";
import type { AgentTool } from "./schemas.ts";
import type { ShownDefinition } from "./shown-definition.ts";

export interface Standing extends Pick<AgentTool, "permission" | "approval" | "risk"> {
  readonly reasons: string[];
  readonly redact: RedactDemand | null;
}

type Judging = Pick<CallContext, "facts" | "scope" | "now"> & CallContext;

/** What would become of a call of a tool within a skill now. `args` left out: they are not known. */
export function standingIn(
  port: SlicePorts["policies"],
  ctx: Judging,
  { agent, definition, version }: ShownDefinition,
  {
    tool,
    skill,
    args,
  }: { tool: ToolDefinition; skill: SkillDefinition | null; args?: Readonly<Record<string, unknown>> },
): Standing {
  const trust = startingTrust(ctx, version?.id ?? `draft of ${agent.name}`, skill?.name ?? "");
  const risk = riskOfTool(tool, skill, definition.tools, trust.low);
  const verdict = callVerdict(port, ctx, "tool.call", {
    agent: { name: agent.name, labels: agent.labels },
    ...(version && { version: { number: version.number, id: version.id } }),
    ...(skill && { skill: { name: skill.name } }),
    tool: { name: tool.name, effect: tool.effect },
    ...(args && { input: args }),
    risk: { level: risk.level, score: risk.score, impact: risk.impact, likelihood: risk.likelihood },
    trust: { score: trust.score, low: trust.low, high: trust.high },
    spend: { task_usd: 0 },
  });
  const { denied, hold, undecided, said } = verdict;
  const governed = { approval: said.approval, tags: said.tags };
  const demand = (tainted: boolean) => callDemand(ctx, { tool, risk, governed, tainted });
  return {
    permission: denied ? "denied" : hold ? "held" : undecided ? "by_arguments" : "allowed",
    reasons: denied ? [...verdict.reasons] : hold ? [hold.detail] : [],
    approval: approvalOf(demand(false), demand(true)),
    risk: riskOfCall(tool, trust.low).level,
    redact: said.redact,
  };
}

function approvalOf(always: ApprovalDemand | null, steered: ApprovalDemand | null): AgentTool["approval"] {
  const demand = always ?? steered;
  if (!demand) return { mode: "never", approvers: 0, reasons: [] };
  const mode = always ? "always" : "after_reading";
  return { mode, approvers: demand.approvers, reasons: [...new Set(demand.reasons)] };
}

/** Of what writes the risk is that of the call itself; else that of its task. */
function riskOfTool(
  tool: ToolDefinition,
  skill: SkillDefinition | null,
  all: readonly ToolDefinition[],
  low: number,
): Risk {
  if (tool.effect === "write" || skill === null) return riskOfCall(tool, low);
  const tools = all.filter(({ name }) => skill.tools?.includes(name));
  const live: LiveSkill = { definition: skill, tools, validate: () => [] };
  return riskOf(live, low);
}

const order = ["allowed", "by_arguments", "held", "denied", "unused"] as const;
const modes = ["never", "after_reading", "always"] as const;

/** What would become of a call in whichever skill is treated the strictest. */
export function strictestOf(standings: readonly Standing[]): Standing | undefined {
  const rank = ({ permission, approval }: Standing): number =>
    order.indexOf(permission) * 10_000 + modes.indexOf(approval.mode) * 100 + approval.approvers;
  return [...standings].sort((a, b) => rank(b) - rank(a))[0];
}
