import { printable, type Terminal } from "../terminal.ts";
import { amountOf, breakdownLines, figureLines, queryLines, windowLine } from "./figure-lines.ts";
import { columns, type Fields, fieldsOf, listOf, tableLines } from "./table.ts";
import { cellOf, counted } from "./text.ts";

type Lines = (body: Fields, terminal: Terminal) => readonly string[] | null;

/** An answer with figures, their course and rows by a dimension, of which the named measures are shown. */
export const figuresBy =
  (measures: readonly string[], more: Lines = () => []): Lines =>
  (body, terminal) => {
    if (typeof body.from !== "string" || typeof body.figures !== "object") return null;
    return [
      windowLine(body),
      ...figureLines(body.figures, body.series, terminal),
      ...(measures.length === 0 ? [] : breakdownLines(body.rows, measures, terminal)),
      ...(more(body, terminal) ?? []),
    ];
  };

const money = (value: unknown): string => amountOf("cost_usd", value);

const periods: Readonly<Record<string, string>> = { hour: "an hour", day: "a day", month: "a month", total: "in all" };
const budgetLine = ({ scope, unit, period, used, limit, share, state }: Fields): string => {
  const amount = (value: unknown): string => (unit === "usd" ? money(value) : `${cellOf(value)} ${unit}`);
  return printable(
    `budget ${scope}: ${amount(used)} of ${amount(limit)} ${periods[String(period)]} (${amountOf("share", share)}), ${state}`,
  );
};

export const overview: Lines = figuresBy([], ({ now, budgets, canaries, alerts, withheld }) => {
  const { approvals, questions, running, queued, oldest_approval_at } = fieldsOf(now);
  const asked = [
    ...(approvals === null ? [] : [counted(Number(approvals), "approval")]),
    ...(questions === null ? [] : [counted(Number(questions), "question")]),
  ];
  const since = oldest_approval_at ? `, the oldest approval since ${cellOf(oldest_approval_at)}` : "";
  return [
    "",
    ...(approvals === null && questions === null ? [] : [`waiting for people: ${asked.join(", ")}${since}`]),
    ...(running === null ? [] : [`at work: ${counted(Number(running), "task")} running, ${cellOf(queued)} queued`]),
    ...listOf(budgets).map(budgetLine),
    ...listOf(canaries).map(({ agent, version, share, deployment }) =>
      printable(`canary ${deployment}: ${agent}, version ${version}, gets ${cellOf(share)} % of new tasks`),
    ),
    ...listOf(withheld).map(({ part, permission }) =>
      printable(`not shown: ${cellOf(part)}, which takes ${cellOf(permission)}`),
    ),
    ...listOf(alerts).map(({ name, since: at }) => printable(`alert ${cellOf(name)} fires since ${cellOf(at)}`)),
  ];
});

export const costs: Lines = figuresBy(["cost_usd", "tasks", "cost_per_task", "cost_per_accepted"], (body) => {
  const { spent_usd, total, explanation, to, backtest } = fieldsOf(body.forecast);
  const { value, low_80, high_80, low_95, high_95 } = fieldsOf(total);
  const { relative_error, covered_95 } = fieldsOf(backtest);
  const ranges = `80 %: ${money(low_80)} to ${money(high_80)}, 95 %: ${money(low_95)} to ${money(high_95)}`;
  const forecast = `forecast to ${cellOf(to)}: ${money(value)} (${ranges})`;
  const tested = `the last weeks were off by ${amountOf("share", relative_error)}; ${amountOf("share", covered_95)} of their days were inside 95 %`;
  return [
    "",
    ...listOf(body.budgets).map(budgetLine),
    `this month so far: ${money(spent_usd)}`,
    ...(total ? [forecast] : []),
    printable(String(explanation)),
    ...(backtest ? [tested] : []),
  ];
});

export const agentFigures: Lines = figuresBy([], ({ versions, skills, failures }, terminal) => {
  const measures = ["tasks", "success_rate", "accepted_rate", "trust_mean", "cost_per_accepted", "edit_rate"];
  const byVersion = listOf(versions).map(({ version, live, figures }) => ({
    key: { version: `${cellOf(version)}${live === true ? " (live)" : ""}` },
    figures,
  }));
  const codes = listOf(fieldsOf(failures).codes);
  return [
    ...breakdownLines(byVersion, measures, terminal),
    ...breakdownLines(skills, ["failed", ...measures], terminal),
    ...(codes.length === 0
      ? []
      : ["", ...tableLines(codes, columns("FAILED_WITH=code TASKS=tasks LATEST=latest"), terminal)]),
  ];
});

