import type { CallContext } from "../../../kernel/context.ts";
import type { Statements } from "../../../kernel/machines.ts";
import type { Scope } from "../../../kernel/principal.ts";
import { assessRisk } from "../../../kernel/risk.ts";
import type { SkillRequest } from "../../../kernel/skill-runner.ts";
import type { AgentDefinition, OwnTool, SkillDefinition } from "../../agents/schemas.ts";
import { agentVersionRows } from "../../agents/shared-rows.ts";
import { agentSeen, declaredImpact, trustOf } from "../dispatch/rules.ts";
import { limitsOf, skillOf, toolsOf } from "./rules.ts";

// Runs of a version's skill outside of tasks, for evaluations and training. Nothing is journalled or written.

/** A version's skill with its tools. */
export interface Trial {
  readonly agent: string;
  readonly versionId: string;
  readonly number: number;
  readonly definition: AgentDefinition;
  readonly skill: SkillDefinition;
  readonly tools: readonly OwnTool[];
}

/** The skill of a version of the organization, if there is one. */
export async function findTrial(
  db: Statements,
  { organization }: Scope,
  versionId: string,
  skillName: string,
): Promise<Trial | undefined> {
  const [version] = await db.query<{ agent: string; number: number; definition: AgentDefinition }>(
    `select agent, number, definition from ${agentVersionRows} agent_versions where organization = $1 and id = $2`,
    [organization, versionId],
  );
  const skill = version?.definition.skills.find(({ name }) => name === skillName);
  if (!version || !skill) return undefined;
  const { agent, number, definition } = version;
  return { agent, versionId, number, definition, skill, tools: toolsOf(definition, skill) };
}

/** The skill of a draft, if it has one of that name. */
export function draftTrial(
  versionId: string,
  skillName: string,
  draft: NonNullable<SkillRequest["draft"]>,
): Trial | undefined {
  const definition = draft.definition as AgentDefinition;
  const skill = definition.skills.find(({ name }) => name === skillName);
  const tools = skill && toolsOf(definition, skill);
  return skill && tools && { agent: draft.agent, versionId, number: 0, definition, skill, tools };
}

export function trialRun(trial: Trial, input: Readonly<Record<string, unknown>>, runId: string) {
  const { agent, number, versionId, definition, skill, tools } = trial;
  return {
    agent,
    version: number,
    versionId,
    resumed: false,
    runId,
    input,
    limits: limitsOf({ row: { run_limits: null }, skill }, null),
    spent: { tokens: 0, costUsd: 0, ms: 0 },
    ...skillOf(definition, skill, tools),
  };
}

/** Facts for policies, as of a task of this skill now. */
export function trialFacts(
  ctx: CallContext,
  { agent, versionId, number, skill, tools }: Trial,
  input: Readonly<Record<string, unknown>>,
) {
  const trust = trustOf(ctx, versionId, skill.name, {});
  const impacts = [skill.impact, ...tools.map((tool) => tool.impact)].filter((impact) => impact !== undefined);
  const { level, score, impact, likelihood } = assessRisk({
    ...declaredImpact(impacts),
    unattended: true,
    trust_low: trust.low,
    critical_finding: false,
    mitigation: 0,
  });
  return {
    agent: agentSeen(ctx, agent),
    version: { number, id: versionId },
    skill: { name: skill.name },
    input,
    risk: { level, score, impact, likelihood },
    trust: { score: trust.score, low: trust.low, high: trust.high },
    spend: { task_usd: 0 },
  };
}
