import { useState } from "react";
import { type MissionReport, readMissionReport, readReportText } from "../../api/missions.ts";
import { usePrefetched } from "../../api/queries.ts";
import { exactly } from "../../lib/time.ts";
import { counted, percent, spoken, usd } from "../../lib/words.ts";
import { Button } from "../../ui/button.tsx";
import { Card, Facts } from "../../ui/card.tsx";
import { CodeBlock } from "../../ui/code.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { toastProblem } from "../../ui/toast.tsx";
import { measureName, measureText, targetText } from "./words.ts";

/** The outcome against the measure, with what it took. */
export function Report({ mission }: { readonly mission: string }) {
  const { data: report } = usePrefetched(readMissionReport(mission), { every: 10_000 });
  const [text, setText] = useState<string | null>(null);
  const onText = (): void => void readReportText(mission).then(setText, toastProblem);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <Card title="Outcome" aside={<span className="text-sm text-muted">as of {exactly(report.generated_at)}</span>}>
        <Facts facts={factsOf(report)} />
      </Card>
      <Card title="By step" flush>
        <Table label="Steps of the report" columns={columns} rows={report.steps} rowKey={({ step }) => step} />
      </Card>
      {report.decisions.length > 0 ? (
        <Card title="Decisions">
          <ul className="grid gap-3 text-sm">
            {report.decisions.map(({ decision_id, question, status, answer, comment, options }) => (
              <li key={decision_id} className="grid gap-0.5">
                <span className="font-medium">{question}</span>
                <span className="text-muted">
                  {answer === null
                    ? spoken(status)
                    : [options.find(({ id }) => id === answer)?.label ?? answer, comment].filter(Boolean).join(": ")}
                </span>
              </li>
            ))}
          </ul>
        </Card>
      ) : null}
      <div>
        <Button onClick={onText}>As Markdown</Button>
      </div>
      {text === null ? null : <CodeBlock code={text} label="report" wrap />}
    </div>
  );
}

function factsOf(report: MissionReport): Parameters<typeof Facts>[0]["facts"] {
  const { measured, measure, outcome, budget, tasks } = report;
  const { value, low, high } = measured;
  const said = (number: number): string => measureText(number, measure.aggregate);
  const { forecast_usd: forecast } = budget;
  return [
    ["Measure", measureName(measure)],
    [
      "Result",
      value === null
        ? "nothing yet"
        : `${said(value)}${low !== null && high !== null && low !== high ? ` (95 % interval ${said(low)} to ${said(high)})` : ""}`,
    ],
    ["Target", `${targetText(measured, measure)}: ${measured.reached ? "reached" : "not reached"}`],
    outcome !== null && ["Closed as", `${spoken(outcome.result)}${outcome.note === "" ? "" : `: ${outcome.note}`}`],
    [
      "Tasks",
      [
        `${tasks.completed} completed, ${tasks.failed} failed, ${tasks.cancelled} cancelled`,
        ...(tasks.not_made > 0 ? [`${tasks.not_made} could not be made`] : []),
        `${tasks.open + tasks.waiting} open`,
      ].join(", "),
    ],
    ["Spent", `${usd(budget.spent_usd)} of ${usd(budget.limit_usd)}`],
    ["Forecast", `${usd(forecast.value)} (${usd(forecast.low)} to ${usd(forecast.high)})`],
    report.started_at !== null && ["Started", exactly(report.started_at)],
    report.finished_at !== null && ["Ended", exactly(report.finished_at)],
  ];
}

const columns: readonly Column<MissionReport["steps"][number]>[] = [
  {
    name: "Step",
    cell: ({ step, title, agent, skill }) => (
      <span className="grid gap-0.5">
        <span className="font-medium">{title || step}</span>
        <span className="text-xs text-muted">
          {agent} · {skill}
        </span>
      </span>
    ),
  },
  {
    name: "Tasks",
    cell: ({ tasks, completed, failed }) =>
      `${completed} of ${counted(tasks, "task")}${failed > 0 ? `, ${failed} failed` : ""}`,
  },
  {
    name: "Success",
    cell: ({ success }) =>
      success === null ? (
        "–"
      ) : (
        <span>
          {percent(success.value)}{" "}
          <span className="text-xs text-muted">
            {percent(success.low)} to {percent(success.high)}
          </span>
        </span>
      ),
  },
  { name: "Cost", right: true, cell: ({ cost_usd }) => usd(cost_usd) },
];
