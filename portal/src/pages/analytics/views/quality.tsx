import { readQuality } from "../../../api/analytics.ts";
import { usePrefetched } from "../../../api/queries.ts";
import type { Schema } from "../../../api/types.ts";
import { counted } from "../../../lib/words.ts";
import { StatusBadge } from "../../../ui/badge.tsx";
import { Card, Facts } from "../../../ui/card.tsx";
import { type Column, Table } from "../../../ui/table.tsx";
import { RelativeTime } from "../../../ui/time.tsx";
import { BreakdownCard } from "../breakdown.tsx";
import { DriftList, marksOf } from "../drift.tsx";
import { Figures } from "../figure.tsx";
import { HeadLine } from "../frame.tsx";
import { keyCell } from "../key-cell.tsx";
import { Trend } from "../trend.tsx";
import type { ViewProps } from "../view.ts";
import { valueText } from "../words.ts";

type Evaluation = Schema<"EvaluationPoint">;

/** Whether what agents did was good: accepted outcomes, trust, drift, evaluations and feedback. */
export function QualityView({ search }: ViewProps) {
  const { data } = usePrefetched(readQuality(search), { every: 30_000 });
  const { feedback } = data;
  return (
    <>
      <HeadLine head={data} />
      <Figures figures={data.figures} series={data.series} />
      <Trend
        title="Quality over time"
        head={data}
        points={data.series}
        range={[0, 1]}
        lines={["accepted_rate", "success_rate", "trust_mean"]}
        marks={marksOf(data.drift.marks)}
      />
      <Card title="Drift">
        <DriftList drift={data.drift} />
      </Card>
      <BreakdownCard title="Agents" rows={data.agents} keyCell={keyCell} />
      <Card title="Evaluations" flush>
        {data.evaluations.length === 0 ? (
          <p className="px-5 py-6 text-sm text-muted">No evaluation finished in this window.</p>
        ) : (
          <Table label="Evaluations" columns={columns} rows={data.evaluations} rowKey={({ run_id }) => run_id} />
        )}
      </Card>
      <Card title="Feedback">
        <Facts
          facts={[
            ["Given", counted(feedback.given, "time")],
            ["Accepted", feedback.accepted.toLocaleString("en")],
            ["Not accepted", feedback.not_accepted.toLocaleString("en")],
            ["Corrected", feedback.corrected.toLocaleString("en")],
            feedback.rating !== null && [
              "Rating",
              `${feedback.rating.toFixed(1)} of 5, mean of ${counted(feedback.rated, "rating")}`,
            ],
          ]}
        />
      </Card>
    </>
  );
}

const columns: readonly Column<Evaluation>[] = [
  {
    name: "Agent, skill",
    cell: ({ agent, skill, version }) => (
      <span>
        <span className="font-medium">{agent}</span> · {skill}, version {version}
      </span>
    ),
  },
  { name: "Dataset", cell: ({ dataset }) => dataset },
  {
    name: "Scores",
    cell: ({ scores }) => (
      <ul className="grid gap-0.5">
        {scores.map(({ scorer, score }) => (
          <li key={scorer} className="tabular-nums">
            {scorer} {valueText(score.value, "score")}{" "}
            <span className="text-muted">
              {valueText(score.low, "score")} to {valueText(score.high, "score")}
            </span>
          </li>
        ))}
      </ul>
    ),
  },
  { name: "Gate", cell: ({ verdict }) => (verdict === null ? "–" : <StatusBadge status={verdict} />) },
  {
    name: "Finished",
    right: true,
    cell: ({ finished_at }) => <RelativeTime time={finished_at} className="text-muted" />,
  },
];
