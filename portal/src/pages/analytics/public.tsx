import { Link } from "@tanstack/react-router";
import { listAgents } from "../../api/agents.ts";
import { readCosts, readOverview, readQuality } from "../../api/analytics.ts";
import { listPolicies } from "../../api/governance.ts";
import { useLive } from "../../api/queries.ts";
import { useMay } from "../../api/rights.ts";
import type { Range } from "../../lib/window.ts";
import { bounds } from "../../lib/window-request.ts";
import { usd } from "../../lib/words.ts";
import { Card } from "../../ui/card.tsx";
import { Chips } from "../../ui/field.tsx";
import { ErrorState, Skeleton } from "../../ui/states.tsx";
import { RelativeTime } from "../../ui/time.tsx";
import { DriftList, marksOf } from "./drift.tsx";
import { Figures } from "./figure.tsx";
import { HeadLine } from "./frame.tsx";
import { Trend } from "./trend.tsx";
import { Watch } from "./views/overview.tsx";

interface HomeFiguresProps {
  readonly range: HomeRange;
  readonly onRange: (range: HomeRange) => void;
}
export type HomeRange = "24h" | "7d" | "30d";
const choices: readonly (readonly [HomeRange, string])[] = [
  ["24h", "24 hours"],
  ["7d", "7 days"],
  ["30d", "30 days"],
];

/** What a manager looks at every day: figures with what they were before, cost with forecast, quality with drift, what warns and what changed. */
export function HomeFigures({ range, onRange }: HomeFiguresProps) {
  const { data, error } = useLive(readOverview({ range }), { every: 20_000 });
  return (
    <section aria-labelledby="figures" className="grid grid-cols-1 gap-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 id="figures" className="text-lg font-semibold tracking-tight">
          <Link to="/analytics/$view" params={{ view: "overview" }} search={{ range }} className="hover:underline">
            Figures
          </Link>
        </h2>
        <Chips
          label="Window of figures"
          options={choices}
          chosen={[range]}
          onChange={(next) => onRange((next.find((one) => one !== range) as HomeRange | undefined) ?? range)}
        />
      </div>
      {data === undefined ? (
        <Waiting error={error} />
      ) : (
        <>
          <HeadLine head={data} />
          <Watch overview={data} />
          <Figures figures={data.figures} series={data.series} />
        </>
      )}
      <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-2">
        <QualityCard range={range} />
        <CostCard range={range} />
      </div>
      <Changes range={range} />
    </section>
  );
}

const Waiting = ({ error }: { readonly error: unknown }) =>
  error ? <ErrorState error={error} /> : <Skeleton lines={4} className="h-12" />;

const all = (view: "quality" | "costs", range: Range) => (
  <Link
    to="/analytics/$view"
    params={{ view }}
    search={{ range }}
    className="text-sm font-medium text-accent underline-offset-2 hover:underline"
  >
    All of {view === "quality" ? "quality" : "costs"}
  </Link>
);

function QualityCard({ range }: { readonly range: Range }) {
  const { data, error } = useLive(readQuality({ range }), { every: 60_000 });
  if (data === undefined) return <Waiting error={error} />;
  return (
    <div className="grid gap-4">
      <Trend
        title="Quality"
        head={data}
        points={data.series}
        range={[0, 1]}
        lines={["accepted_rate", "success_rate", "trust_mean"]}
        marks={marksOf(data.drift.marks)}
      />
      {data.drift.marks.length === 0 ? null : (
        <Card title="Drift" aside={all("quality", range)}>
          <DriftList drift={data.drift} />
        </Card>
      )}
    </div>
  );
}

function CostCard({ range }: { readonly range: Range }) {
  const { data, error } = useLive(readCosts({ range }, "agent"), { every: 60_000 });
  if (data === undefined) return <Waiting error={error} />;
  const { total, spent_usd, explanation } = data.forecast;
  return (
    <div className="grid gap-4">
      <Trend title="Cost" as="bars" head={data} points={data.series} lines={["cost_usd"]} />
      <Card title="This month" aside={all("costs", range)}>
        <p className="flex flex-wrap items-baseline gap-x-3">
          <span className="text-2xl font-semibold tracking-tight">{usd(spent_usd)}</span>
          <span className="text-sm text-muted">so far</span>
        </p>
        <p className="mt-1 text-sm">
          {total === null ? (
            <span className="text-muted">{explanation}</span>
          ) : (
            <>
              <strong className="font-semibold">{usd(total.value)}</strong> expected at its end{" "}
              <span className="text-muted">
                (80 %: {usd(total.low_80)} to {usd(total.high_80)})
              </span>
            </>
          )}
        </p>
      </Card>
    </div>
  );
}

interface Change {
  readonly at: string;
  readonly text: string;
  readonly agent?: string;
  readonly policy?: string;
}

/** Deployments and policies of the window, newest first. */
function Changes({ range }: { readonly range: Range }) {
  const [agents, policies] = [useMay("agents:read"), useMay("governance:read")];
  const deployed = useLive(listAgents({ limit: 100 }), { every: 60_000, when: agents });
  const active = useLive(listPolicies({ limit: 50, state: ["active", "shadow", "retired"] }), {
    every: 60_000,
    when: policies,
  });
  const [from] = bounds({ range }, Date.now());
  const changes: Change[] = [
    ...(deployed.data?.data ?? []).flatMap(({ agent, deployment, paused }) => [
      ...(deployment
        ? [{ at: deployment.since, agent, text: `Version ${deployment.version} of ${agent} went live` }]
        : []),
      ...(paused ? [{ at: paused.since, agent, text: `${agent} was paused: ${paused.reason}` }] : []),
    ]),
    ...(active.data?.data ?? []).flatMap(({ policy_id: policy, name, activated_at, retired_at, state }) => [
      ...(activated_at && state !== "retired"
        ? [{ at: activated_at, policy, text: `Policy "${name}" took force` }]
        : []),
      ...(retired_at ? [{ at: retired_at, policy, text: `Policy "${name}" was retired` }] : []),
    ]),
  ]
    .filter(({ at }) => Date.parse(at) >= from)
    .sort((one, other) => other.at.localeCompare(one.at));
  return (
    <Card title="What changed" flush>
      {changes.length === 0 ? (
        <p className="px-4 py-6 text-sm text-muted sm:px-5">No deployments and no changed policies in this window.</p>
      ) : (
        <ul className="divide-y divide-line">
          {changes.slice(0, 8).map((change) => (
            <li
              key={`${change.at} ${change.text}`}
              className="flex flex-wrap justify-between gap-x-4 px-4 py-3 text-sm sm:px-5"
            >
              <ChangeLink {...change} />
              <RelativeTime time={change.at} className="text-muted" />
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

function ChangeLink({ text, agent, policy }: Change) {
  if (agent !== undefined)
    return (
      <Link to="/agents/$agent" params={{ agent }} className="hover:underline">
        {text}
      </Link>
    );
  return (
    <Link to="/policies/$policy" params={{ policy: policy ?? "" }} className="hover:underline">
      {text}
    </Link>
  );
}
