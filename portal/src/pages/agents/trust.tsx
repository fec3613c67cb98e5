import { readTrust } from "../../api/agents.ts";
import { usePrefetched } from "../../api/queries.ts";
import type { Schema } from "../../api/types.ts";
import { counted, percent, spoken } from "../../lib/words.ts";
import { Badge } from "../../ui/badge.tsx";
import { Card, Facts } from "../../ui/card.tsx";
import { Lines, Reliability } from "../../ui/charts.tsx";
import { EmptyState } from "../../ui/states.tsx";
import { TrustMeter, TrustParts } from "../../ui/trust.tsx";

type Trust = Schema<"AgentTrust">;

/** How far the agent can be trusted, from what, how well such scores held so far, and what would raise it. */
export function Trust({ agent }: { readonly agent: string }) {
  const { data: trust } = usePrefetched(readTrust(agent), { every: 15_000 });
  return (
    <div className="grid items-start gap-4 lg:grid-cols-2">
      <Card title={`Version ${trust.version}`} aside={trust.live ? <Badge tone="good">works here</Badge> : undefined}>
        <div className="grid gap-2">
          <TrustMeter {...trust} large />
          <p className="text-sm text-muted">
            How probable it is that a reviewer would accept an outcome. In 80 of 100 cases the true share lies in the band.
          </p>
        </div>
      </Card>
      <Calibration trust={trust} />
      {trust.skills.map((skill) => (
        <Card key={skill.skill} title={skill.skill}>
          <div className="grid gap-4">
            <TrustMeter score={skill.score} low={skill.low} high={skill.high} large />
            <TrustParts parts={Object.fromEntries(skill.parts.map(({ name, value }) => [name, value]))} />
            <Evidence evidence={skill.evidence} />
            <Raise raise={skill.raise} />
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

function Calibration({ trust: { reliability, calibration } }: { readonly trust: Trust }) {
  return (
    <Card title="How well such scores held">
      {reliability.n === 0 ? (
        <EmptyState title="No outcome is known yet">
          Say of tasks whether they were right: then it shows whether a score of 80 % means 80 of 100.
        </EmptyState>
      ) : (
        <div className="grid gap-3">
          <Reliability bins={reliability.bins} label="What was said against what happened" />
          <Facts
            facts={[
              ["Outcomes", counted(reliability.n, "task")],
              reliability.ece !== null && ["Off by", `${percent(reliability.ece)} on average`],
              reliability.brier !== null && ["Brier score", reliability.brier.toFixed(3)],
            ]}
          />
        </div>
      )}
      <p className="mt-3 text-sm text-muted">{calibration.reason}</p>
    </Card>
  );
}

function Evidence({ evidence }: { readonly evidence: Trust["skills"][number]["evidence"] }) {
  const seen = evidence.filter(({ items }) => items > 0);
  if (seen.length === 0) return null;
  return (
    <ul className="grid gap-1 text-sm" aria-label="Evidence">
      {seen.map(({ channel, items, successes, failures }) => (
        <li key={channel} className="flex justify-between gap-3">
          <span>{spoken(channel)}</span>
          <span className="text-muted tabular-nums">
            {items} outcomes: {successes.toFixed(1)} for, {failures.toFixed(1)} against
          </span>
        </li>
      ))}
    </ul>
  );
}

function Raise({ raise }: { readonly raise: Trust["skills"][number]["raise"] }) {
  if (raise.length === 0) return null;
  return (
    <div className="grid gap-1.5 text-sm">
      <p className="font-medium">What would raise it</p>
      <ul className="grid gap-1">
        {raise.slice(0, 3).map((one) => (
          <li key={`${one.kind} ${one.name}`} className="flex justify-between gap-3 text-muted">
            <span>{one.detail}</span>
            <span className="whitespace-nowrap text-good">+{percent(one.gain)}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
