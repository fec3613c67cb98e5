import { Link } from "@tanstack/react-router";
import type { Schema } from "../../api/types.ts";
import { when } from "../../lib/time.ts";
import { counted } from "../../lib/words.ts";
import { Badge } from "../../ui/badge.tsx";
import type { SeriesProps } from "../../ui/charts.tsx";
import { measureText, titleOf } from "./words.ts";

type Drift = Schema<"QualityFigures">["drift"];
type Mark = Drift["marks"][number];

/** Marks of changes of level, as a chart draws them: by their numbers in the list, since words of neighbours would stand on each other. */
export const marksOf = (marks: readonly Mark[]): NonNullable<SeriesProps["marks"]> =>
  marks.map(({ at, worse }, index) => ({
    at,
    label: String(index + 1),
    tone: worse ? ("bad" as const) : ("good" as const),
  }));

/** Each change of level: before and after with their intervals, how sure it is, and what happened near it. */
export function DriftList({ drift }: { readonly drift: Drift }) {
  const few = drift.watched.filter(({ enough }) => !enough);
  return (
    <div className="grid gap-3 text-sm">
      {drift.marks.length === 0 ? <p>No change of level was found in this window.</p> : null}
      <ol className="grid gap-4">
        {drift.marks.map((mark, index) => (
          <li key={`${mark.measure} ${mark.at}`} className="grid gap-1">
            <p className="flex flex-wrap items-center gap-2">
              <span className="font-semibold tabular-nums">{index + 1}</span>
              <Badge tone={mark.worse ? "bad" : "good"}>{mark.worse ? "fell" : "rose"}</Badge>
              <span className="font-medium">{titleOf(mark.measure)}</span>
              <time dateTime={mark.at} className="text-muted">
                {when(mark.at)}
              </time>
            </p>
            <p>
              From {interval(mark.measure, mark.before)} to {interval(mark.measure, mark.after)};{" "}
              <span className="text-muted">
                p {mark.p_value < 0.001 ? "< .001" : `= ${mark.p_value.toFixed(3).replace(/^0/, "")}`}
              </span>
            </p>
            {mark.nearby.length === 0 ? null : (
              <ul aria-label="What happened near it" className="grid gap-0.5 border-l-2 border-line pl-3 text-muted">
                {mark.nearby.map((near) => (
                  <li key={`${near.at} ${near.what}`}>
                    {when(near.at)}:{" "}
                    {near.agent === null ? (
                      near.what
                    ) : (
                      <Link to="/agents/$agent" params={{ agent: near.agent }} className="underline underline-offset-2">
                        {near.what}
                      </Link>
                    )}
                  </li>
                ))}
              </ul>
            )}
          </li>
        ))}
      </ol>
      <p className="text-xs text-muted">
        {drift.method}
        {few.length > 0
          ? ` Too few for ${few.map(({ measure, n }) => `${titleOf(measure).toLowerCase()} (${counted(n, "case")})`).join(", ")}.`
          : ""}
        {drift.marks.length > 0 ? " What stands near a change in time need not be its cause." : ""}
      </p>
    </div>
  );
}

const interval = (measure: string, { value, low, high, n }: Mark["before"]): string =>
  `${measureText(measure, value)} (${measureText(measure, low)} to ${measureText(measure, high)}, ${counted(n, "case")})`;
