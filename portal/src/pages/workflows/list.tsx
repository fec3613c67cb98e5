import { getRouteApi, Link } from "@tanstack/react-router";
import { Plus } from "lucide-react";
import { useState } from "react";
import { usePrefetched } from "../../api/queries.ts";
import { useMay } from "../../api/rights.ts";
import type { WorkflowSummary } from "../../api/workflow-types.ts";
import { counted, percent } from "../../lib/words.ts";
import { Badge, StatusBadge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { PageHead } from "../../ui/card.tsx";
import { Pagination } from "../../ui/pagination.tsx";
import { useShortcuts } from "../../ui/shortcuts.ts";
import { EmptyState } from "../../ui/states.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import { RelativeTime } from "../../ui/time.tsx";
import { TrustMeter } from "../../ui/trust.tsx";
import { CreateWorkflow } from "./create.tsx";
import { DeadLetters } from "./dead-letters.tsx";
import { Hooks } from "./hooks.tsx";
import { allRunsOf, workflowsOf } from "./loaders.ts";
import { Runs } from "./runs.tsx";
import type { WorkflowsSearch } from "./search.ts";

const route = getRouteApi("/shell/workflows");

/** Workflows, all of their runs, those that gave up, and the hooks that start them. */
export function WorkflowsPage() {
  const { tab = "workflows" } = route.useSearch();
  const navigate = route.useNavigate();
  const [open, setOpen] = useState(false);
  const mayWrite = useMay("workflows:write");
  useShortcuts("This page", mayWrite ? [{ keys: "n", label: "New workflow", run: () => setOpen(true) }] : []);
  return (
    <>
      <PageHead
        title="Workflows"
        lead="Work of many steps: agents, tools, decisions, waits and people, with every step on record."
        actions={
          mayWrite ? (
            <Button
              kind="primary"
              icon={<Plus className="size-4" aria-hidden="true" />}
              shortcut="n"
              onClick={() => setOpen(true)}
            >
              New workflow
            </Button>
          ) : null
        }
      />
      <Tabs
        label="Workflow sections"
        current={tab}
        onChange={(next) => void navigate({ search: { tab: next as WorkflowsSearch["tab"] }, resetScroll: false })}
        tabs={[
          { id: "workflows", title: "Workflows", content: () => <List /> },
          { id: "runs", title: "Runs", content: () => <AllRuns /> },
          { id: "dead_letters", title: "Dead letters", content: () => <DeadLetters /> },
          { id: "hooks", title: "Hooks", content: () => <Hooks /> },
        ]}
      />
      {open ? <CreateWorkflow onClose={() => setOpen(false)} /> : null}
    </>
  );
}

function List() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { data } = usePrefetched(workflowsOf(search), { every: 10_000 });
  return (
    <div className="overflow-hidden rounded-lg border border-line bg-surface shadow-card">
      {data.data.length === 0 ? (
        <EmptyState
          title="No workflows yet"
          command={'bin/aos workflows apply -f refund.yaml --note "First." --publish'}
        >
          A workflow is defined in a file. This command creates it and publishes a version. New workflow makes one here.
        </EmptyState>
      ) : (
        <Table label="Workflows" columns={columns} rows={data.data} rowKey={({ name }) => name} />
      )}
      <Pagination
        cursor={search.cursor}
        next={data.next_cursor}
        onGo={(cursor) => void navigate({ search: { ...search, cursor } })}
      />
    </div>
  );
}

function AllRuns() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { data } = usePrefetched(allRunsOf(search), { every: 3000 });
  return (
    <Runs
      page={data}
      status={search.status}
      cursor={search.cursor}
      onFilter={(status) => void navigate({ search: { ...search, status, cursor: undefined }, replace: true })}
      onPage={(cursor) => void navigate({ search: { ...search, cursor } })}
    />
  );
}

const columns: readonly Column<WorkflowSummary>[] = [
  {
    name: "Workflow",
    cell: ({ name, description }) => (
      <span className="grid gap-0.5">
        <Link to="/workflows/$workflow" params={{ workflow: name }} className="font-medium hover:underline">
          {name}
        </Link>
        <span className="line-clamp-2 text-muted">{description}</span>
      </span>
    ),
  },
  { name: "State", cell: (workflow) => <StateOf workflow={workflow} /> },
  {
    name: "Success, 30 days",
    cell: ({ success_rate: success }) =>
      success === null ? (
        <span className="text-muted">–</span>
      ) : (
        <span className="grid gap-0.5">
          <TrustMeter
            score={success.rate}
            low={success.low}
            high={success.high}
            label={`${percent(success.rate)} of ${success.runs} runs completed, between ${percent(success.low)} and ${percent(success.high)}`}
          />
          <span className="text-xs text-muted">
            {percent(success.low)} to {percent(success.high)} of {counted(success.runs, "run")}
          </span>
        </span>
      ),
  },
  {
    name: "Last run",
    cell: ({ name, last_run: last }) =>
      last === null ? (
        <span className="text-muted">–</span>
      ) : (
        <Link
          to="/workflows/$workflow/runs/$run"
          params={{ workflow: name, run: last.run_id }}
          className="inline-flex flex-wrap items-center gap-2 hover:underline"
        >
          <StatusBadge status={last.status} />
          <RelativeTime time={last.created_at} className="text-muted" />
        </Link>
      ),
  },
];

export function StateOf({
  workflow,
}: {
  readonly workflow: Pick<WorkflowSummary, "status" | "live_version" | "paused">;
}) {
  return (
    <span className="flex flex-wrap items-center gap-1.5">
      <StatusBadge status={workflow.status} />
      {workflow.live_version === null ? null : <Badge>version {workflow.live_version}</Badge>}
      {workflow.paused ? <Badge tone="warn">triggers off</Badge> : null}
    </span>
  );
}
