import { studentQuantile } from "@aos/statistics";
import type { AgentDefinition, SkillDefinition } from "./definition.ts";
import { usedTools } from "./health.ts";
import type { DraftFinding, DraftVerdict, SkillCost } from "./validate-draft-schemas.ts";

/** What completed tasks of a skill cost. */
export interface CostEvidence {
  readonly skill: string;
  readonly tasks: number;
  readonly meanUsd: number;
  /** Standard deviation. */
  readonly spreadUsd: number;
  readonly p90Usd: number;
  readonly meanSeconds: number;
}

const cents = (usd: number): number => Math.round(usd * 1e6) / 1e6;

/** The mean with Student's 95 % interval, cut off at 0; without two tasks what the skill's limits allow. */
export function costOf(skill: Pick<SkillDefinition, "name" | "limits">, evidence: CostEvidence | undefined): SkillCost {
  const { tasks = 0 } = evidence ?? {};
  if (!evidence || tasks < 2) {
    const most = skill.limits?.cost_usd ?? null;
    const nothing = { mean_usd: null, p90_usd: null, mean_seconds: null };
    return {
      skill: skill.name,
      basis: most === null ? "none" : "limits",
      tasks,
      ...nothing,
      low: most === null ? null : 0,
      high: most,
    };
  }
  const margin = (studentQuantile(0.975, tasks - 1) * evidence.spreadUsd) / Math.sqrt(tasks);
  return {
    ...{ skill: skill.name, basis: "past_tasks", tasks, mean_usd: cents(evidence.meanUsd) },
    low: cents(Math.max(0, evidence.meanUsd - margin)),
    high: cents(evidence.meanUsd + margin),
    p90_usd: cents(evidence.p90Usd),
    mean_seconds: Math.round(evidence.meanSeconds * 10) / 10,
  };
}

/** Tools that no skill uses, and what policies would refuse. */
export function draftHints(definition: AgentDefinition, verdicts: readonly DraftVerdict[]): DraftFinding[] {
  const used = new Set(usedTools(definition).map(({ name }) => name));
  const unused = definition.tools.flatMap(({ name }, at): DraftFinding[] =>
    used.has(name)
      ? []
      : [{ severity: "info", pointer: `/tools/${at}`, code: "unused_tool", detail: `no skill uses the tool ${name}` }],
  );
  const denied = verdicts.flatMap(({ verdict, skill, tool, action, reasons }): DraftFinding[] => {
    if (verdict !== "deny") return [];
    const at = definition.skills.findIndex(({ name }) => name === skill);
    const detail = `policies would refuse ${tool === null ? action : `${action} of ${tool}`} in the skill ${skill}: ${reasons.join(" ")}`;
    return [{ severity: "warning", pointer: `/skills/${at}`, code: "denied_by_policy", detail }];
  });
  return [...unused, ...denied];
}
