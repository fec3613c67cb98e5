import { readGate } from "../../api/agents.ts";
import type { Install } from "../../api/installs.ts";
import { readListing, type Scorecard } from "../../api/marketplace.ts";
import { useLive } from "../../api/queries.ts";
import { useMay } from "../../api/rights.ts";
import type { Schema } from "../../api/types.ts";
import { counted, visible } from "../../lib/words.ts";
import { StatusBadge } from "../../ui/badge.tsx";
import { Card } from "../../ui/card.tsx";
import { type Interval, Intervals } from "../../ui/intervals.tsx";
import { ErrorState, Skeleton } from "../../ui/states.tsx";
import { scoreText } from "./words.ts";

type OfVersion = Schema<"GateOfVersion">;
type Figures = NonNullable<OfVersion["decision"]>["scorers"][number];
type Published = Scorecard["results"][number];

/** What the gate says of the newest version that was measured here, beside what the publisher measured. */
export function InstallGate({ install, agent }: { readonly install: Install; readonly agent: string }) {
  const mayRead = useMay("evaluations:read");
  const gate = useLive(readGate(agent), { every: 5000, when: mayRead });
  const listing = useLive(readListing(install.listing_id, install.version));
  if (!mayRead) return null;
  if (gate.error) return <ErrorState error={gate.error} />;
  if (gate.data === undefined) return <Skeleton lines={5} />;
  if (gate.data.rules === null) return null;
  const judged = measuredVersion(gate.data.versions);
  const results = listing.data?.scorecard?.results ?? [];
  return (
    <Card title="Evaluation gate" aside={<StatusBadge status={judged?.state ?? "missing"} />}>
      {judged?.decision ? (
        <Judged install={install} judged={judged} figures={judged.decision.scorers} results={results} />
      ) : (
        <Unmeasured install={install} results={results} floor={gate.data.rules.floor} />
      )}
    </Card>
  );
}

/** The newest version that has figures. */
const measuredVersion = (versions: readonly OfVersion[]): OfVersion | undefined =>
  versions.filter(({ decision }) => decision !== null).sort((a, b) => b.version - a.version)[0];

const follows = {
  allow: "it may act",
  require_approval: "people approve before it acts",
  deny: "it may not act",
} as const;

interface JudgedProps {
  readonly install: Install;
  readonly judged: OfVersion;
  readonly figures: readonly Figures[];
  readonly results: readonly Published[];
}

function Judged({ install, judged: { version, consequence, reasons }, figures, results }: JudgedProps) {
  return (
    <div className="grid gap-5 text-sm">
      <p>
        Version {version}, measured here: {follows[consequence]}.
      </p>
      {figures.map((one) => (
        <ScorerFigures key={one.scorer} figures={one} published={publishedOf(results, one.scorer, install.suffix)} />
      ))}
      {reasons.length === 0 ? null : (
        <ul aria-label="Reasons" className="grid gap-1.5 text-muted">
          {reasons.map((reason) => (
            <li key={reason}>{visible(reason)}</li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** What the publisher measured by a scorer, which is named with the install's suffix here. */
function publishedOf(results: readonly Published[], scorer: string, suffix: string): Published | undefined {
  const name = suffix !== "" && scorer.endsWith(suffix) ? scorer.slice(0, -suffix.length) : scorer;
  return results.find((one) => one.scorer === name);
}

const intervalOf = (key: string, name: string, of: { mean: number; low: number | null; high: number | null }) => ({
  key,
  name,
  value: of.mean,
  low: of.low ?? of.mean,
  high: of.high ?? of.mean,
});

function ScorerFigures({
  figures: { scorer, items, floor, score },
  published,
}: {
  readonly figures: Figures;
  readonly published: Published | undefined;
}) {
  const rows: Interval[] = [
    ...(published
      ? [
          {
            ...intervalOf("published", "Publisher", published),
            tone: "muted" as const,
            note: itemsText(published.items),
          },
        ]
      : []),
    {
      ...intervalOf("here", "Here", score),
      tone: (score.low ?? score.mean) >= floor ? "good" : "warn",
      note: itemsText(items),
    },
  ];
  const said = published
    ? `measured by the publisher ${scoreText(published.mean)}, here ${scoreText(score.mean)}`
    : `measured here ${scoreText(score.mean)}`;
  return (
    <section aria-label={scorer} className="grid gap-2">
      <p>
        <span className="font-medium">{visible(scorer)}</span>: {said}
      </p>
      <Intervals
        label={`${scorer}, with 95 % intervals`}
        rows={rows}
        format={scoreText}
        range={[0, 1]}
        marks={floor > 0 ? [{ at: floor, name: "floor" }] : []}
      />
    </section>
  );
}

const itemsText = (items: number): string => counted(items, "item");

/** Before anything was measured here: what the publisher measured, on which data. */
function Unmeasured({
  install,
  results,
  floor,
}: {
  readonly install: Install;
  readonly results: readonly Published[];
  readonly floor: number;
}) {
  return (
    <div className="grid gap-4 text-sm">
      <p>
        Nothing was measured here yet.{" "}
        {results.length === 0
          ? `The publisher gives no figures for version ${install.version}.`
          : `The publisher’s figures for version ${install.version}:`}
      </p>
      {results.length === 0 ? null : (
        <Intervals
          label="The publisher's figures"
          rows={results.map((one) => ({
            ...intervalOf(`${one.dataset} ${one.scorer}`, visible(one.scorer), one),
            tone: "muted" as const,
            note: itemsText(one.items),
          }))}
          format={scoreText}
          range={[0, 1]}
          marks={floor > 0 ? [{ at: floor, name: "floor" }] : []}
        />
      )}
    </div>
  );
}
