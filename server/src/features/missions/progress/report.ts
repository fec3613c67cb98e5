import { isoTime, timestamp } from "../../../kernel/clock.ts";
import { pick } from "../../../kernel/pick.ts";
import { listDecisionRows } from "../decisions/store.ts";
import type { MissionRow } from "../missions/store.ts";
import { decisionView, spendView, tasksView } from "../missions/view.ts";
import { skillsIn } from "../plans/rules.ts";
import { expectedCost } from "../plans/workflow.ts";
import type { MissionBudget, MissionReport, PlanStep } from "../schemas.ts";
import { type Known, type Reading, readKnown } from "./known.ts";
import { type Interval, shareOf } from "./measure.ts";
import { type Evidence, evidenceKey, readEvidence } from "./measure-store.ts";
import { dollars } from "./spend-store.ts";

/** Spend against the budget, by step, and the expected total at the mission's end. */
export async function readBudget(ctx: Reading, known: Known): Promise<MissionBudget> {
  return budgetOf(known, await readEvidence(ctx, skillsIn(known.accepted?.plan.steps ?? [])));
}

function budgetOf(known: Known, evidence: ReadonlyMap<string, Evidence>): MissionBudget {
  const { spends, accepted, row } = known;
  const steps = accepted?.plan.steps ?? [];
  const of = (id: string) => spends.find(({ step }) => step === id);
  const ids = [...new Set([...steps.map(({ id }) => id), ...spends.map(({ step }) => step)])];
  const spend = spendView(known);
  const isOver = ["finished", "completed", "cancelled"].includes(row.status);
  const toCome = (member: "value" | "low" | "high"): number =>
    isOver ? 0 : steps.reduce((sum, step) => sum + costLeft(step, of(step.id)?.begun ?? 0, evidence)[member], 0);
  const atMost = (value: number) => dollars(Math.min(row.budget_usd, value));
  const { spent_usd, reserved_usd } = spend;
  return {
    ...spend,
    forecast_usd: {
      value: atMost(spent_usd + toCome("value")),
      low: atMost(spent_usd + toCome("low")),
      high: atMost(spent_usd + reserved_usd + toCome("high")),
    },
    by_step: ids.map((id) => ({
      step: id,
      planned_usd: steps.find((step) => step.id === id)?.cost_usd.value ?? null,
      reserved_usd: dollars(of(id)?.reserved ?? 0),
      spent_usd: dollars(of(id)?.spent ?? 0),
      tasks: of(id)?.begun ?? 0,
    })),
  };
}

/** Expected cost of the step's tasks that have not begun: by the skill's tasks so far, else by the plan. */
function costLeft(step: PlanStep, begun: number, evidence: ReadonlyMap<string, Evidence>): Interval {
  const left = Math.max(0, step.tasks - begun);
  const past = evidence.get(evidenceKey(step.agent, step.skill));
  if (past && past.ran > 0) return expectedCost(past, left, undefined).usd;
  const part = step.tasks === 0 ? 0 : left / step.tasks;
  const { value, low, high } = step.cost_usd;
  return { value: value * part, low: low * part, high: high * part };
}

const mostDecisions = 200;

export async function reportOf(ctx: Reading, row: MissionRow): Promise<MissionReport> {
  const [known] = (await readKnown(ctx, [row])) as [Known];
  const decisions = await listDecisionRows(ctx, row.id, { after: undefined, take: mostDecisions });
  return {
    mission_id: row.id,
    ...pick(row, ["goal", "status", "measure", "outcome"]),
    measured: known.measured,
    tasks: tasksView(known),
    budget: await readBudget(ctx, known),
    plan: row.plan_number,
    steps: stepsOf(known),
    decisions: decisions.map(decisionView).reverse(),
    started_at: isoTime(row.started_at),
    finished_at: isoTime(row.finished_at),
    generated_at: timestamp(ctx.now),
  };
}

function stepsOf({ accepted, spends }: Known): MissionReport["steps"] {
  return (accepted?.plan.steps ?? []).map(({ id, title, agent, skill }) => {
    const { begun = 0, completed = 0, failed = 0, spent = 0 } = spends.find(({ step }) => step === id) ?? {};
    const ended = completed + failed;
    return {
      step: id,
      title,
      agent,
      skill,
      tasks: begun,
      completed,
      failed,
      cost_usd: dollars(spent),
      success: ended === 0 ? null : shareOf(completed, ended),
    };
  });
}

const usd = (value: number): string => `$${value.toFixed(2)}`;
const number = (value: number): string => String(Math.round(value * 1000) / 1000);
const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll(/\s+/g, " ");

/** The report in Markdown. */
export function reportMarkdown(report: MissionReport): string {
  const { measured, measure, budget, tasks, outcome } = report;
  const value =
    measured.value === null
      ? "no result yet"
      : `${number(measured.value)}${measured.low === null || measured.low === measured.high ? "" : ` (95 %: ${number(measured.low)} to ${number(measured.high ?? 0)})`}`;
  const target = `${measured.direction === "at_least" ? "at least" : "at most"} ${number(measured.target)}`;
  const steps = report.steps.map(
    ({ step, title, tasks: begun, completed, failed, success, cost_usd }) =>
      `| ${step} | ${cell(title)} | ${begun} | ${completed} | ${failed} | ${success ? `${number(success.value)} (${number(success.low)} to ${number(success.high)})` : "–"} | ${usd(cost_usd)} |`,
  );
  const decisions = report.decisions.map(
    ({ question, answer, status }) => `- ${cell(question)} ${answer === null ? `(${status})` : `— ${cell(answer)}`}`,
  );
  return [
    `# ${cell(report.goal)}`,
    `Status: **${report.status}**${outcome ? `, target ${outcome.result}. ${cell(outcome.note)}` : ""}`,
    "## Measure",
    `${measure.aggregate} of \`${measure.skill}\`${measure.where === undefined ? "" : ` where \`${measure.where}\``}: **${value}**, target ${target}: ${measured.reached ? "reached" : "not reached"}. ${measured.counted} of ${measured.results} results count.`,
    "## Budget",
    `${usd(budget.spent_usd)} spent and ${usd(budget.reserved_usd)} reserved of ${usd(budget.limit_usd)}; forecast ${usd(budget.forecast_usd.value)} (${usd(budget.forecast_usd.low)} to ${usd(budget.forecast_usd.high)}).`,
    "## Tasks",
    `${tasks.completed} completed, ${tasks.failed} failed, ${tasks.cancelled} cancelled, ${tasks.not_made} not made, ${tasks.open} open, ${tasks.waiting} waiting for people; ${tasks.planned} planned.`,
    [
      "| Step | What | Tasks | Completed | Failed | Success (95 %) | Cost |",
      "|---|---|---|---|---|---|---|",
      ...steps,
    ].join("\n"),
    ...(decisions.length > 0 ? ["## Decisions", decisions.join("\n")] : []),
  ].join("\n\n");
}
