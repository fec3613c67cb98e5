import { readRisk } from "../../../api/analytics.ts";
import { usePrefetched } from "../../../api/queries.ts";
import type { Schema } from "../../../api/types.ts";
import { Card } from "../../../ui/card.tsx";
import { RelativeTime } from "../../../ui/time.tsx";
import { Behind } from "../behind.tsx";
import { BlockedBy, withoutSources } from "../blocked-by.tsx";
import { BreakdownCard } from "../breakdown.tsx";
import { Figures } from "../figure.tsx";
import { HeadLine } from "../frame.tsx";
import { keyCell } from "../key-cell.tsx";
import { Trend } from "../trend.tsx";
import type { ViewProps } from "../view.ts";

type Exposure = Schema<"RiskFigures">["exposure"];

/** What was blocked, what nearly happened, and what can go wrong now. */
export function RiskView({ search }: ViewProps) {
  const { data } = usePrefetched(readRisk(search), { every: 30_000 });
  const { near_misses: near } = data;
  const misses = [
    [near.rejected, "actions that people rejected or sent back"],
    [near.would_have, "that a policy in shadow would have stopped"],
    [near.warned, "that a policy wanted noticed"],
    [near.approved_wrong, "approved, and judged wrong later"],
  ] as const;
  return (
    <>
      <HeadLine head={data} />
      <ExposureCard exposure={data.exposure} />
      <Figures figures={data.figures} series={data.series} names={withoutSources(data.figures)} />
      <BlockedBy figures={data.figures} />
      <Card title="Near misses">
        <ul className="grid gap-x-8 gap-y-2 text-sm sm:grid-cols-2">
          {misses.map(([count, words]) => (
            <li key={words} className="flex gap-3">
              <span className="min-w-8 text-right font-semibold tabular-nums">{count.toLocaleString("en")}</span>
              <span className="text-muted">{words}</span>
            </li>
          ))}
        </ul>
      </Card>
      <Trend
        title="Blocks and violations"
        as="lines"
        head={data}
        points={data.series}
        lines={[
          { member: "violations", name: "Violations", tone: "warn" },
          { member: "policy_denials", name: "Blocked by policies", tone: "bad" },
          { member: "pause_blocks", name: "Blocked by pauses", tone: "muted" },
        ]}
      />
      <BreakdownCard title="Reasons" rows={data.reasons} keyCell={keyCell} empty="No policy had anything to say." />
      <BreakdownCard title="By agent" rows={data.by_agent} keyCell={keyCell} empty="No violations." />
    </>
  );
}

function ExposureCard({ exposure }: { readonly exposure: Exposure }) {
  const { open_high_risk: open, unknown_outcomes, kill_switches, pauses, exceptions } = exposure;
  const held = [
    ["Writes with unknown outcome", unknown_outcomes],
    ["Kill switches engaged", kill_switches],
    ["Agents paused", pauses],
    ["Gates overridden", exceptions],
  ] as const;
  return (
    <Card title="What can go wrong now">
      <ul className="grid gap-4 text-sm sm:grid-cols-2 lg:grid-cols-3">
        <li className="grid content-start gap-1">
          <Count n={open.n} link={open.link} name="Open tasks of high risk" />
          <ul className="grid gap-0.5 text-muted">
            {open.items.slice(0, 5).map(({ name, n, link }) => (
              <li key={name}>
                <Behind link={link}>
                  {name}: {n.toLocaleString("en")}
                </Behind>
              </li>
            ))}
          </ul>
        </li>
        {held.map(([name, { n, link, items }]) => (
          <li key={name} className="grid content-start gap-1">
            <Count n={n} link={link} name={name} />
            <ul className="grid gap-0.5 text-muted">
              {items.slice(0, 5).map(({ id, what, since }) => (
                <li key={id} className="wrap-anywhere">
                  {what.replace(/\.$/, "")}, <RelativeTime time={since} />
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ul>
    </Card>
  );
}

function Count({ n, link, name }: { readonly n: number; readonly link: string | null; readonly name: string }) {
  return (
    <p className="flex items-baseline gap-2">
      <Behind link={n === 0 ? null : link} className={`text-xl font-semibold tabular-nums ${n > 0 ? "text-warn" : ""}`}>
        {n.toLocaleString("en")}
      </Behind>
      <span>{name}</span>
    </p>
  );
}
