import { readTrust } from "../../api/agents.ts";
import { useLive } from "../../api/queries.ts";
import { Card } from "../../ui/card.tsx";
import { Skeleton } from "../../ui/states.tsx";
import type { Detail } from "./words.ts";

/** What the trust in this skill of this version rests on: judged cases, by how they came about, and what they cannot show. */
export function Evidence({ approval: { agent, skill, version } }: { readonly approval: Detail }) {
  const { data, error } = useLive(readTrust(agent, version));
  const of = data?.skills.find((each) => each.skill === skill);
  if (error !== null || (data !== undefined && of === undefined)) return null;
  return (
    <Card title="Evidence" aside={<span className="text-xs text-muted">basis of the trust score</span>}>
      {of === undefined ? <Skeleton lines={3} /> : <Labels labels={of.labels} limits={of.limits} />}
    </Card>
  );
}

function Labels({
  labels,
  limits,
}: {
  readonly labels: { readonly evaluation: number; readonly random: number; readonly volunteered: number };
  readonly limits: readonly string[];
}) {
  const all = [
    ["Evaluated items", labels.evaluation],
    ["Random reviews", labels.random],
    ["Volunteered feedback and failed runs", labels.volunteered],
  ] as const;
  return (
    <div className="grid gap-3 text-sm">
      <ul className="grid gap-1">
        {all
          .filter(([, n]) => n > 0)
          .map(([name, n]) => (
            <li key={name} className="flex justify-between gap-3">
              <span>{name}</span>
              <span className="text-muted tabular-nums">{n.toLocaleString("en")}</span>
            </li>
          ))}
      </ul>
      {limits.map((limit) => (
        <p key={limit} className="text-muted">
          {limit}
        </p>
      ))}
    </div>
  );
}
