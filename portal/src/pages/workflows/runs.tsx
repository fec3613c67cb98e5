import { Link } from "@tanstack/react-router";
import type { WorkflowRun } from "../../api/workflow-types.ts";
import { usd } from "../../lib/words.ts";
import { StatusBadge } from "../../ui/badge.tsx";
import { Chips } from "../../ui/field.tsx";
import { HeldLine } from "../../ui/held.tsx";
import { Pagination } from "../../ui/pagination.tsx";
import { Progress } from "../../ui/progress.tsx";
import { EmptyState, NothingFits } from "../../ui/states.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { RelativeTime } from "../../ui/time.tsx";
import { endedStatuses, isOpen, openStatuses, triggerWords } from "./run/words.ts";

const views = [
  ["open", "Open", openStatuses],
  ["completed", "Completed", ["completed"]],
  ["wrong", "Failed or cancelled", endedStatuses.filter((status) => status !== "completed")],
] as const;

interface RunsProps {
  readonly page: { readonly data: readonly WorkflowRun[]; readonly next_cursor: string | null };
  readonly status: string | undefined;
  readonly cursor: string | undefined;
  /** Of one workflow: then its name stands in no row, and the empty list says how the first run is made. */
  readonly workflow?: string;
  readonly onFilter: (status: string | undefined) => void;
  readonly onPage: (cursor: string | undefined) => void;
}

/** Runs, newest first, with a filter by state. */
export function Runs({ page, status, cursor, workflow, onFilter, onPage }: RunsProps) {
  const present = views.find(([, , statuses]) => statuses.join(",") === status)?.[0];
  return (
    <>
      <Chips
        label="Filter runs"
        options={views.map(([view, word]) => [view, word] as const)}
        chosen={present ? [present] : []}
        onChange={(next) => onFilter(views.find(([view]) => next.at(-1) === view)?.[2].join(","))}
      />
      <div className="mt-4 overflow-hidden rounded-lg border border-line bg-surface shadow-card">
        {page.data.length === 0 ? (
          <Nothing
            filtered={(status ?? cursor) !== undefined}
            workflow={workflow}
            onClear={() => onFilter(undefined)}
          />
        ) : (
          <Table
            label="Runs"
            columns={workflow === undefined ? [ofWorkflow, ...columns] : [byId, ...columns]}
            rows={page.data}
            rowKey={({ run_id }) => run_id}
          />
        )}
        <Pagination cursor={cursor} next={page.next_cursor} onGo={onPage} />
      </div>
    </>
  );
}

interface NothingProps {
  readonly filtered: boolean;
  readonly workflow: string | undefined;
  readonly onClear: () => void;
}

function Nothing({ filtered, workflow, onClear }: NothingProps) {
  if (filtered)
    return (
      <NothingFits title="No matching runs">
        <button type="button" className="underline underline-offset-2" onClick={onClear}>
          All runs
        </button>
      </NothingFits>
    );
  return (
    <EmptyState title="No runs yet" command={`bin/aos workflows run ${workflow ?? "refund"} --input '{}' --watch`}>
      A run carries out one version of a workflow, step by step. Start one here, by a trigger, or with this command:
    </EmptyState>
  );
}

function RunLink({ run, children }: { readonly run: WorkflowRun; readonly children: string }) {
  return (
    <Link
      to="/workflows/$workflow/runs/$run"
      params={{ workflow: run.workflow, run: run.run_id }}
      className="font-medium hover:underline"
    >
      {children}
    </Link>
  );
}

const about = (run: WorkflowRun): string =>
  [`version ${run.version}`, triggerWords[run.trigger].toLowerCase(), run.business_key].filter(Boolean).join(" · ");

const ofWorkflow: Column<WorkflowRun> = {
  name: "Run",
  cell: (run) => (
    <span className="grid gap-0.5">
      <RunLink run={run}>{run.mission === null ? run.workflow : "Plan of a mission"}</RunLink>
      <span className="text-xs text-muted">{about(run)}</span>
    </span>
  ),
};
const byId: Column<WorkflowRun> = {
  name: "Run",
  cell: (run) => (
    <span className="grid gap-0.5">
      <RunLink run={run}>{run.business_key ?? `…${run.run_id.slice(-6)}`}</RunLink>
      <span className="text-xs text-muted">{about({ ...run, business_key: null })}</span>
    </span>
  ),
};
const columns: readonly Column<WorkflowRun>[] = [
  {
    name: "State",
    cell: ({ status, held_by }) => (
      <span className="grid max-w-80 gap-1">
        <span>
          <StatusBadge status={status} />
        </span>
        <HeldLine held={held_by} />
      </span>
    ),
  },
  { name: "Steps", cell: (run) => <Done run={run} /> },
  {
    name: "Cost",
    right: true,
    wideOnly: true,
    cell: ({ cost_usd }) => <span className="text-muted tabular-nums">{usd(cost_usd)}</span>,
  },
  { name: "Created", right: true, cell: ({ created_at }) => <RelativeTime time={created_at} className="text-muted" /> },
];

function Done({ run }: { readonly run: WorkflowRun }) {
  const { steps, completed, failed } = run.progress;
  return (
    <span className="inline-flex items-center gap-2">
      <span className="block w-20 shrink-0">
        <Progress
          value={steps === 0 ? 1 : completed / steps}
          label={`${completed} of ${steps} steps done`}
          tone={failed > 0 ? "bad" : isOpen(run) ? "accent" : "good"}
        />
      </span>
      <span aria-hidden="true" className="text-xs text-muted tabular-nums">
        {completed}/{steps}
      </span>
    </span>
  );
}
