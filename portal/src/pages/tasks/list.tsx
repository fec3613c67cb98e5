import { getRouteApi, Link } from "@tanstack/react-router";
import { X } from "lucide-react";
import { usePrefetched } from "../../api/queries.ts";
import type { Schema } from "../../api/types.ts";
import { when } from "../../lib/time.ts";
import { spoken, usd } from "../../lib/words.ts";
import { RiskBadge, StatusBadge } from "../../ui/badge.tsx";
import { PageHead } from "../../ui/card.tsx";
import { Chips, Field } from "../../ui/field.tsx";
import { HeldLine } from "../../ui/held.tsx";
import { Pagination } from "../../ui/pagination.tsx";
import { EmptyState, NothingFits } from "../../ui/states.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { RelativeTime } from "../../ui/time.tsx";
import { TrustMeter } from "../../ui/trust.tsx";
import { CancelMany } from "./cancel-many.tsx";
import { groups, narrowings, type TasksSearch, tasksOf } from "./loaders.ts";

type Task = Schema<"Task">;

const route = getRouteApi("/shell/tasks");
const views = [
  ["open", "Open"],
  ["completed", "Completed"],
  ["wrong", "Failed"],
] as const;
const risks = [
  ["critical", "critical"],
  ["high", "high"],
  ["medium", "medium"],
  ["low", "low"],
] as const;

/** Work that was given to agents, newest first. */
export function TasksPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { data } = usePrefetched(tasksOf(search), { every: 3000 });
  const filtered = Object.values(search).some((value) => value !== undefined);
  return (
    <>
      <PageHead
        title="Tasks"
        lead="Tasks dispatched to agents, with status, trust and timeline."
        actions={<CancelMany search={search} />}
      />
      <Filters search={search} />
      <Narrowings search={search} />
      <div className="mt-4 overflow-hidden rounded-lg border border-line bg-surface shadow-card">
        {data.data.length === 0 ? (
          <Nothing filtered={filtered} />
        ) : (
          <Table label="Tasks" columns={columns} rows={data.data} rowKey={({ task_id }) => task_id} />
        )}
        <Pagination
          cursor={search.cursor}
          next={data.next_cursor}
          onGo={(cursor) => void navigate({ search: { ...search, cursor } })}
        />
      </div>
    </>
  );
}

function Filters({ search }: { readonly search: TasksSearch }) {
  const navigate = route.useNavigate();
  const go = (change: Partial<TasksSearch>): void =>
    void navigate({ search: { ...search, ...change, cursor: undefined }, replace: true });
  const present = views.find(([view]) => groups[view].join(",") === search.status)?.[0];
  return (
    <div className="flex flex-wrap items-end gap-x-5 gap-y-3">
      <Chips
        label="Filter tasks"
        options={views}
        chosen={present ? [present] : []}
        onChange={(next) => {
          const view = views.find(([word]) => next.at(-1) === word)?.[0];
          go({ status: view ? groups[view].join(",") : undefined });
        }}
      />
      <Chips
        label="Filter by risk"
        options={risks}
        chosen={search.risk?.split(",") ?? []}
        onChange={(next) => go({ risk: next.length === 0 ? undefined : next.join(",") })}
      />
      <form
        className="flex flex-wrap items-end gap-2"
        onSubmit={(event) => {
          event.preventDefault();
          const form = new FormData(event.currentTarget);
          go({ agent: String(form.get("agent")) || undefined, trust: String(form.get("trust")) || undefined });
        }}
      >
        <Field
          name="agent"
          label="Agent"
          defaultValue={search.agent}
          className="w-32"
          placeholder="sales"
          onBlur={(event) => event.currentTarget.form?.requestSubmit()}
        />
        <Field
          name="trust"
          label="Trust below, %"
          type="number"
          min={1}
          max={99}
          defaultValue={search.trust}
          className="w-32"
          onBlur={(event) => event.currentTarget.form?.requestSubmit()}
        />
        <button type="submit" className="sr-only">
          Filter
        </button>
      </form>
    </div>
  );
}

const narrowingWords: Readonly<Record<string, string>> = {
  task: "Skill",
  created_after: "Dispatched from",
  created_before: "Dispatched before",
};

/** Filters that came with a link, such as from a figure; each can be taken off. */
function Narrowings({ search }: { readonly search: TasksSearch }) {
  const navigate = route.useNavigate();
  const given = narrowings.filter((name) => search[name] !== undefined);
  if (given.length === 0) return null;
  return (
    <ul aria-label="More filters" className="mt-3 flex flex-wrap gap-2 text-sm">
      {given.map((name) => (
        <li key={name}>
          <button
            type="button"
            onClick={() => void navigate({ search: { ...search, [name]: undefined, cursor: undefined } })}
            className="inline-flex items-center gap-1.5 rounded-full bg-accent-soft px-3 py-1 text-left text-accent wrap-anywhere pointer-coarse:min-h-11"
          >
            {narrowingWords[name] ?? spoken(name)}:{" "}
            {name.startsWith("created_") ? when(search[name] as string) : search[name]}
            <X className="size-3.5 shrink-0" aria-hidden="true" />
            <span className="sr-only">, remove this filter</span>
          </button>
        </li>
      ))}
    </ul>
  );
}

const columns: readonly Column<Task>[] = [
  {
    name: "Task",
    cell: (task) => (
      <span className="grid gap-0.5">
        <Link to="/tasks/$task" params={{ task: task.task_id }} className="font-medium hover:underline">
          {task.title ?? `${task.agent} · ${task.task}`}
        </Link>
        {task.title === null ? (
          <span className="line-clamp-1 max-w-72 font-mono text-xs break-all text-muted">{inputText(task.input)}</span>
        ) : (
          <span className="text-xs text-muted">
            {task.agent} · {task.task}
          </span>
        )}
      </span>
    ),
  },
  {
    name: "State",
    cell: ({ status, held_by }) => (
      <span className="grid max-w-64 gap-1">
        <span>
          <StatusBadge status={status} />
        </span>
        <HeldLine held={held_by} />
      </span>
    ),
  },
  { name: "Trust", cell: ({ trust }) => <TrustMeter {...trust} /> },
  { name: "Risk", cell: ({ risk }) => <RiskBadge level={risk.level} /> },
  {
    name: "Cost",
    right: true,
    wideOnly: true,
    cell: ({ cost_usd }) => <span className="text-muted tabular-nums">{usd(cost_usd)}</span>,
  },
  { name: "Given", right: true, cell: ({ created_at }) => <RelativeTime time={created_at} className="text-muted" /> },
];

const inputText = (input: Task["input"]): string =>
  Object.values(input)
    .map((value) => (typeof value === "string" ? value : JSON.stringify(value)))
    .join(" ");

function Nothing({ filtered }: { readonly filtered: boolean }) {
  if (filtered)
    return (
      <NothingFits title="No matching tasks">
        <Link to="/tasks" search={{}}>
          All tasks
        </Link>
      </NothingFits>
    );
  const call = `curl -sS ${location.origin}/v1/agents/sales/tasks \\\n  -H "Authorization: Bearer $AOS_KEY" -H "Content-Type: application/json" \\\n  -d '{"task": "summarize_lead", "lead_id": "ld_1001"}'`;
  return (
    <EmptyState title="No tasks yet" command={call}>
      Dispatch one on an agent's page, or with this call:
    </EmptyState>
  );
}
