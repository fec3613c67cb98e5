import type { MissionRisk } from "../schemas.ts";
import type { Known } from "./known.ts";
import { totalSpend } from "./spend-store.ts";

const dayMs = 86_400_000;

/** Risks of a mission, blockers first. */
export function risksOf(known: Known): MissionRisk[] {
  const { status } = known.row;
  if (status === "completed" || status === "cancelled") return [];
  return [...decisionRisks(known), ...taskRisks(known), ...budgetRisks(known), ...timeRisks(known)];
}

type Given = Pick<MissionRisk, "code" | "detail" | "remedy" | "severity"> & Partial<MissionRisk>;
const risk = (given: Given): MissionRisk => ({ blocks: false, task_id: null, decision_id: null, ...given });

function decisionRisks({ decisions, row }: Known): MissionRisk[] {
  return decisions
    .filter(({ blocks }) => blocks || row.status === "blocked")
    .map(({ id, kind, question }) =>
      risk({
        code: kind === "question" ? "open_question" : `open_${kind}`,
        detail: question,
        remedy: `Answer it by POST /v1/missions/${row.id}/decisions/${id}.`,
        severity: "high",
        blocks: true,
        decision_id: id,
      }),
    );
}

function taskRisks({ spends, row }: Known): MissionRisk[] {
  const { waiting, failed, completed } = totalSpend(spends);
  const risks: MissionRisk[] = [];
  if (row.status === "draft")
    risks.push(
      risk({
        code: "no_plan",
        severity: "low",
        blocks: true,
        detail: "No plan is accepted.",
        remedy: `Propose one by POST /v1/missions/${row.id}/plan, then start it.`,
      }),
    );
  if (waiting > 0)
    risks.push(
      risk({
        code: "awaiting_people",
        severity: "low",
        detail: `${waiting} tasks wait for people.`,
        remedy: "Decide on them in the approvals' inbox.",
      }),
    );
  if (failed > 0)
    risks.push(
      risk({
        code: "failed_tasks",
        severity: failed * 5 > completed ? "high" : "medium",
        detail: `${failed} tasks failed, ${completed} completed.`,
        remedy: `Look at them in GET /v1/missions/${row.id}/tasks.`,
      }),
    );
  return risks;
}

function budgetRisks({ spends, row, accepted }: Known): MissionRisk[] {
  if (!accepted || row.status === "finished") return [];
  const { spent, reserved, begun } = totalSpend(spends);
  const remedy = `Raise the budget by PATCH /v1/missions/${row.id}.`;
  const planned = accepted.plan.total;
  if (planned.cost_usd.high > row.budget_usd)
    return [
      risk({
        code: "cost_near_budget",
        severity: "medium",
        remedy,
        detail: `The plan may cost ${planned.cost_usd.high.toFixed(2)} US dollars, and the budget is ${row.budget_usd.toFixed(2)}.`,
      }),
    ];
  if (spent + reserved > 0.9 * row.budget_usd && begun < planned.tasks)
    return [
      risk({
        code: "budget_nearly_used",
        severity: "medium",
        remedy,
        detail: `${(spent + reserved).toFixed(2)} of ${row.budget_usd.toFixed(2)} US dollars are spent or reserved.`,
      }),
    ];
  return [];
}

function timeRisks({ row, now }: Known): MissionRisk[] {
  if (row.deadline === null || row.status === "finished") return [];
  const left = row.deadline.getTime() - now;
  const remedy = `Change the deadline by PATCH /v1/missions/${row.id}, or complete the mission.`;
  if (left < 0)
    return [risk({ code: "deadline_passed", severity: "high", detail: "The deadline has passed.", remedy })];
  if (left > dayMs) return [];
  return [risk({ code: "deadline_near", severity: "medium", detail: "Less than a day is left.", remedy })];
}
