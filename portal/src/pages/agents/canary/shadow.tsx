import { useState } from "react";
import { changeDeployment } from "../../../api/agents.ts";
import { useChange, useLive } from "../../../api/queries.ts";
import { useMay } from "../../../api/rights.ts";
import { readShadow } from "../../../api/shadows.ts";
import type { Schema } from "../../../api/types.ts";
import { counted, duration, percent, usd } from "../../../lib/words.ts";
import { Button } from "../../../ui/button.tsx";
import { Card } from "../../../ui/card.tsx";
import { Field } from "../../../ui/field.tsx";
import { FormDialog } from "../../../ui/form-dialog.tsx";
import { Intervals } from "../../../ui/intervals.tsx";
import { Progress } from "../../../ui/progress.tsx";
import { ErrorState, Skeleton } from "../../../ui/states.tsx";
import { RelativeTime } from "../../../ui/time.tsx";
import { toast } from "../../../ui/toast.tsx";
import { deployed } from "../touched.ts";
import { ShadowRuns } from "./shadow-runs.tsx";

type Deployment = Schema<"Deployment">;
type Summary = Schema<"ShadowSummary">;

interface CardProps {
  readonly shadow: Deployment;
  readonly live: Deployment | undefined;
}

/** A version in shadow: what it would have done, and how it is ended. */
export function ShadowCard({ shadow, live }: CardProps) {
  const mayDeploy = useMay("agents:deploy");
  const [asked, setAsked] = useState<"share" | "abort" | null>(null);
  const since = (
    <span className="text-sm text-muted">
      since <RelativeTime time={shadow.created_at} />
    </span>
  );
  return (
    <Card title={`Version ${shadow.version} in shadow of version ${live?.version ?? "none"}`} aside={since}>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
        <p className="max-w-prose text-sm text-muted">
          It carries out {shadow.share} % of the live version's tasks too, with its writes withheld.
        </p>
        {mayDeploy ? (
          <div className="flex flex-wrap gap-2">
            <Button onClick={() => setAsked("share")}>Change shadow share</Button>
            <Button kind="refuse" onClick={() => setAsked("abort")}>
              End shadow
            </Button>
          </div>
        ) : null}
        <ShadowFigures deployment={shadow.deployment_id} every={10_000} />
      </div>
      {asked === null ? null : <ChangeShadow shadow={shadow} asked={asked} onClose={() => setAsked(null)} />}
    </Card>
  );
}

interface FiguresProps {
  readonly deployment: string;
  readonly every: number | false;
}

/** How often both did the same, where they differ, and what both cost. */
export function ShadowFigures({ deployment, every }: FiguresProps) {
  const mayRead = useMay("evaluations:read");
  const mayRuns = useMay("tasks:read");
  const { data, error } = useLive(readShadow(deployment), { every, when: mayRead });
  if (!mayRead) return <p className="text-sm text-muted">What it would have done needs evaluations:read.</p>;
  if (data === undefined) return error ? <ErrorState error={error} /> : <Skeleton lines={5} />;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <Same summary={data} />
      <div className="grid items-start gap-x-8 gap-y-5 lg:grid-cols-2">
        <Sides summary={data} />
        <Used summary={data} />
        <Counts
          title="Where they differ"
          rows={data.differences.map(({ pointer, runs }) => [pointer, runs])}
          none="Nowhere so far."
        />
        <Counts
          title="Skipped"
          rows={data.skipped.map(({ reason, runs }) => [reason, runs])}
          none="None: the shadow could carry out all it was given."
        />
      </div>
      {mayRuns ? <ShadowRuns deployment={deployment} every={every} /> : null}
    </div>
  );
}

function Same({ summary: { same, compared, up_to_a_write: writes } }: { readonly summary: Summary }) {
  const { share, low, high } = same;
  if (share === null || low === null || high === null)
    return <p className="text-sm">No task was carried out by both yet.</p>;
  const note = `${counted(compared, "task")} compared`;
  return (
    <div className="grid gap-2">
      <Intervals
        label="Tasks done the same, with its 95 % interval"
        rows={[{ key: "same", name: "Done the same", value: share, low, high, note }]}
        format={percent}
        range={[0, 1]}
      />
      {writes === 0 ? null : (
        <p className="text-xs text-muted">
          {counted(writes, "task")} of them only up to the first write, which is withheld from the shadow.
        </p>
      )}
    </div>
  );
}

