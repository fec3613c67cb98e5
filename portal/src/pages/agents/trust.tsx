import { readTrust } from "../../api/agents.ts";
import { useLive } from "../../api/queries.ts";
import type { Schema } from "../../api/types.ts";
import { counted, percent } from "../../lib/words.ts";
import { Badge } from "../../ui/badge.tsx";
import { Card, Facts } from "../../ui/card.tsx";
import { Lines, Reliability } from "../../ui/charts.tsx";
import { EmptyState, Skeleton } from "../../ui/states.tsx";
import { TrustMeter, TrustParts } from "../../ui/trust.tsx";

type Trust = Schema<"AgentTrust">;

/** How far the agent can be trusted, from what, how well such scores held so far, and what would raise it. */
export function Trust({ agent }: { readonly agent: string }) {
  const { data: trust } = useLive(readTrust(agent), { every: 15_000 });
  if (!trust) return <Skeleton lines={6} />;
  return (
    <div className="grid items-start gap-4 lg:grid-cols-2">
      <Card title={`Version ${trust.version}`} aside={trust.live ? <Badge tone="good">live</Badge> : undefined}>
        <div className="grid gap-2">
          <TrustMeter {...trust} large />
          <p className="text-sm text-muted">
            The probability that a reviewer would accept an outcome. In 80 of 100 cases the true share lies in the band.
          </p>
        </div>
      </Card>
      <Held trust={trust} />
      {trust.skills.map((skill) => (
        <Card key={skill.skill} title={skill.skill}>
          <div className="grid gap-4">
            <TrustMeter score={skill.score} low={skill.low} high={skill.high} large />
            <TrustParts parts={Object.fromEntries(skill.parts.map(({ name, value }) => [name, value]))} />
            <Labels labels={skill.labels} />
            <Raise raise={skill.improvements} />
            <Limits limits={skill.limits} />
          </div>
        </Card>
      ))}
      <Card title="Over time">
        {trust.history.length < 2 ? (
          <p className="text-sm text-muted">From the second day on, the score of each day stands here.</p>
        ) : (
          <Lines
            label="Trust by day"
            points={trust.history}
            x="date"
            lines={[{ member: "score", name: "trust" }]}
            band={["low", "high"]}
            range={[0, 1]}
            format={percent}
          />
        )}
      </Card>
    </div>
  );
}

function Held({ trust: { reliability } }: { readonly trust: Trust }) {
  const { n, of, ece, brier, bins, random_share } = reliability;
  return (
    <Card title="Calibration">
      {n === 0 ? (
        <EmptyState title="No judged outcomes yet">
          Run an evaluation or submit feedback on tasks to see whether a score of 80 % means 80 of 100.
        </EmptyState>
      ) : (
        <div className="grid gap-3">
          <Reliability bins={bins} label="Scores against the share of accepted outcomes" />
          <Facts
            facts={[
              ["Judged cases", counted(n, "case")],
              ece !== null && ["Mean error", `${percent(ece)} on average`],
              brier !== null && ["Brier score", brier.toFixed(3)],
              random_share !== null && ["Drawn at random", `${percent(random_share)} of the judged tasks`],
            ]}
          />
        </div>
      )}
      {n > 0 && of === "all" ? (
        <p className="mt-3 text-sm text-muted">
          People mostly judge what looks wrong, so scores look too high against such labels. Evaluations and random
          reviews show more.
        </p>
      ) : null}
    </Card>
  );
}

function Labels({ labels }: { readonly labels: Trust["skills"][number]["labels"] }) {
  const all = [
    ["Evaluated items", labels.evaluation],
    ["Random reviews", labels.random],
    ["Volunteered feedback and failed runs", labels.volunteered],
  ] as const;
  const given = all.filter(([, n]) => n > 0);
  if (given.length === 0) return null;
  return (
    <ul className="grid gap-1 text-sm" aria-label="Labels">
      {given.map(([name, n]) => (
        <li key={name} className="flex justify-between gap-3">
          <span>{name}</span>
          <span className="text-muted tabular-nums">{n.toLocaleString("en")}</span>
        </li>
      ))}
    </ul>
  );
}

function Limits({ limits }: { readonly limits: readonly string[] }) {
  if (limits.length === 0) return null;
  return (
    <div className="grid gap-1.5 text-sm">
      <p className="font-medium">What it cannot show</p>
      <ul className="grid gap-1 text-muted">
        {limits.map((limit) => (
          <li key={limit}>{limit}</li>
        ))}
      </ul>
    </div>
  );
}

function Raise({ raise }: { readonly raise: Trust["skills"][number]["improvements"] }) {
  if (raise.length === 0) return null;
  return (
    <div className="grid gap-1.5 text-sm">
      <p className="font-medium">What would raise it</p>
      <ul className="grid gap-1">
        {raise.slice(0, 3).map((one) => (
          <li key={`${one.kind} ${one.name}`} className="flex justify-between gap-3 text-muted">
            <span>{one.detail}</span>
            <span className="whitespace-nowrap text-good">
              {one.gain > 0 ? `+${percent(one.gain)}` : `at least ${percent(one.low)}`}
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}