export const funnel: Lines = (body, terminal) => {
  if (!Array.isArray(body.stages)) return null;
  const rows = listOf(body.stages).map(({ stage, tasks, of_dispatched, of_before }) => ({
    stage,
    tasks: amountOf("tasks", fieldsOf(tasks).value),
    before: amountOf("tasks", fieldsOf(tasks).previous),
    all: amountOf("share", of_dispatched),
    step: amountOf("share", of_before),
  }));
  const dropped = listOf(body.dropped);
  return [
    windowLine(body),
    ...tableLines(
      rows,
      columns("STAGE=stage TASKS=tasks OF_ALL=all OF_STAGE_BEFORE=step WINDOW_BEFORE=before"),
      terminal,
    ),
    ...(dropped.length === 0
      ? []
      : ["", ...tableLines(dropped, columns("NOT=before BECAUSE=reason TASKS=tasks"), terminal)]),
  ];
};

export const value: Lines = (body, terminal) => {
  if (!Array.isArray(body.rows) || typeof body.declared !== "object") return null;
  const rows = listOf(body.rows).map(({ value_usd, cost_usd, net_usd, ...row }) => ({
    ...row,
    value: money(value_usd),
    cost: money(cost_usd),
    net: money(net_usd),
  }));
  const { value_usd, cost_usd, net_usd, minutes_saved } = fieldsOf(body.declared);
  const titles =
    "AGENT=agent SKILL=skill TASKS=tasks ACCEPTED=accepted MINUTES=minutes_saved VALUE=value COST=cost NET=net";
  return [
    windowLine(body),
    ...(rows.length === 0 ? [] : tableLines(rows, columns(titles), terminal)),
    `declared: ${amountOf("tasks", minutes_saved)} minutes saved, ${money(value_usd)} for ${money(cost_usd)}, net ${money(net_usd)}`,
    printable(String(body.explanation)),
  ];
};

export const models: Lines = figuresBy([], ({ rows }, terminal) => {
  const shown = listOf(rows).map(({ model, share, usd_per_million_tokens, figures }) => {
    const of = (name: string): string => amountOf(name, fieldsOf(fieldsOf(figures)[name]).value);
    return {
      model,
      turns: of("tool_uses"),
      share: amountOf("share", share),
      tokens: of("step_tokens"),
      cost: of("step_cost_usd"),
      price: money(usd_per_million_tokens),
      failed: of("step_failures"),
      p90: of("step_duration_p90"),
    };
  });
  const titles = "MODEL=model TURNS=turns SHARE=share TOKENS=tokens COST=cost PER_MILLION=price FAILED=failed P90=p90";
  return shown.length === 0 ? [] : ["", ...tableLines(shown, columns(titles), terminal)];
});

export const chargeback: Lines = ({ month, time_zone, by, complete, lines, total }, terminal) => {
  if (!Array.isArray(lines)) return null;
  const row = ({ value: name, tasks, tokens, cost_microusd, share }: Fields) => ({
    ...{
      name,
      tasks,
      tokens,
      cost: `$${(Number(cost_microusd) / 1_000_000).toFixed(6)}`,
      share: amountOf("share", share),
    },
  });
  const rows = [...listOf(lines).map(row), { ...row(fieldsOf(total)), name: "total", share: "" }];
  const titles = `${String(by)
    .toUpperCase()
    .replaceAll(/[\s=*]/g, "_")}=name TASKS=tasks TOKENS=tokens COST=cost SHARE=share`;
  return [
    printable(`${month} in ${time_zone}, by ${by}${complete === true ? "" : "; not complete yet"}`),
    ...tableLines(rows, columns(titles), terminal),
  ];
};

export const figureSummaries: Readonly<Record<string, Lines>> = {
  "analytics.queryFigures": queryLines,
  "analytics.readOverview": overview,
  "analytics.readUsage": figuresBy(["tasks", "success_rate", "duration_p50", "duration_p90", "tokens"]),
  "analytics.readCosts": costs,
  "analytics.readAgentFigures": agentFigures,
  "analytics.readTaskFunnel": funnel,
  "analytics.readValue": value,
  "analytics.readToolUse": figuresBy([
    "tool_uses",
    "step_failures",
    "step_duration_p50",
    "step_duration_p90",
    "step_cost_usd",
  ]),
  "analytics.readModelUse": models,
  "analytics.readChargeback": chargeback,
};
