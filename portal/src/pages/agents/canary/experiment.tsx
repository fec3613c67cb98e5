import { readExperiment } from "../../../api/analytics.ts";
import { useLive } from "../../../api/queries.ts";
import type { Schema } from "../../../api/types.ts";
import { when } from "../../../lib/time.ts";
import { counted, duration, percent, usd } from "../../../lib/words.ts";
import { Badge } from "../../../ui/badge.tsx";
import { Card } from "../../../ui/card.tsx";
import { Lines } from "../../../ui/charts.tsx";
import { type Interval, Intervals } from "../../../ui/intervals.tsx";
import { Progress } from "../../../ui/progress.tsx";
import { ErrorState, Notice, Skeleton } from "../../../ui/states.tsx";

type Experiment = Schema<"Experiment">;
type Arm = Experiment["arms"]["canary"];
type Look = Experiment["looks"][number];

/** Both sides of a canary with their intervals, the looks with their bounds, and what that will lead to. */
export function ExperimentView({ deployment, every }: { readonly deployment: string; readonly every: number | false }) {
  const { data, error } = useLive(readExperiment(deployment), { every });
  if (data === undefined) return error ? <ErrorState error={error} /> : <Skeleton lines={6} />;
  return (
    <div className="grid gap-4">
      {data.held === null ? null : <Notice tone="warn">The live version takes all new tasks. {data.held}</Notice>}
      <Outlook experiment={data} />
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <Card title="Accepted, of judged tasks">
          <Shares experiment={data} of="accepted" />
        </Card>
        <Card title="Did not fail, of ended tasks">
          <Shares experiment={data} of="succeeded" />
        </Card>
      </div>
      <Looks experiment={data} />
      <ArmsCard arms={data.arms} />
      {data.notes.length === 0 ? null : (
        <ul className="grid gap-1 text-sm text-muted">
          {data.notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      )}
    </div>
  );
}

const leads: Readonly<
  Record<Experiment["outlook"]["leads_to"], readonly [string, "good" | "bad" | "warn" | "neutral"]>
> = {
  promotion: ["heading for promotion", "good"],
  abort: ["heading for an abort", "bad"],
  decision: ["for a person to decide", "warn"],
  limit: ["heading for its limit", "warn"],
  ended: ["ended", "neutral"],
};

function Outlook({ experiment: { outlook, judged, state } }: { readonly experiment: Experiment }) {
  const [word, tone] = leads[outlook.leads_to];
  const total = outlook.needed === null ? null : judged + outlook.needed;
  if (state !== "canary") return <Notice>{outlook.text}</Notice>;
  return (
    <Card title="What it will lead to" aside={<Badge tone={tone}>{word}</Badge>}>
      <div className="grid gap-2 text-sm">
        <p>{outlook.text}</p>
        {total === null || total === 0 ? null : (
          <Progress value={judged / total} label={`${judged} of about ${total} judged tasks of the canary`} />
        )}
        <p className="text-xs text-muted">
          {counted(judged, "task")} of the canary judged or failed
          {outlook.next_look === null ? "" : `; the next look comes at ${outlook.next_look.toLocaleString("en")}`}.
        </p>
      </div>
    </Card>
  );
}

interface SharesProps {
  readonly experiment: Experiment;
  readonly of: "accepted" | "succeeded";
}

function Shares({ experiment: { arms, rule }, of }: SharesProps) {
  const row = (arm: Arm, name: string, tone: Interval["tone"] & string): Interval[] => {
    const { value, low, high, n } = arm[of];
    if (value === null || low === null || high === null) return [];
    return [{ key: name, name: `Version ${arm.version}, ${name}`, value, low, high, tone, note: counted(n, "task") }];
  };
  const rows = [...row(arms.stable, "live", "muted"), ...row(arms.canary, "canary", "accent")];
  const stable = arms.stable[of].value;
  if (rows.length === 0) return <p className="text-sm text-muted">Nothing to compare yet.</p>;
  const marks = stable === null ? [] : [{ at: Math.max(0, stable - rule.tolerance), name: "tolerance" }];
  return <Intervals label="Both sides with 95 % intervals" rows={rows} format={percent} range={[0, 1]} marks={marks} />;
}

const points = (difference: number): string => `${difference > 0 ? "+" : ""}${(difference * 100).toFixed(1)}`;

function Looks({ experiment: { looks } }: { readonly experiment: Experiment }) {
  const kinds = [
    ["quality", "Accepted: canary less live"],
    ["failures", "Did not fail: canary less live"],
  ] as const;
  if (looks.length === 0)
    return (
      <Card title="Looks">
        <p className="text-sm text-muted">No look was taken yet: too few tasks of the canary were judged.</p>
      </Card>
    );
  return (
    <div className="grid items-start gap-4 lg:grid-cols-2">
      {kinds.map(([kind, title]) => (
        <Card key={kind} title={title} aside={<span className="text-xs text-muted">points, by judged tasks</span>}>
          <LooksChart looks={looks} kind={kind} title={title} />
          <p className="text-xs text-muted">
            At or below the red line a look aborts; at or above the green line it finds the canary no worse.
          </p>
        </Card>
      ))}
      <Card title="Looks so far" className="lg:col-span-2">
        <ol className="grid gap-3 text-sm">
          {looks.toReversed().map(({ look, at, judged, verdict, text }) => (
            <li key={look} className="grid gap-0.5">
              <p className="flex flex-wrap items-center gap-2">
                <span className="font-medium">Look {look}</span>
                <Badge tone={verdict === "worse" ? "bad" : verdict === "no_worse" ? "good" : "neutral"}>
                  {verdict.replace("_", " ")}
                </Badge>
                <span className="text-muted">
                  {counted(judged, "judged task")}, {when(at)}
                </span>
              </p>
              <p className="text-muted">{text}</p>
            </li>
          ))}
        </ol>
      </Card>
    </div>
  );
}

interface ChartProps {
  readonly looks: readonly Look[];
  readonly kind: "quality" | "failures";
  readonly title: string;
}

function LooksChart({ looks, kind, title }: ChartProps) {
  const rows = looks.flatMap((look) => {
    const found = look[kind];
    if (found === null) return [];
    const { difference, low, high, abort_at, promote_at } = found;
    // Bounds that no difference can reach would only press the picture flat.
    const reached = (bound: number): number | null => (Math.abs(bound) <= 1 ? bound : null);
    return [{ judged: look.judged, difference, low, high, abort: reached(abort_at), promote: reached(promote_at) }];
  });
  if (rows.length === 0) return <p className="py-6 text-sm text-muted">Too few tasks were judged on either side.</p>;
  return (
    <Lines
      label={`${title} at each look with 95 % intervals and bounds; the list of looks says the same in words`}
      points={rows}
      x="judged"
      band={["low", "high"]}
      lines={[
        { member: "difference", name: "difference" },
        { member: "abort", name: "aborts at", tone: "bad" },
        { member: "promote", name: "no worse at", tone: "good" },
      ]}
      format={points}
    />
  );
}

const seconds = (value: number | null): string => (value === null ? "–" : duration(value * 1000));
const facts: readonly (readonly [name: string, text: (arm: Arm) => string])[] = [
  ["Tasks", ({ tasks }) => tasks.toLocaleString("en")],
  ["Open", ({ open }) => open.toLocaleString("en")],
  ["Completed", ({ completed }) => completed.toLocaleString("en")],
  ["Failed", ({ failed }) => failed.toLocaleString("en")],
  ["Judged", ({ judged }) => judged.toLocaleString("en")],
  ["Mean trust", ({ trust_mean }) => (trust_mean === null ? "–" : trust_mean.toFixed(2))],
  ["Cost per task", ({ cost_per_task }) => (cost_per_task === null ? "–" : usd(cost_per_task))],
  ["Duration, median", ({ duration_p50 }) => seconds(duration_p50)],
  ["Duration, p90", ({ duration_p90 }) => seconds(duration_p90)],
];

function ArmsCard({ arms }: Pick<Experiment, "arms">) {
  const sides = [
    ["live", arms.stable],
    ["canary", arms.canary],
  ] as const;
  return (
    <Card title="Both sides">
      <table className="w-full text-left text-sm tabular-nums">
        <thead className="text-xs text-muted">
          <tr>
            <td />
            {sides.map(([name, { version }]) => (
              <th key={name} scope="col" className="py-1 pl-3 text-right font-medium">
                Version {version}, {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {facts.map(([name, text]) => (
            <tr key={name} className="border-t border-line">
              <th scope="row" className="py-1.5 font-normal text-muted">
                {name}
              </th>
              {sides.map(([side, arm]) => (
                <td key={side} className="py-1.5 pl-3 text-right">
                  {text(arm)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <p className="mt-2 text-xs text-muted">Only tasks that were drawn for one side or the other.</p>
    </Card>
  );
}
