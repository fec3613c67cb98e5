import type { Schema } from "../../api/types.ts";
import { counted, percent } from "../../lib/words.ts";
import { CopyText } from "../../ui/code.tsx";

type Report = Schema<"ReplayReport">;

const outcomes: readonly (readonly [name: keyof Report, word: string, look: string])[] = [
  ["would_be_denied", "would be refused", "fill-bad-solid"],
  ["would_wait", "would wait for people", "fill-warn"],
  ["would_be_redacted", "would be redacted", "fill-info"],
  ["would_be_limited", "would be bounded", "fill-info"],
  ["no_longer_denied", "would go on at last", "fill-good"],
  ["no_longer_wait", "would no longer wait", "fill-good"],
];

/** What a policy would have done to recorded calls, as bars. */
export function ReplayView({ report }: { readonly report: Report }) {
  const shown = outcomes.filter(([name]) => Number(report[name]) > 0);
  return (
    <div className="grid gap-3 text-sm">
      <p>
        {report.calls === 0 ? (
          "No recorded call is covered yet, so there is nothing to replay."
        ) : (
          <>
            Replayed over <strong>{counted(report.calls, "recorded call")}</strong>: it applies to{" "}
            {report.matched.toLocaleString("en")}.{shown.length === 0 ? " Nothing would come out otherwise." : ""}
          </>
        )}
      </p>
      {shown.length > 0 ? (
        <dl className="grid grid-cols-[auto_minmax(0,1fr)_auto] items-center gap-x-3 gap-y-2">
          {shown.map(([name, word, look]) => (
            <div key={name} className="contents">
              <dt>{word}</dt>
              <dd aria-hidden="true">
                <svg viewBox="0 0 100 8" preserveAspectRatio="none" className="h-2 w-full" aria-hidden="true">
                  <rect width="100" height="8" rx="4" className="fill-line" />
                  <rect
                    width={Math.max(1.5, (Number(report[name]) / report.calls) * 100)}
                    height="8"
                    rx="4"
                    className={look}
                  />
                </svg>
              </dd>
              <dd className="text-right tabular-nums">
                {Number(report[name]).toLocaleString("en")}{" "}
                <span className="text-muted">({percent(Number(report[name]) / report.calls)})</span>
              </dd>
            </div>
          ))}
        </dl>
      ) : null}
      {report.failed > 0 ? (
        <p className="text-bad">
          On {counted(report.failed, "call")} the condition could not be evaluated: each would be refused.
        </p>
      ) : null}
      {report.not_replayable > 0 ? (
        <p className="text-muted">
          {counted(report.not_replayable, "call")} left out: what policies saw of them is not known exactly any more.
        </p>
      ) : null}
      {report.examples.length > 0 ? (
        <details>
          <summary className="w-fit text-muted hover:text-ink">Some of these calls</summary>
          <ul className="mt-2 grid gap-1.5">
            {report.examples.map((example) => (
              <li key={example.audit_ref} className="flex flex-wrap items-center gap-x-3">
                <CopyText text={example.audit_ref} label="audit reference" short />
                <span className="text-muted">
                  {example.agent}: {example.before} → {example.after}
                </span>
              </li>
            ))}
          </ul>
        </details>
      ) : null}
    </div>
  );
}
