import type { Schema } from "../../api/types.ts";
import { counted, duration, percent, usd } from "../../lib/words.ts";
import { Badge, RiskBadge } from "../../ui/badge.tsx";
import { Card, Facts } from "../../ui/card.tsx";
import { Notice } from "../../ui/states.tsx";
import { TrustMeter } from "../../ui/trust.tsx";

type Estimate = Schema<"TaskEstimate">;
type Range = NonNullable<Estimate["cost_usd"]>;

const words: Readonly<Record<Estimate["would"], readonly [word: string, tone: "good" | "warn" | "bad"]>> = {
  run: ["would run at once", "good"],
  wait_for_approval: ["would wait for approval", "warn"],
  be_refused: ["would be refused", "bad"],
};

/** What a task would come to, cost and take, before it is dispatched. */
export function EstimateCard({ estimate }: { readonly estimate: Estimate }) {
  const [word, tone] = words[estimate.would];
  const { history, completes, trust, risk, problem, approval } = estimate;
  return (
    <Card title="Estimate" aside={<Badge tone={tone}>{word}</Badge>}>
      <div className="grid gap-4 text-sm">
        {problem ? <Notice tone="bad">{String(problem.detail ?? problem.title)}</Notice> : null}
        {approval ? <p>{approval.reasons.join(" ")}</p> : null}
        {completes ? (
          <div className="grid gap-1">
            <span>
              Completes with a chance of {percent(completes.expected)}, by {counted(history.tasks, "earlier task")}
              {history.same_version ? "" : " of this and earlier versions"}
            </span>
            <TrustMeter
              score={completes.expected}
              low={completes.low}
              high={completes.high}
              large
              label={`Chance ${percent(completes.expected)}, between ${percent(completes.low)} and ${percent(completes.high)}`}
            />
          </div>
        ) : (
          <p className="text-muted">No task of this skill has ended here yet, so nothing is known of cost and time.</p>
        )}
        <Facts
          facts={[
            ["Cost", range(estimate.cost_usd, usd)],
            ["Tokens", range(estimate.tokens, (tokens) => String(Math.round(tokens)))],
            ["Waits in the queue", range(estimate.queue_seconds, seconds)],
            estimate.approval_seconds !== null && ["Waits for people", range(estimate.approval_seconds, seconds)],
            ["Runs", range(estimate.run_seconds, seconds)],
            trust !== null && [
              "Trust at the start",
              `${percent(trust.score)}, ${percent(trust.low)} to ${percent(trust.high)}`,
            ],
            risk !== null && ["Risk", <RiskBadge key="risk" level={risk.level as "low"} />],
            estimate.version !== null && ["Version", estimate.version],
            estimate.at_most?.cost_usd != null && ["Stopped at", usd(estimate.at_most.cost_usd)],
          ]}
        />
        <p className="text-muted">Nothing was dispatched.</p>
      </div>
    </Card>
  );
}

const seconds = (value: number): string => duration(value * 1000);

function range(value: Range | null, shown: (value: number) => string): string {
  if (value === null) return "not known yet";
  const { expected, low, high } = value;
  return low === high ? shown(expected) : `${shown(expected)}, ${shown(low)} to ${shown(high)}`;
}
