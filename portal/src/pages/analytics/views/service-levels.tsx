import { readServiceLevels } from "../../../api/analytics.ts";
import type { Figure } from "../../../api/figures.ts";
import { usePrefetched } from "../../../api/queries.ts";
import type { Schema } from "../../../api/types.ts";
import { spanText } from "../../../lib/window-request.ts";
import { percent, spoken } from "../../../lib/words.ts";
import { Card } from "../../../ui/card.tsx";
import { type Column, Table } from "../../../ui/table.tsx";
import { Behind } from "../behind.tsx";
import { FigureTile } from "../figure.tsx";
import { Trend } from "../trend.tsx";
import type { ViewProps } from "../view.ts";
import { measureText } from "../words.ts";

type Levels = Schema<"ServiceLevels">["all"];
type Team = Schema<"ServiceLevels">["teams"][number];
type Name = "handovers" | "waiting" | "waiting_p50" | "waiting_p90" | "first_answer_p50" | "first_answer_p90";

/** How soon people take conversations over and answer, by team; each figure leads to its conversations. */
export function ServiceLevelsView({ search }: ViewProps) {
  const { data } = usePrefetched(readServiceLevels(search), { every: 30_000 });
  const { all, series, teams } = data;
  return (
    <>
      <p className="text-sm text-muted">
        Conversations handed to people {spanText(data.from, data.to, data.time_zone)} ({data.time_zone}). Those that
        still wait may change these figures.
      </p>
      <ul aria-label="Figures" className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,11.5rem),1fr))] gap-3">
        {tilesOf(all).map(([name, figure]) => (
          <FigureTile key={name} name={name} figure={figure} series={series} behind="Conversations behind it" />
        ))}
      </ul>
      <div className="grid grid-cols-1 gap-4 lg:grid-cols-2">
        <Trend title="First answer" head={data} points={series} lines={["first_answer_p50", "first_answer_p90"]} />
        <Trend title="Waiting for a person" head={data} points={series} lines={["waiting_p50", "waiting_p90"]} />
        <Trend title="Handed to people" as="bars" head={data} points={series} lines={["handovers"]} />
        <Trend title="Service level breached" head={data} points={series} range={[0, 1]} lines={["breached_rate"]} />
      </div>
      <Card title="Teams" flush>
        {teams.length === 0 ? (
          <p className="px-5 py-6 text-sm text-muted">No conversation was handed to people in this window.</p>
        ) : (
          <Table label="Teams" columns={columns} rows={teams} rowKey={({ team }) => team ?? "-"} />
        )}
      </Card>
      <p className="text-xs text-muted">
        Times are counted by the clock, service levels in opening hours. Lists leave out conversations that were erased,
        and show one that was handed over twice once.
      </p>
    </>
  );
}

function tilesOf(levels: Levels): readonly (readonly [string, Figure])[] {
  const { links, taken, answered, with_target } = levels;
  const figure = (value: number | null, n: number, link: string): Figure => ({
    value,
    low: null,
    high: null,
    n,
    previous: null,
    link,
  });
  return [
    ["handovers", figure(levels.handovers, levels.handovers, links.handovers)],
    ["waiting", figure(levels.waiting, levels.handovers, links.waiting)],
    ["waiting_p50", figure(levels.waiting_p50, taken, links.taken)],
    ["waiting_p90", figure(levels.waiting_p90, taken, links.taken)],
    ["first_answer_p50", figure(levels.first_answer_p50, answered, links.answered)],
    ["first_answer_p90", figure(levels.first_answer_p90, answered, links.answered)],
    ["breached_rate", figure(levels.breached_rate, with_target, links.breached)],
  ];
}

const text = (levels: Levels, name: Name): string => {
  const value = levels[name];
  return value === null ? "–" : measureText(name, value);
};
const linked = (link: keyof Levels["links"], names: readonly Name[]) => (team: Team) => (
  <Behind link={team.links[link]} label="Conversations behind it">
    {names.map((name) => text(team, name)).join(" / ")}
  </Behind>
);

const columns: readonly Column<Team>[] = [
  { name: "Team", cell: ({ team }) => <span className="font-medium">{team ?? "no team"}</span> },
  { name: "Handed over", right: true, cell: linked("handovers", ["handovers"]) },
  { name: "Waiting now", right: true, cell: linked("waiting", ["waiting"]) },
  { name: "Waiting, median / p90", right: true, cell: linked("taken", ["waiting_p50", "waiting_p90"]) },
  {
    name: "First answer, median / p90",
    right: true,
    cell: linked("answered", ["first_answer_p50", "first_answer_p90"]),
  },
  {
    name: "Breached",
    right: true,
    cell: ({ links, breached, breached_rate }) => (
      <Behind link={links.breached} label="Conversations behind it">
        {breached_rate === null ? "no level" : `${breached} (${percent(breached_rate)})`}
      </Behind>
    ),
  },
  {
    name: "Why",
    wideOnly: true,
    cell: ({ causes }) => (
      <span className="text-muted">
        {Object.entries(causes)
          .toSorted(([, a], [, b]) => b - a)
          .map(([cause, count]) => `${spoken(cause).toLowerCase()} ${count}`)
          .join(", ")}
      </span>
    ),
  },
];
