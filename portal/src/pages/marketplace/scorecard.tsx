import type { Scorecard } from "../../api/marketplace.ts";
import { exactly } from "../../lib/time.ts";
import { counted, percent, visible } from "../../lib/words.ts";
import { Card, Facts } from "../../ui/card.tsx";
import { type Interval, Intervals } from "../../ui/intervals.tsx";
import { scoreText } from "./words.ts";

type Result = Scorecard["results"][number];

/** What was measured, on what data, with intervals. */
export function ScorecardCard({ scorecard }: { readonly scorecard: Scorecard | null }) {
  if (scorecard === null)
    return (
      <Card title="Scorecard">
        <p className="text-sm text-muted">
          Nothing was measured. Measure it with data of your own before it works for anybody.
        </p>
      </Card>
    );
  return (
    <Card title="Scorecard" aside={<span className="text-sm text-muted">with {scorecard.model}</span>}>
      <div className="grid gap-5">
        {scorecard.datasets.map((dataset) => (
          <Measured key={dataset.name} dataset={dataset} scorecard={scorecard} />
        ))}
        <Origins scorecard={scorecard} />
        <p className="text-xs text-muted">
          These figures hold for this data. Your own will differ: the datasets and scorers are in the bundle, so that
          you can measure again, and with items of your own.
        </p>
      </div>
    </Card>
  );
}

/** Results on one dataset, and what data it is. */
function Measured({
  dataset: { name, items, data },
  scorecard: { results, gate },
}: {
  readonly dataset: Scorecard["datasets"][number];
  readonly scorecard: Scorecard;
}) {
  const its = results.filter(({ dataset }) => dataset === name);
  const within = its.every(
    ({ mean, low, high }) => Math.min(mean, low ?? mean) >= 0 && Math.max(mean, high ?? mean) <= 1,
  );
  return (
    <section aria-label={`Results on ${visible(name)}`} className="grid gap-3">
      <div className="border-l-2 border-line-strong pl-3 text-sm">
        <p>
          <span className="font-medium">{visible(name)}</span>, {counted(items, "item")}
        </p>
        <p className="text-muted wrap-anywhere">{visible(data)}</p>
      </div>
      {its.length === 0 ? (
        <p className="text-sm text-muted">No result on this dataset.</p>
      ) : (
        <Intervals
          label={`Scores on ${visible(name)}`}
          rows={its.map(rowOf)}
          format={scoreText}
          {...(within ? { range: [0, 1] as const } : {})}
          marks={gate === null ? [] : [{ at: gate.floor, name: "its gate's floor" }]}
        />
      )}
    </section>
  );
}

const rowOf = ({ scorer, mean, low, high, items, confidence }: Result): Interval => ({
  key: scorer,
  name: visible(scorer),
  value: mean,
  low: low ?? mean,
  high: high ?? mean,
  note: `${counted(items, "item")}, ${low === null || high === null ? "no interval" : percent(confidence)}`,
});

function Origins({ scorecard: { training, gate, made_at, service_version } }: { readonly scorecard: Scorecard }) {
  return (
    <Facts
      facts={[
        ["Training", training === null ? "none" : `${counted(training.examples, "example")}, which come along`],
        [
          "Gate",
          gate === null
            ? "none"
            : `${gate.state}: floor ${scoreText(gate.floor)}, tolerance ${scoreText(gate.tolerance)}`,
        ],
        ["Measured", `${exactly(made_at)}, by version ${visible(service_version)} of the service`],
      ]}
    />
  );
}
