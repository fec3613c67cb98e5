import { readFunnel } from "../../../api/analytics.ts";
import type { Answer } from "../../../api/client.ts";
import { usePrefetched } from "../../../api/queries.ts";
import { percent, spoken } from "../../../lib/words.ts";
import { Card } from "../../../ui/card.tsx";
import { Behind } from "../behind.tsx";
import { Change } from "../figure.tsx";
import { HeadLine } from "../frame.tsx";
import type { ViewProps } from "../view.ts";

type Funnel = Answer<"/v1/analytics/tasks">;
type Stage = Funnel["stages"][number];

/** What became of dispatched tasks: how many reached each stage, and where the others dropped out. */
export function FunnelView({ search }: ViewProps) {
  const { data } = usePrefetched(readFunnel(search), { every: 30_000 });
  return (
    <>
      <HeadLine head={data} />
      <Card title="From dispatch to an accepted outcome">
        <ol className="grid gap-4">
          {data.stages.map((stage) => (
            <StageRow
              key={stage.stage}
              stage={stage}
              dropped={data.dropped.filter(({ before }) => before === stage.stage)}
            />
          ))}
        </ol>
        <p className="mt-4 text-xs text-muted">
          Judged: by feedback, review, approval of an outcome, or a failed run. Accepted counts partly accepted tasks in
          part.
        </p>
      </Card>
    </>
  );
}

interface StageProps {
  readonly stage: Stage;
  readonly dropped: Funnel["dropped"];
}

function StageRow({ stage: { stage, tasks, of_dispatched, of_before }, dropped }: StageProps) {
  return (
    <li className="grid gap-1.5 text-sm">
      <p className="flex flex-wrap items-baseline justify-between gap-x-4">
        <span className="font-medium">{spoken(stage)}</span>
        <span className="flex flex-wrap items-baseline gap-x-3 tabular-nums">
          <Change name="tasks" figure={tasks} />
          <Behind link={tasks.link} className="font-semibold">
            {(tasks.value ?? 0).toLocaleString("en", { maximumFractionDigits: 1 })}
          </Behind>
          {of_dispatched !== null && stage !== "dispatched" ? (
            <span className="text-muted">{percent(of_dispatched)} of all</span>
          ) : null}
          {of_before !== null && stage !== "dispatched" ? (
            <span className="text-muted">{percent(of_before)} of those before</span>
          ) : null}
        </span>
      </p>
      <div aria-hidden="true" className="h-6 overflow-hidden rounded bg-line/60">
        <div className="h-full rounded bg-accent" style={{ width: `${(of_dispatched ?? 0) * 100}%` }} />
      </div>
      {dropped.some(({ tasks }) => tasks > 0) ? (
        <ul aria-label={`Not ${stage}`} className="flex flex-wrap gap-x-4 gap-y-1 text-muted">
          {dropped
            .filter(({ tasks }) => tasks > 0)
            .map(({ reason, tasks, link }) => (
              <li key={reason}>
                <Behind link={link}>
                  {tasks.toLocaleString("en", { maximumFractionDigits: 1 })} {spoken(reason).toLowerCase()}
                </Behind>
              </li>
            ))}
        </ul>
      ) : null}
    </li>
  );
}
