import { isoTime } from "../../../kernel/clock.ts";
import { pick } from "../../../kernel/pick.ts";
import type { DecisionRow } from "../decisions/store.ts";
import { findNewestPlan, type PlanRow } from "../plans/store.ts";
import { type Known, type Reading, readKnown } from "../progress/known.ts";
import { risksOf } from "../progress/risks.ts";
import { dollars, totalSpend } from "../progress/spend-store.ts";
import type {
  MissionDecision as Decision,
  Mission,
  MissionSpend,
  MissionSummary,
  Plan,
  TaskCounts,
} from "../schemas.ts";
import { workflowOf } from "./rules.ts";
import { type MissionRow, missionJson } from "./store.ts";

export function spendView({ row, spends, accepted }: Known): MissionSpend {
  const { spent, reserved, begun } = totalSpend(spends);
  return {
    limit_usd: row.budget_usd,
    planned_usd: accepted ? accepted.plan.total.cost_usd.value : null,
    reserved_usd: reserved,
    spent_usd: spent,
    left_usd: Math.max(0, dollars(row.budget_usd - spent - reserved)),
    limit_tasks: row.budget_tasks,
    used_tasks: begun,
  };
}

export function tasksView({ spends, accepted, notMade }: Known): TaskCounts {
  const { open, waiting, completed, failed, cancelled, begun } = totalSpend(spends);
  const steps = new Set(accepted?.plan.steps.map(({ id }) => id));
  const byHand = spends.filter(({ step }) => !steps.has(step)).reduce((sum, one) => sum + one.begun, 0);
  const planned = accepted ? accepted.plan.total.tasks + byHand : begun;
  return { planned, open, waiting, completed, failed, cancelled, not_made: notMade };
}

export function summaryOf(known: Known): MissionSummary {
  const { row, measured, decisions, held } = known;
  return {
    mission_id: row.id,
    ...pick(row, ["goal", "status", "agents", "autonomy", "measure", "labels", "created_by"]),
    health: healthOf(known),
    measured,
    tasks: tasksView(known),
    spend: spendView(known),
    deadline: isoTime(row.deadline),
    plan: row.plan_number,
    open_decisions: decisions.length,
    held_by: held,
    created_at: isoTime(row.created_at),
    updated_at: isoTime(row.updated_at),
    started_at: isoTime(row.started_at),
    finished_at: isoTime(row.finished_at),
  };
}

function healthOf(known: Known): MissionSummary["health"] {
  const { row, measured, now } = known;
  const { status } = row;
  if (status === "completed" || status === "cancelled") return "closed";
  if (status === "draft" || status === "ready") return "not_started";
  if (status === "blocked") return "blocked";
  const late = row.deadline !== null && row.deadline.getTime() < now;
  if (!measured.reached && (late || status === "finished")) return "off_track";
  return risksOf(known).length > 0 ? "at_risk" : "on_track";
}

export function decisionView(row: DecisionRow): Decision {
  return {
    decision_id: row.id,
    mission_id: row.mission,
    ...pick(row, ["kind", "question", "options", "context", "answer", "comment", "answered_by"]),
    status: row.withdrawn_at ? "withdrawn" : row.answered_at ? "answered" : "open",
    asked_by: row.asked_by ?? "service",
    asked_at: isoTime(row.asked_at),
    answered_at: isoTime(row.answered_at),
  };
}

export function planView(row: PlanRow, accepted: number | null): Plan {
  return {
    mission_id: row.mission,
    plan: row.number,
    status:
      row.number === accepted
        ? "accepted"
        : row.accepted_at || row.number < (accepted ?? 0)
          ? "superseded"
          : "proposed",
    ...pick(row, ["origin", "note", "author", "accepted_by"]),
    ...row.plan,
    created_at: isoTime(row.created_at),
    accepted_at: isoTime(row.accepted_at),
  };
}

/** A mission with all that its page shows. */
export async function missionView(ctx: Reading, row: MissionRow): Promise<Mission> {
  const [known] = (await readKnown(ctx, [row])) as [Known];
  const newest = await findNewestPlan(ctx, row.id);
  const { plan_number, outcome } = row;
  const next = known.decisions[0];
  return {
    ...summaryOf(known),
    inputs: missionJson(row, "inputs"),
    accepted_plan: known.accepted ? planView(known.accepted, plan_number) : null,
    proposed_plan: newest && newest.number > (plan_number ?? 0) ? planView(newest, plan_number) : null,
    blockers: risksOf(known)
      .filter(({ blocks }) => blocks)
      .map(({ code, detail, remedy }) => ({ code, detail, remedy })),
    next_decision: next ? decisionView(next) : null,
    workflow: row.run_id === null ? null : workflowOf(row.id),
    ...pick(row, ["run_id", "cloned_from", "revision"]),
    outcome,
  };
}
