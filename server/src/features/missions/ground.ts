import type { CallContext } from "../../kernel/context.ts";
import { readEvidence } from "./evidence-store.ts";
import type { Ground } from "./plan-model.ts";
import type { PlanStepBody } from "./schemas.ts";
import { dollars, listSpend, totalSpend } from "./spend-store.ts";
import type { Here, MissionRow } from "./store.ts";

/** What a plan of the mission is judged by, as things stand now. */
export async function groundOf(
  ctx: Here & Pick<CallContext, "now">,
  mission: MissionRow,
  steps: readonly PlanStepBody[],
): Promise<Ground> {
  const evidence = await readEvidence(ctx, skillsIn(steps));
  const { spent, begun } = totalSpend(await listSpend(ctx, [mission.id]));
  const left = { usd: dollars(mission.budget_usd - spent), tasks: mission.budget_tasks - begun };
  return { mission, evidence, left };
}

/** The skills that steps name, each once. */
export function skillsIn(steps: readonly Pick<PlanStepBody, "agent" | "skill">[]): { agent: string; skill: string }[] {
  const named = new Map(steps.map(({ agent, skill }) => [`${agent} ${skill}`, { agent, skill }]));
  return [...named.values()];
}
