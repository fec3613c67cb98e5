import { clsx } from "clsx";
import { useLive } from "../../api/queries.ts";
import { readTaskTrace } from "../../api/tasks.ts";
import type { Schema } from "../../api/types.ts";
import { duration } from "../../lib/words.ts";
import { Card } from "../../ui/card.tsx";
import { CopyText } from "../../ui/code.tsx";
import { ErrorState, Skeleton } from "../../ui/states.tsx";

type Trace = Schema<"TaskTrace">;
type Span = Trace["spans"][number];

const fills: Readonly<Record<Span["kind"], string>> = {
  task: "bg-line-strong",
  queue: "bg-line-strong/60",
  approval: "bg-warn",
  attempt: "bg-accent/40",
  model: "bg-accent",
  tool: "bg-info",
};

/** Where the time of a task went: waiting, models and tools, as bars on one scale. */
export function TraceCard({ task, every }: { readonly task: string; readonly every: number | false }) {
  const { data, error } = useLive(readTaskTrace(task), { every });
  return (
    <Card title="Trace" aside={data ? <CopyText text={data.trace_id} short /> : null}>
      {error ? <ErrorState error={error} /> : data ? <Bars trace={data} /> : <Skeleton lines={4} />}
    </Card>
  );
}

const startOf = ({ start }: Span): number => Date.parse(start);
const endOf = ({ start, end }: Span, now: number): number =>
  end === null ? now : Math.max(Date.parse(end), Date.parse(start));

function Bars({ trace }: { readonly trace: Trace }) {
  const now = Date.now();
  const from = Math.min(...trace.spans.map(startOf));
  const to = Math.max(from + 1, ...trace.spans.map((span) => endOf(span, now)));
  const depths = depthsOf(trace.spans);
  return (
    <>
      <ol className="grid gap-1.5 text-sm" aria-label="Spans of the task">
        {trace.spans.map((span) => {
          const [start, end] = [startOf(span), endOf(span, now)];
          const left = (100 * (start - from)) / (to - from);
          const width = (100 * (end - start)) / (to - from);
          return (
            <li key={span.span_id} className="grid grid-cols-[minmax(0,11rem)_minmax(0,1fr)_4.5rem] items-center gap-3">
              <span
                className={clsx("truncate", span.status === "error" && "text-bad")}
                style={{ paddingLeft: `${(depths.get(span.span_id) ?? 0) * 0.75}rem` }}
                title={span.error === null ? span.name : `${span.name}: ${span.error}`}
              >
                {span.name}
              </span>
              <span className="relative h-3 rounded bg-sunken" aria-hidden="true">
                <span
                  className={clsx(
                    "absolute h-3 min-w-0.5 rounded",
                    span.status === "error" ? "bg-bad" : fills[span.kind],
                  )}
                  style={{ left: `${Math.min(left, 99.5)}%`, width: `${Math.max(width, 0.4)}%` }}
                />
              </span>
              <span className="text-right text-muted">
                {span.end === null ? "open" : duration(end - start)}
                {span.error === null ? null : <span className="sr-only">, failed with {span.error}</span>}
              </span>
            </li>
          );
        })}
      </ol>
      {trace.truncated ? <p className="mt-3 text-sm text-muted">Only the first 1,000 spans are shown.</p> : null}
    </>
  );
}

/** How deep each span lies in the tree. Parents stand before their parts. */
function depthsOf(spans: readonly Span[]): Map<string, number> {
  const depths = new Map<string, number>();
  for (const { span_id, parent_span_id } of spans)
    depths.set(span_id, parent_span_id === null ? 0 : (depths.get(parent_span_id) ?? 0) + 1);
  return depths;
}
