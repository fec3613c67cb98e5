import { holdIn, holdLines } from "../holds.ts";
import { printable, type Terminal } from "../terminal.ts";
import { columns, type Fields, fieldsOf, listOf, rounded, tableLines } from "./table.ts";
import { counted } from "./text.ts";

// Missions and their plans, in a few lines and a table.

const usd = (value: unknown): string => `$${rounded(value, 2)}`;

/** A mission: where it stands by its measure and its budget, and the steps of its plan. */
export function mission(body: Fields, terminal: Terminal): readonly string[] | null {
  const { mission_id, goal, status, health, run_id, next_decision, blockers } = body;
  const { limit_usd, spent_usd, reserved_usd, used_tasks, limit_tasks } = fieldsOf(body.spend);
  const { completed, planned, waiting, failed } = fieldsOf(body.tasks);
  if (typeof goal !== "string" || limit_usd === undefined) return null;
  const plan = body.accepted_plan ?? body.proposed_plan;
  const question = fieldsOf(next_decision).question;
  const held = holdIn(body);
  return [
    printable(goal),
    printable(`${mission_id}: ${status}, ${String(health).replaceAll("_", " ")}`),
    measureLine(body),
    `budget:  ${usd(spent_usd)} spent and ${usd(reserved_usd)} reserved of ${usd(limit_usd)}; ${used_tasks} of ${limit_tasks ?? "any number of"} tasks`,
    `tasks:   ${completed} of ${planned} completed, ${waiting} waiting for people, ${failed} failed`,
    ...(typeof run_id === "string" ? [`run:     ${run_id} (aos workflows watch ${body.workflow} ${run_id})`] : []),
    ...(held === null ? [] : holdLines(held, terminal)),
    ...listOf(blockers).map(({ detail, text }) => printable(`blocked: ${detail ?? text}`)),
    ...(typeof question === "string" ? [printable(`asks:    ${question}`)] : []),
    ...(plan === null || plan === undefined ? [] : ["", ...planLines(fieldsOf(plan), terminal)]),
  ];
}

function measureLine({ measure, measured }: Fields): string {
  const { skill, aggregate, target } = fieldsOf(measure);
  const { value, low, high, reached, counted: over } = fieldsOf(measured);
  const interval = value === null || value === undefined ? "" : `, between ${rounded(low)} and ${rounded(high)}`;
  return printable(
    `measure: ${rounded(value)} of ${target} (${aggregate} of ${skill}, over ${counted(Number(over ?? 0), "result")}${interval})${reached === true ? ", reached" : ""}`,
  );
}

/** A plan: its steps with cost, risk and chances from past tasks, and what it leaves open. */
export const plan = (body: Fields, terminal: Terminal): readonly string[] | null =>
  Array.isArray(body.steps) ? planLines(body, terminal) : null;

function planLines(body: Fields, terminal: Terminal): string[] {
  const { plan, status, origin, total, leaves_open } = body;
  const { tasks, cost_usd, risk } = fieldsOf(total);
  const { value, high } = fieldsOf(cost_usd);
  const rows = listOf(body.steps).map(
    ({ id, agent, tasks: number, cost_usd: cost, risk: level, success, ...step }) => ({
      id,
      agent,
      number,
      after: step.depends_on,
      asks: step.require_approval,
      cost: `${usd(fieldsOf(cost).value)} (${rounded(fieldsOf(cost).low)}–${rounded(fieldsOf(cost).high)})`,
      risk: fieldsOf(level).level,
      success: `${rounded(fieldsOf(success).value)} (${rounded(fieldsOf(success).low)}–${rounded(fieldsOf(success).high)})`,
      past: fieldsOf(step.evidence).tasks,
    }),
  );
  return [
    printable(
      `plan ${plan}, ${status}, from ${origin === "model" ? "a model" : "a template"}: ${counted(Number(tasks), "task")}, ${usd(value)}, at most ${usd(high)}, risk ${fieldsOf(risk).level}`,
    ),
    ...tableLines(
      rows,
      columns(
        "STEP=id AGENT=agent TASKS=number AFTER=after COST=cost SUCCESS=success PAST_TASKS=past RISK=risk ASKS_PEOPLE=asks",
      ),
      terminal,
    ),
    ...(Array.isArray(leaves_open) ? leaves_open.map((line) => printable(`open: ${line}`)) : []),
  ];
}

/** A report: the outcome against the measure, and what each step came to. */
export function report(body: Fields, terminal: Terminal): readonly string[] | null {
  const { goal, status, budget, steps } = body;
  if (typeof goal !== "string" || !Array.isArray(steps)) return null;
  const { spent_usd, limit_usd } = fieldsOf(budget);
  const rows = listOf(steps).map(({ success, ...step }) => {
    const { value, low, high } = fieldsOf(success);
    return { ...step, rate: `${rounded(value)} (${rounded(low)}–${rounded(high)})` };
  });
  return [
    printable(`${goal} ${status}.`),
    measureLine(body),
    `budget:  ${usd(spent_usd)} of ${usd(limit_usd)}`,
    ...(typeof body.outcome === "string" ? [printable(`outcome: ${body.outcome}`)] : []),
    "",
    ...tableLines(
      rows,
      columns(
        "STEP=step AGENT=agent SKILL=skill TASKS=tasks COMPLETED=completed FAILED=failed SUCCESS=rate COST_USD=cost_usd",
      ),
      terminal,
    ),
  ];
}
