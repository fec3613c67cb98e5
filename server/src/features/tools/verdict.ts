import { isOfRule } from "../../kernel/approval-rules.ts";
import type { CallContext, ReadContext, WriteContext } from "../../kernel/context.ts";
import { refuse } from "../../kernel/errors.ts";
import type { Risk } from "../../kernel/risk.ts";
import type { ApprovalDemand, RedactDemand } from "../../kernel/verdict.ts";
import { type AgentRow, findAskedVersion, findKnownAgent, type LiveSkill } from "../agents/public.ts";
import type { AgentDefinition, SkillDefinition, ToolDefinition } from "../agents/schemas.ts";
import { type CallVerdict, callVerdict } from "../governance/public.ts";
import { agentNotDeployed, callDemand, riskOf, riskOfCall, startingTrust } from "../tasks/public.ts";
import type { AgentTool } from "./schemas.ts";

export interface ToolVerdict extends Pick<AgentTool, "permission" | "approval" | "risk"> {
  readonly reasons: string[];
  readonly redact: RedactDemand | null;
}

type Judging = Pick<CallContext, "facts" | "scope" | "now"> & CallContext;

/** The verdict on a tool call within a skill now. `args` left out: unknown. */
export function verdictIn(
  ctx: Judging,
  { agent, definition, version }: ShownDefinition,
  {
    tool,
    skill,
    args,
  }: { tool: ToolDefinition; skill: SkillDefinition | null; args?: Readonly<Record<string, unknown>> },
): ToolVerdict {
  const trust = startingTrust(ctx, version?.id ?? `draft of ${agent.name}`, skill?.name ?? "");
  const risk = riskOfTool(tool, skill, definition.tools, trust.low);
  const verdict = callVerdict(ctx, "tool.call", {
    agent: { name: agent.name, labels: agent.labels },
    ...(version && { version: { number: version.number, id: version.id } }),
    ...(skill && { skill: { name: skill.name } }),
    tool: { name: tool.name, effect: tool.effect },
    ...(args && { input: args }),
    risk: { level: risk.level, score: risk.score, impact: risk.impact, likelihood: risk.likelihood },
    trust: { score: trust.score, low: trust.low, high: trust.high },
    spend: { task_usd: 0 },
  });
  const { denied, hold, said } = verdict;
  const seen = { agent: agent.name, skill: skill?.name, tool: tool.name, risk: risk.level };
  const undecided = verdict.undecided || (args === undefined && asksByArguments(said, seen));
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

/** Whether an approval rule would ask about such a call by its arguments, which are not known. */
const asksByArguments = (
  { policies }: CallVerdict["said"],
  seen: { readonly agent: string; readonly skill: string | undefined; readonly tool: string; readonly risk: string },
): boolean =>
  policies.some(({ policy: { rule }, outcome }) => {
    if (!rule || outcome !== "does_not_apply") return false;
    const { amount, data_class_at_least: data, ...others } = rule.when;
    const reads = amount !== undefined || data !== undefined;
    return reads && isOfRule(others, { ...seen, input: {}, dataLevel: () => "" });
  });

function approvalOf(always: ApprovalDemand | null, steered: ApprovalDemand | null): AgentTool["approval"] {
  const demand = always ?? steered;
  if (!demand) return { mode: "never", approvers: 0, reasons: [] };
  const mode = always ? "always" : "after_reading";
  return { mode, approvers: demand.approvers, reasons: [...new Set(demand.reasons)] };
}

/** A write has the risk of the call itself, a read that of its task. */
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

/** The verdict in the skill with the strictest one. */
export function strictestVerdict(verdicts: readonly ToolVerdict[]): ToolVerdict | undefined {
  const rank = ({ permission, approval }: ToolVerdict): number =>
    order.indexOf(permission) * 10_000 + modes.indexOf(approval.mode) * 100 + approval.approvers;
  return [...verdicts].sort((a, b) => rank(b) - rank(a))[0];
}

export interface ShownDefinition {
  readonly agent: Pick<AgentRow, "name" | "labels">;
  readonly definition: AgentDefinition;
  /** Null: the draft. */
  readonly version: { readonly id: string; readonly number: number } | null;
  readonly live: boolean;
}

/** The draft of an agent, its live version, or one by number. Throws `agent_not_deployed` and `no_version`. */
export async function shownDefinition(
  ctx: ReadContext | WriteContext,
  row: AgentRow,
  which = "draft",
): Promise<ShownDefinition> {
  const agent = { name: row.name, labels: row.labels };
  if (which === "draft") return { agent, definition: row.draft, version: null, live: false };
  const live = findKnownAgent(ctx, row.name)?.live ?? null;
  if (which === "live") {
    if (!live) throw refuse(agentNotDeployed, `${row.name} is not deployed in ${ctx.scope.environment}.`);
    return { agent, definition: live.definition, version: live, live: true };
  }
  const { id, number, definition } = await findAskedVersion(ctx, row.name, Number(which));
  return { agent, definition, version: { id, number }, live: live?.id === id };
}
