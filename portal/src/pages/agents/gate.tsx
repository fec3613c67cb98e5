import { readGate } from "../../api/agents.ts";
import { usePrefetched } from "../../api/queries.ts";
import type { Schema } from "../../api/types.ts";
import { counted } from "../../lib/words.ts";
import { StatusBadge } from "../../ui/badge.tsx";
import { Card } from "../../ui/card.tsx";
import { RelativeTime } from "../../ui/time.tsx";

type OfVersion = Schema<"GateOfVersion">;

const follows: Readonly<Record<Schema<"GateConsequence">, string>> = {
  allow: "it may act",
  require_approval: "approval is required before it acts",
  deny: "it may not act",
};

const verdictWords: Readonly<Record<OfVersion["state"], string>> = {
  open: "open",
  failed: "failed",
  inconclusive: "inconclusive",
  expired: "expired",
  missing: "not evaluated here",
};

/** What the gate says of the version that is at work, and of the newest one if that is another: what it has seen, and what would decide it. */
export function Gate({ agent }: { readonly agent: string }) {
  const { data: gate } = usePrefetched(readGate(agent), { every: 15_000 });
  const live = gate.versions.find(({ deployed }) => deployed);
  if (live === undefined) return null;
  const newest = gate.versions.reduce((one, other) => (other.version > one.version ? other : one), live);
  const behind = [
    ...(gate.rules?.datasets ?? []).map((pin) => ({ ...pin, kind: "dataset" })),
    ...(gate.rules?.scorers ?? []).map((pin) => ({ ...pin, kind: "scorer", name: pin.scorer })),
  ].filter(({ version, latest_version }) => latest_version > version);
  return (
    <Card title="Evaluation gate" aside={<StatusBadge status={live.state} />}>
      <div className="grid gap-4 text-sm">
        <Verdict version={live} />
        {newest.version > live.version ? <Verdict version={newest} /> : null}
        {behind.map(({ kind, name, version, latest_version }) => (
          <p key={`${kind} ${name}`} className="text-muted">
            Uses version {version} of the {kind} {name}; the latest is {latest_version}. Set the gate again in this
            environment to use it.
          </p>
        ))}
      </div>
    </Card>
  );
}

function Verdict({
  version: { version, deployed, consequence, state, reasons, expires_at, decision },
}: {
  readonly version: OfVersion;
}) {
  return (
    <div className="grid gap-2">
      <p>
        Version {version}
        {deployed ? "" : `, not deployed (${verdictWords[state]})`}: {follows[consequence]}.
      </p>
      {reasons.map((reason) => (
        <p key={reason} className="text-muted">
          {reason}
        </p>
      ))}
      {decision && decision.looks.length > 0 ? <Looks decision={decision} /> : null}
      {expires_at ? (
        <p className="text-muted">
          The verdict expires <RelativeTime time={expires_at} />.
        </p>
      ) : null}
    </div>
  );
}

const shownP = (p: number): string => (p < 0.001 ? "< .001" : p.toFixed(3).replace(/^0/, ""));

function Looks({
  decision: { looks, next, verdict, items_to_settle },
}: {
  readonly decision: NonNullable<OfVersion["decision"]>;
}) {
  return (
    <>
      <table className="w-full text-left text-xs tabular-nums">
        <caption className="pb-1 text-left text-muted">
          All runs of the version count as one test. Looks so far:
        </caption>
        <thead className="text-muted">
          <tr>
            <th className="py-1 pr-3 font-medium">Repeats</th>
            <th className="py-1 pr-3 font-medium">Worse: p (fails at)</th>
            <th className="py-1 pr-3 font-medium">Holds: p (opens at)</th>
            <th className="py-1 font-medium">Verdict</th>
          </tr>
        </thead>
        <tbody>
          {looks.map(({ look, repeats, p_worse, p_holds, levels, verdict }) => (
            <tr key={look} className="border-t border-line">
              <td className="py-1">{repeats}</td>
              <td className="py-1">
                {shownP(p_worse)} <span className="text-muted">({shownP(levels.fail)})</span>
              </td>
              <td className="py-1">
                {shownP(p_holds)} <span className="text-muted">({shownP(levels.open)})</span>
              </td>
              <td className="py-1">{verdict}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {verdict === "inconclusive" ? <p className="text-muted">{settles(next, items_to_settle)}</p> : null}
    </>
  );
}

function settles(next: Schema<"GateDecision">["next"], items: number | null): string {
  const rerun = next
    ? `The next look comes at ${counted(next.repeats, "repeat")} of each item.`
    : "Repeats agree, so another run adds no evidence.";
  const size =
    items === null
      ? "At the current results, no number of further items would settle it."
      : `About ${counted(items, "item")} would settle it.`;
  return `${rerun} ${size}`;
}
