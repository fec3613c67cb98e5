import { Link } from "@tanstack/react-router";
import { readDependents, readHealth } from "../../api/agent-life.ts";
import { useLive } from "../../api/queries.ts";
import type { Schema } from "../../api/types.ts";
import { counted, spoken } from "../../lib/words.ts";
import { Badge, StatusBadge, type Tone } from "../../ui/badge.tsx";
import { Card } from "../../ui/card.tsx";
import { ErrorState, Skeleton } from "../../ui/states.tsx";

type Check = Schema<"AgentHealth">["checks"][number];

const states: Readonly<Record<Schema<"AgentHealth">["state"], readonly [tone: Tone, word: string]>> = {
  ready: ["good", "Ready"],
  degraded: ["warn", "Needs attention"],
  not_ready: ["bad", "Not ready"],
};
const order: Readonly<Record<Check["state"], number>> = { failed: 0, warning: 1, ok: 2 };

/** Whether the agent can work here: what is wrong first, with what to do. */
export function Health({ agent }: { readonly agent: string }) {
  const { data, error } = useLive(readHealth(agent), { every: 30_000 });
  if (!data) return <Card title="Health">{error ? <ErrorState error={error} /> : <Skeleton lines={4} />}</Card>;
  const [tone, word] = states[data.state];
  const checks = [...data.checks].sort((one, other) => order[one.state] - order[other.state]);
  const wrong = checks.filter(({ state }) => state !== "ok");
  const fine = checks.filter(({ state }) => state === "ok");
  return (
    <Card title="Health" aside={<Badge tone={tone}>{word}</Badge>}>
      <div className="grid gap-3 text-sm">
        {wrong.length > 0 ? (
          <ul className="grid gap-3">
            {wrong.map((check) => (
              <Wrong key={`${check.check} ${check.subject} ${check.detail}`} check={check} />
            ))}
          </ul>
        ) : null}
        {fine.length > 0 ? (
          <details open={wrong.length === 0} className="min-w-0">
            <summary className="w-fit rounded py-1 text-muted hover:text-ink">
              {counted(fine.length, "check")} passed
            </summary>
            <ul className="mt-1.5 grid gap-1.5 text-muted">
              {fine.map(({ check, subject, detail }) => (
                <li key={`${check} ${subject} ${detail}`} className="break-words">
                  {detail}
                </li>
              ))}
            </ul>
          </details>
        ) : null}
      </div>
    </Card>
  );
}

function Wrong({ check: { check, state, detail, remedy } }: { readonly check: Check }) {
  return (
    <li className="grid gap-1">
      <span className="flex items-center justify-between gap-3 font-medium">
        {spoken(check)} <Badge tone={state === "failed" ? "bad" : "warn"}>{state}</Badge>
      </span>
      <span className="wrap-anywhere">{detail}</span>
      {remedy ? <span className="wrap-anywhere text-muted">{remedy}</span> : null}
    </li>
  );
}

/** What uses the agent, as far as the key may see it. */
export function Dependents({ agent }: { readonly agent: string }) {
  const { data, error } = useLive(readDependents(agent), { every: 60_000 });
  if (!data) return <Card title="Used by">{error ? <ErrorState error={error} /> : <Skeleton lines={3} />}</Card>;
  const { dependents, unseen, more } = data;
  return (
    <Card title="Used by" aside={dependents.length > 0 ? <Badge>{String(dependents.length)}</Badge> : null}>
      <div className="grid gap-3 text-sm">
        {dependents.length === 0 ? (
          <p className="text-muted">Nothing uses it in this environment.</p>
        ) : (
          <ul className="grid gap-2">
            {dependents.map((one) => (
              <li key={`${one.kind} ${one.id}`} className="flex items-start justify-between gap-3">
                <span className="min-w-0 break-words">
                  <span className="text-muted">{spoken(one.kind)}</span> <DependentLink of={one} />
                </span>
                <StatusBadge status={one.state} />
              </li>
            ))}
          </ul>
        )}
        {more ? <p className="text-muted">There are more than are shown here.</p> : null}
        {unseen.length > 0 ? <p className="text-muted">You may not read: {unseen.join(", ")}.</p> : null}
      </div>
    </Card>
  );
}

const linked = "underline underline-offset-2 hover:no-underline";

function DependentLink({ of: { kind, id, name } }: { readonly of: Schema<"Dependent"> }) {
  if (kind === "workflow")
    return (
      <Link to="/workflows/$workflow" params={{ workflow: id }} className={linked}>
        {name}
      </Link>
    );
  if (kind === "mission")
    return (
      <Link to="/missions/$mission" params={{ mission: id }} className={linked}>
        {name}
      </Link>
    );
  return <>{name}</>;
}
