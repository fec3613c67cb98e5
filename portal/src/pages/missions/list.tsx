import { getRouteApi, Link } from "@tanstack/react-router";
import { Plus } from "lucide-react";
import { useState } from "react";
import type { MissionSummary } from "../../api/missions.ts";
import { usePrefetched } from "../../api/queries.ts";
import { useMay } from "../../api/rights.ts";
import { counted, usd } from "../../lib/words.ts";
import { Badge, StatusBadge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { PageHead } from "../../ui/card.tsx";
import { Chips } from "../../ui/field.tsx";
import { HeldLine } from "../../ui/held.tsx";
import { Pagination } from "../../ui/pagination.tsx";
import { Progress } from "../../ui/progress.tsx";
import { useShortcuts } from "../../ui/shortcuts.ts";
import { EmptyState, NothingFits } from "../../ui/states.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { CreateMission } from "./create.tsx";
import { missionsOf } from "./loaders.ts";
import { SpendBar } from "./spend.tsx";
import { healthWords, measureText, targetText } from "./words.ts";

const route = getRouteApi("/shell/missions");
const views = [
  ["open", "Open", "draft,ready,running,paused,blocked,finished"],
  ["over", "Closed", "completed,cancelled"],
] as const;

/** Goals that agents work on, with progress, spend and health. */
export function MissionsPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { data } = usePrefetched(missionsOf(search), { every: 5000 });
  const [open, setOpen] = useState(false);
  const mayWrite = useMay("missions:write");
  useShortcuts("This page", mayWrite ? [{ keys: "n", label: "New mission", run: () => setOpen(true) }] : []);
  const present = views.find(([, , status]) => status === search.status)?.[0];
  return (
    <>
      <PageHead
        title="Missions"
        lead="A goal with a measure and a budget: agents work by a plan that people accept."
        actions={
          mayWrite ? (
            <Button
              kind="primary"
              icon={<Plus className="size-4" aria-hidden="true" />}
              shortcut="n"
              onClick={() => setOpen(true)}
            >
              New mission
            </Button>
          ) : null
        }
      />
      <Chips
        label="Filter missions"
        options={views.map(([view, word]) => [view, word] as const)}
        chosen={present ? [present] : []}
        onChange={(next) => void navigate({ search: { status: views.find(([view]) => next.at(-1) === view)?.[2] } })}
      />
      <div className="mt-4 overflow-hidden rounded-lg border border-line bg-surface shadow-card">
        {data.data.length === 0 ? (
          <Nothing filtered={(search.status ?? search.cursor) !== undefined} />
        ) : (
          <Table label="Missions" columns={columns} rows={data.data} rowKey={({ mission_id }) => mission_id} />
        )}
        <Pagination
          cursor={search.cursor}
          next={data.next_cursor}
          onGo={(cursor) => void navigate({ search: { ...search, cursor } })}
        />
      </div>
      {open ? <CreateMission onClose={() => setOpen(false)} /> : null}
    </>
  );
}

function Nothing({ filtered }: { readonly filtered: boolean }) {
  if (filtered)
    return (
      <NothingFits title="No matching missions">
        <Link to="/missions" search={{}}>
          All missions
        </Link>
      </NothingFits>
    );
  return (
    <EmptyState title="No missions yet" command="bin/aos missions create --file mission.json">
      A mission says what is to be achieved, how success is measured, which agents may work on it and what it may cost.
      New mission makes one here, or this command from a file:
    </EmptyState>
  );
}

const columns: readonly Column<MissionSummary>[] = [
  {
    name: "Mission",
    cell: ({ mission_id, goal, agents, held_by }) => (
      <span className="grid gap-0.5">
        <Link
          to="/missions/$mission"
          params={{ mission: mission_id }}
          className="line-clamp-2 font-medium hover:underline"
        >
          {goal}
        </Link>
        <span className="text-xs text-muted">{agents.join(", ")}</span>
        <HeldLine held={held_by} />
      </span>
    ),
  },
  { name: "State", cell: (mission) => <StateOf mission={mission} /> },
  {
    name: "Progress",
    cell: ({ measure, measured, tasks }) => (
      <span className="grid min-w-32 gap-1">
        <span>
          {measured.value === null ? "–" : measureText(measured.value, measure.aggregate)}
          <span className="text-muted">, target {targetText(measured, measure)}</span>
        </span>
        <Progress
          value={tasks.planned === 0 ? 0 : (tasks.completed + tasks.failed + tasks.cancelled) / tasks.planned}
          label={`${tasks.completed} of ${counted(tasks.planned, "task")} completed`}
          tone={measured.reached ? "good" : "accent"}
        />
        <span className="text-xs text-muted">
          {tasks.completed} of {counted(tasks.planned, "task")}
        </span>
      </span>
    ),
  },
  {
    name: "Spend",
    cell: ({ spend }) => (
      <span className="grid min-w-28 gap-1">
        <span className="tabular-nums">
          {usd(spend.spent_usd)} <span className="text-muted">of {usd(spend.limit_usd)}</span>
        </span>
        <SpendBar
          spent={spend.spent_usd}
          reserved={spend.reserved_usd}
          limit={spend.limit_usd}
          label={`${usd(spend.spent_usd)} spent of ${usd(spend.limit_usd)}`}
        />
      </span>
    ),
  },
];

export function StateOf({ mission }: { readonly mission: MissionSummary }) {
  const { status, health, open_decisions: decisions } = mission;
  const said = health !== "closed" && health !== "not_started" && health !== status;
  return (
    <span className="flex flex-wrap items-center gap-1.5">
      <StatusBadge status={status} />
      {said ? <Badge tone={healthTones[health] ?? "neutral"}>{healthWords[health]}</Badge> : null}
      {decisions > 0 ? <Badge tone="warn">{counted(decisions, "decision")} open</Badge> : null}
    </span>
  );
}

const healthTones: Readonly<Record<string, "good" | "warn" | "bad">> = {
  on_track: "good",
  at_risk: "warn",
  blocked: "bad",
  off_track: "bad",
};
