import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useLive } from "../../../api/queries.ts";
import { listShadowRuns } from "../../../api/shadows.ts";
import type { Schema } from "../../../api/types.ts";
import { duration, spoken, usd } from "../../../lib/words.ts";
import { Badge } from "../../../ui/badge.tsx";
import { ChangeRow } from "../../../ui/change-row.tsx";
import { JsonView, ValueTable } from "../../../ui/code.tsx";
import { Chips } from "../../../ui/field.tsx";
import { ErrorState, Skeleton } from "../../../ui/states.tsx";
import { RelativeTime } from "../../../ui/time.tsx";

type Run = Schema<"ShadowRun">;
type Side = NonNullable<Run["live"]>;

interface RunsProps {
  readonly deployment: string;
  readonly every: number | false;
}

/** The newest tasks that both carried out, those that differ unless all are asked for. */
export function ShadowRuns({ deployment, every }: RunsProps) {
  const [all, setAll] = useState(false);
  const { data, error } = useLive(listShadowRuns(deployment, all ? undefined : false), { every });
  return (
    <section className="grid grid-cols-[minmax(0,1fr)] gap-3 text-sm">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h3 className="font-medium">{all ? "Newest tasks" : "Newest tasks that differ"}</h3>
        <Chips
          label="Filter tasks"
          options={[["differ", "Only those that differ"]]}
          chosen={all ? [] : ["differ"]}
          onChange={(next) => setAll(next.length === 0)}
        />
      </div>
      {error ? <ErrorState error={error} /> : data === undefined ? <Skeleton lines={3} /> : null}
      {data?.data.length === 0 ? (
        <p className="text-muted">{all ? "No task yet." : "No task that both carried out differs."}</p>
      ) : null}
      <ol className="grid gap-2">
        {data?.data.map((run) => (
          <RunRow key={run.shadow_run_id} run={run} />
        ))}
      </ol>
    </section>
  );
}

function RunRow({ run }: { readonly run: Run }) {
  const { task_id: task, skill, state, same, reason, up_to, differences, live, shadow, cost_usd, seconds } = run;
  return (
    <li className="grid grid-cols-[minmax(0,1fr)] gap-2 rounded-md border border-line px-3.5 py-3">
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Link to="/tasks/$task" params={{ task }} className="font-medium text-accent underline underline-offset-2">
          {skill}
        </Link>
        {same === null ? (
          <Badge>{state}</Badge>
        ) : (
          <Badge tone={same ? "good" : "warn"}>{same ? "the same" : "differs"}</Badge>
        )}
        {up_to === "write" ? <span className="text-muted">up to the first write</span> : null}
        <RelativeTime time={run.created_at} className="ml-auto text-muted" />
      </p>
      {reason === null ? null : <p className="text-muted">{spoken(reason)}</p>}
      {differences.length === 0 ? null : (
        <ul className="grid gap-2" aria-label="Differences, live before shadow">
          {differences.map((one) => (
            <ChangeRow key={one.pointer} change={{ pointer: one.pointer, before: one.live, after: one.shadow }} />
          ))}
        </ul>
      )}
      {live && shadow ? (
        <details>
          <summary className="w-fit rounded py-1 text-muted hover:text-ink">Both outputs</summary>
          <div className="mt-2 grid items-start gap-4 md:grid-cols-2">
            <SideView name="Live" side={live} cost={cost_usd.live} seconds={seconds.live} />
            <SideView name="Shadow" side={shadow} cost={cost_usd.shadow} seconds={seconds.shadow} />
          </div>
        </details>
      ) : null}
    </li>
  );
}

interface SideProps {
  readonly name: string;
  readonly side: Side;
  readonly cost: number;
  readonly seconds: number;
}

const SideView = ({ name, side: { status, output, failure, calls }, cost, seconds }: SideProps) => (
  <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-1.5">
    <h4 className="font-medium">
      {name}{" "}
      <span className="font-normal text-muted">
        {spoken(status).toLowerCase()}, {usd(cost)}, {duration(seconds * 1000)}
      </span>
    </h4>
    {failure === null ? null : <p className="text-bad">{failure}</p>}
    {output === null ? null : <ValueTable value={output} label={`Output, ${name.toLowerCase()}`} />}
    {calls.length === 0 ? null : <JsonView value={calls} label={`Calls of tools, ${name.toLowerCase()}`} />}
  </div>
);
