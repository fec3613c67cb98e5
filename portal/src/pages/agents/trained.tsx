import { clsx } from "clsx";
import type { Schema } from "../../api/types.ts";
import { Badge } from "../../ui/badge.tsx";
import { intervalText, measureText, sourceText, verdicts } from "./training-words.ts";

/** What a version was trained from, and how it did before and after: what people have to know before they deploy it. */
export function Trained({ training }: { readonly training: Schema<"VersionTraining"> }) {
  const { job_id, skill, base_version, metrics } = training;
  const [word, tone] = metrics === null ? ["not measured", "neutral" as const] : verdicts[metrics.verdict];
  return (
    <section
      aria-label={`Training of ${skill}`}
      className="grid gap-2 rounded-md border border-line bg-sunken px-3 py-2.5 text-sm"
    >
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <span className="font-medium">
          Trained: <code className="id">{skill}</code>, from version {base_version}
        </span>
        <Badge tone={tone}>{word}</Badge>
        <code className="id ml-auto text-xs text-muted">{job_id}</code>
      </p>
      <p>{sourceText(training)}</p>
      {metrics === null || metrics.before === null || metrics.after === null ? (
        <p className="text-warn">Nothing was measured: whether it is better is not known.</p>
      ) : (
        <dl className="grid grid-cols-[auto_auto_minmax(0,1fr)] items-baseline gap-x-4 gap-y-1">
          <dt className="text-muted">Before</dt>
          <dd className="tabular-nums">{measureText(metrics.before)}</dd>
          <dd className="text-muted">version {base_version}</dd>
          <dt className="text-muted">After</dt>
          <dd
            className={clsx(
              "font-semibold tabular-nums",
              { better: "text-good", worse: "text-bad", unclear: "" }[metrics.verdict],
            )}
          >
            {measureText(metrics.after)}
          </dd>
          <dd className="text-muted">{intervalText(metrics)}</dd>
        </dl>
      )}
      {metrics === null ? null : (
        <p className="text-xs text-muted">Measured: {metrics.score}, on examples that it did not learn from.</p>
      )}
    </section>
  );
}
