import { Link } from "@tanstack/react-router";
import { readOverview } from "../../../api/analytics.ts";
import type { Answer } from "../../../api/client.ts";
import { usePrefetched } from "../../../api/queries.ts";
import { counted } from "../../../lib/words.ts";
import { Badge } from "../../../ui/badge.tsx";
import { Card } from "../../../ui/card.tsx";
import { RelativeTime } from "../../../ui/time.tsx";
import { BlockedBy, withoutSources } from "../blocked-by.tsx";
import { BudgetsCard, CanaryLink } from "../budgets.tsx";
import { Figures } from "../figure.tsx";
import { HeadLine } from "../frame.tsx";
import { Trend } from "../trend.tsx";
import type { ViewProps } from "../view.ts";

type Overview = Answer<"/v1/analytics/overview">;

/** One screen: what was done, how well, what it cost, what waits and what warns. */
export function OverviewView({ search }: ViewProps) {
  const { data } = usePrefetched(readOverview(search), { every: 20_000 });
  return (
    <>
      <HeadLine head={data} />
      <Now now={data.now} />
      <Figures figures={data.figures} series={data.series} names={withoutSources(data.figures)} />
      <BlockedBy figures={data.figures} />
      <Watch overview={data} />
      <div className="grid grid-cols-1 gap-4 lg:grid-cols-2">
        <Trend
          title="Tasks"
          as="bars"
          head={data}
          points={data.series}
          lines={[
            { member: "completed", name: "Completed", tone: "accent" },
            { member: "failed", name: "Failed", tone: "bad" },
          ]}
        />
        <Trend
          title="Quality"
          head={data}
          points={data.series}
          range={[0, 1]}
          lines={["success_rate", "accepted_rate", "trust_mean"]}
        />
      </div>
    </>
  );
}

/** What is open at this moment, each with the list that shows it. */
export function Now({ now }: { readonly now: Overview["now"] }) {
  const upTo = (count: number): string => (count >= now.counted_to ? `${count.toLocaleString("en")}+` : String(count));
  const parts = [
    ["/approvals", undefined, now.approvals, now.approvals === 1 ? "approval waits" : "approvals wait"],
    ["/tasks", "input_required", now.questions, now.questions === 1 ? "question waits" : "questions wait"],
    ["/tasks", "running", now.running, "running"],
    ["/tasks", "queued", now.queued, "queued"],
  ] as const;
  const seen = parts.flatMap(([to, status, count, words]) => (count === null ? [] : [{ to, status, count, words }]));
  return (
    <ul aria-label="Now" className="flex flex-wrap gap-x-5 gap-y-2 text-sm">
      {seen.map(({ to, status, count, words }) => (
        <li key={words}>
          <Link to={to} search={status === undefined ? {} : { status }} className="text-muted hover:underline">
            <strong className="font-semibold text-ink tabular-nums">{upTo(count)}</strong> {words}
          </Link>
        </li>
      ))}
      {now.oldest_approval_at === null ? null : (
        <li className="text-muted">
          the oldest approval since <RelativeTime time={now.oldest_approval_at} />
        </li>
      )}
    </ul>
  );
}

/** What has to be watched: canaries, alerts, budgets near their limit. Nothing where there is none. */
export function Watch({ overview }: { readonly overview: Overview }) {
  const { alerts, budgets } = overview;
  const canaries = overview.canaries ?? [];
  if (canaries.length + alerts.length + budgets.length === 0) return null;
  return (
    <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-2">
      {alerts.length === 0 ? null : (
        <Card title="Alerts" aside={<Badge tone="bad">{counted(alerts.length, "alert")} firing</Badge>}>
          <ul className="grid gap-2 text-sm">
            {alerts.map(({ alert, name, since }) => (
              <li key={alert} className="flex flex-wrap justify-between gap-x-4">
                <Link to="/analytics/$view" params={{ view: "alerts" }} className="font-medium hover:underline">
                  {name}
                </Link>
                <RelativeTime time={since} className="text-muted" />
              </li>
            ))}
          </ul>
        </Card>
      )}
      {canaries.length === 0 ? null : (
        <Card
          title="Canaries"
          aside={<Badge tone="info">{counted(canaries.length, "canary", "canaries")} running</Badge>}
        >
          <ul className="grid gap-2 text-sm">
            {canaries.map(({ deployment, agent, version, share, since }) => (
              <li key={deployment} className="flex flex-wrap justify-between gap-x-4">
                <CanaryLink agent={agent}>
                  {agent}, version {version}
                </CanaryLink>
                <span className="text-muted">
                  {share === null ? "" : `${share} % of new tasks, `}
                  <RelativeTime time={since} />
                </span>
              </li>
            ))}
          </ul>
        </Card>
      )}
      <BudgetsCard budgets={budgets} />
    </div>
  );
}
