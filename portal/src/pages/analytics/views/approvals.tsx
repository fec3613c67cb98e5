import { readApprovalFigures } from "../../../api/analytics.ts";
import { usePrefetched } from "../../../api/queries.ts";
import type { Schema } from "../../../api/types.ts";
import { counted } from "../../../lib/words.ts";
import { Badge } from "../../../ui/badge.tsx";
import { Card } from "../../../ui/card.tsx";
import { BreakdownCard } from "../breakdown.tsx";
import { Figures, figureText } from "../figure.tsx";
import { HeadLine } from "../frame.tsx";
import { keyCell } from "../key-cell.tsx";
import { Trend } from "../trend.tsx";
import type { ViewProps } from "../view.ts";
import { titleOf } from "../words.ts";

type Approver = Schema<"ApprovalFigures">["approvers"][number];

const columns = ["approvals", "decided", "time_to_decide_p50", "edit_rate", "override_rate", "quick_rate"];

/** How people decide what agents ask them, and signs that they no longer look. */
export function ApprovalsView({ search }: ViewProps) {
  const { data } = usePrefetched(readApprovalFigures(search), { every: 30_000 });
  return (
    <>
      <HeadLine head={data} />
      <Figures figures={data.figures} series={data.series} />
      <div className="grid grid-cols-1 gap-4 lg:grid-cols-2">
        <Trend
          title="Time to decide"
          head={data}
          points={data.series}
          lines={["time_to_decide_p50", "time_to_decide_p90"]}
        />
        <Trend
          title="What people change"
          head={data}
          points={data.series}
          range={[0, 1]}
          lines={["edit_rate", "override_rate", "expiry_rate"]}
        />
      </div>
      <Card title="Approvers">
        {data.approvers.length === 0 ? (
          <p className="text-sm text-muted">Nobody decided anything in this window.</p>
        ) : (
          <ul className="grid gap-5">
            {data.approvers.map((approver) => (
              <ApproverRow key={approver.approver} approver={approver} />
            ))}
          </ul>
        )}
        <p className="mt-4 text-xs text-muted">
          Signs rest on the newest {counted(data.tested.decisions, "decision")} of the window,{" "}
          {counted(data.tested.questions, "test")}, adjusted for their number; nobody with fewer than{" "}
          {counted(data.tested.least, "decision")} is tested. A sign is no verdict: read the decisions.
        </p>
      </Card>
      <BreakdownCard title="By risk" rows={data.by_risk} measures={columns} keyCell={keyCell} />
      <BreakdownCard title="By agent" rows={data.by_agent} measures={columns} keyCell={keyCell} />
    </>
  );
}

const signWords: Readonly<Record<string, string>> = {
  quick: "very quick approvals",
  never_changes: "never changes anything",
  approves_wrong: "approves what is judged wrong",
  same_time_for_risk: "same time for high risk",
};

function ApproverRow({
  approver: { approver, name, decided, figures, enough, signs },
}: {
  readonly approver: Approver;
}) {
  return (
    <li className="grid gap-2 text-sm">
      <p className="flex flex-wrap items-center gap-2">
        <span className="font-medium" title={approver}>
          {name}
        </span>
        <span className="text-muted">{counted(decided, "decision")}</span>
        {enough ? null : <Badge>too few to test</Badge>}
        {signs.map(({ sign }) => (
          <Badge key={sign} tone="warn">
            {signWords[sign] ?? sign}
          </Badge>
        ))}
      </p>
      <dl className="grid grid-cols-2 gap-x-5 gap-y-1 sm:grid-cols-3">
        {Object.entries(figures).map(([measure, figure]) => (
          <div key={measure} className="flex flex-wrap justify-between gap-x-3">
            <dt className="text-muted">{titleOf(measure)}</dt>
            <dd className="tabular-nums">{figureText(measure, figure)}</dd>
          </div>
        ))}
      </dl>
      {signs.map(({ sign, text, test, adjusted_p_value }) => (
        <p key={sign} className="border-l-2 border-warn pl-3">
          {text}{" "}
          <span className="text-muted">
            {test}, adjusted p{" "}
            {adjusted_p_value < 0.001 ? "< .001" : `= ${adjusted_p_value.toFixed(3).replace(/^0/, "")}`}
          </span>
        </p>
      ))}
    </li>
  );
}
