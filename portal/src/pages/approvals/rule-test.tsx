import { Link } from "@tanstack/react-router";
import type { RuleTest } from "../../api/approvals.ts";
import { counted } from "../../lib/words.ts";
import { RelativeTime } from "../../ui/time.tsx";
import { stageText, useNames } from "./required-by.tsx";
import { lengthText } from "./rule-words.ts";

/** What a rule would have caught of past tasks: counts, days, who could have decided and how long it would have waited. */
export function RuleTestView({ test }: { readonly test: RuleTest }) {
  const { looked_at: looked, caught, asked_anyway: anyway, wait, stages, by_agent: agents, examples } = test;
  const nameOf = useNames(stages.flatMap(({ members }) => members));
  const calls = looked.calls > 0 ? ` and ${counted(looked.calls, "call")} of their tools` : "";
  return (
    <section aria-label="Result" className="grid gap-4 rounded-lg border border-line bg-sunken p-4 text-sm">
      <div>
        <p className="text-2xl font-semibold tabular-nums">{caught.toLocaleString("en")} caught</p>
        <p className="text-muted">
          of {counted(looked.tasks, "task")}
          {calls}
          {looked.from === null ? null : (
            <>
              , since <RelativeTime time={looked.from} />
            </>
          )}
          .{" "}
          {anyway === 0
            ? "People were asked of none of them."
            : `People were asked of ${anyway.toLocaleString("en")} of them anyway.`}
        </p>
      </div>
      {test.by_day.length > 1 ? <Days days={test.by_day} /> : null}
      {wait === null ? null : (
        <p>
          Each would have waited about {lengthText(wait.typical_seconds)}, and one in ten longer than{" "}
          {lengthText(wait.long_seconds)}, by {counted(wait.approvals, "decided approval")}
          {wait.same_kind < caught ? `; ${wait.same_kind.toLocaleString("en")} by those of their own kind` : ""}. All
          together {lengthText(wait.total_seconds)} of new waiting.
        </p>
      )}
      <ol className="grid gap-1">
        {stages.map((stage, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: stages have no other identity
          <li key={at} className={stage.persons < stage.quorum ? "text-bad" : undefined}>
            {at + 1}. {stageText(stage, nameOf)}: {counted(stage.persons, "person", "persons")} could approve now
          </li>
        ))}
      </ol>
      {agents.length === 0 ? null : (
        <p className="text-muted">
          {agents
            .slice(0, 5)
            .map(({ agent, caught: own }) => `${agent} ${own.toLocaleString("en")}`)
            .join(", ")}
          {agents.length > 5 ? ` and ${agents.length - 5} more` : ""}
        </p>
      )}
      {examples.length === 0 ? null : (
        <ul aria-label="Latest caught" className="grid gap-1">
          {examples.slice(0, 5).map((one) => (
            <li key={`${one.task_id} ${one.tool}`}>
              <Link
                to="/tasks/$task"
                params={{ task: one.task_id }}
                className="text-accent underline underline-offset-2"
              >
                {one.agent}, {one.tool ?? one.skill}
              </Link>{" "}
              <RelativeTime time={one.created_at} className="text-muted" />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** A bar for each day: what was caught, before what was looked at. */
function Days({ days }: { readonly days: RuleTest["by_day"] }) {
  const most = Math.max(...days.map(({ tasks, caught }) => Math.max(tasks, caught)), 1);
  const width = 100 / days.length;
  const height = (count: number): number => (count / most) * 40;
  const text = days.map(({ day, tasks, caught }) => `${day}: ${caught} of ${tasks}`).join("; ");
  return (
    <figure className="grid gap-1">
      <svg viewBox="0 0 100 40" preserveAspectRatio="none" role="img" aria-label={text} className="block h-24 w-full">
        {days.map(({ day, tasks, caught }, at) => (
          <g key={day}>
            <rect
              x={at * width + width * 0.1}
              width={width * 0.8}
              y={40 - height(tasks)}
              height={height(tasks)}
              fill="var(--line-strong)"
              opacity={0.5}
            />
            <rect
              x={at * width + width * 0.1}
              width={width * 0.8}
              y={40 - height(Math.min(caught, tasks))}
              height={height(Math.min(caught, tasks))}
              fill="var(--accent)"
            />
          </g>
        ))}
      </svg>
      <figcaption className="flex justify-between text-xs text-muted">
        <span>{days[0]?.day}</span>
        <span>caught of all, by day</span>
        <span>{days.at(-1)?.day}</span>
      </figcaption>
    </figure>
  );
}