function Sides({
  summary: { compared, failed, cost_usd: cost, mean_seconds: seconds },
}: {
  readonly summary: Summary;
}) {
  const time = (value: number): string => (compared === 0 ? "–" : duration(value * 1000));
  const rows = [
    ["Failed", String(failed.live), String(failed.shadow)],
    ["Cost", usd(cost.live), usd(cost.shadow)],
    ["Duration, mean", time(seconds.live), time(seconds.shadow)],
  ] as const;
  return (
    <table aria-label="Both sides" className="w-full text-left text-sm tabular-nums">
      <thead className="text-xs text-muted">
        <tr>
          <th scope="col" className="py-1 font-medium">
            Compared tasks
          </th>
          <th scope="col" className="py-1 pl-3 text-right font-medium">
            Live
          </th>
          <th scope="col" className="py-1 pl-3 text-right font-medium">
            Shadow
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map(([name, live, shadow]) => (
          <tr key={name} className="border-t border-line">
            <th scope="row" className="py-1.5 font-normal text-muted">
              {name}
            </th>
            <td className="py-1.5 pl-3 text-right">{live}</td>
            <td className="py-1.5 pl-3 text-right">{shadow}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Used({ summary: { budget, state, reason } }: { readonly summary: Summary }) {
  const share = (used: number, of: number): number => (of === 0 ? 1 : Math.min(1, used / of));
  const bars = [
    [share(budget.used_usd, budget.cost_usd), `${usd(budget.used_usd)} of ${usd(budget.cost_usd)}`],
    [
      share(budget.used_tasks, budget.tasks),
      `${budget.used_tasks.toLocaleString("en")} of ${counted(budget.tasks, "task")}`,
    ],
  ] as const;
  return (
    <section className="grid gap-2 text-sm">
      <h3 className="font-medium">Budget</h3>
      {bars.map(([value, text]) => (
        <div key={text} className="grid gap-1">
          <p>{text}</p>
          <Progress value={value} label={text} />
        </div>
      ))}
      {state === "ended" && reason !== null ? <p>Ended: {reason}</p> : null}
      {state === "shadow" ? <p className="text-xs text-muted">It ends when either is used up.</p> : null}
    </section>
  );
}

interface CountsProps {
  readonly title: string;
  readonly rows: readonly (readonly [name: string, runs: number])[];
  readonly none: string;
}

const Counts = ({ title, rows, none }: CountsProps) => (
  <section className="grid gap-1.5 text-sm">
    <h3 className="font-medium">{title}</h3>
    {rows.length === 0 ? <p className="text-muted">{none}</p> : null}
    <ul className="grid gap-1">
      {rows.map(([name, runs]) => (
        <li key={name} className="flex flex-wrap justify-between gap-x-4">
          <code className="id min-w-0 break-all">{name}</code>
          <span className="text-muted">{counted(runs, "task")}</span>
        </li>
      ))}
    </ul>
  </section>
);

interface ChangeProps {
  readonly shadow: Deployment;
  readonly asked: "share" | "abort";
  readonly onClose: () => void;
}

function ChangeShadow({ shadow, asked, onClose }: ChangeProps) {
  // The shadow as it was when this was opened: what changed since is refused, not overwritten.
  const [before] = useState(shadow);
  const change = useChange(changeDeployment, deployed);
  const ends = asked === "abort";
  const submit = (form: FormData): void => {
    const { agent, deployment_id: deployment, revision } = before;
    const body = ends
      ? { action: "abort" as const, reason: String(form.get("reason")) }
      : { share: Number(form.get("share")) };
    change.mutate(
      { agent, deployment, revision, ...body },
      {
        onSuccess: () => {
          toast(`Version ${before.version} of ${agent}: ${ends ? "its shadow ended." : "its share changed."}`);
          onClose();
        },
      },
    );
  };
  return (
    <FormDialog
      title={ends ? "End the shadow" : "Change the shadow's share"}
      word={ends ? "End shadow" : "Change share"}
      kind={ends ? "danger" : "primary"}
      change={change}
      onSubmit={submit}
      onClose={onClose}
    >
      {ends ? (
        <>
          <p>It runs no further tasks; what was compared stays.</p>
          <Field name="reason" label="Why" required maxLength={2000} data-autofocus />
        </>
      ) : (
        <Field
          name="share"
          label="Percent of the live version's tasks"
          type="number"
          min={1}
          max={100}
          step={1}
          required
          defaultValue={before.share}
          data-autofocus
        />
      )}
    </FormDialog>
  );
}
