import { getRouteApi, Link } from "@tanstack/react-router";
import { Plus } from "lucide-react";
import { useState } from "react";
import { usePrefetched } from "../../api/queries.ts";
import { useMay } from "../../api/rights.ts";
import type { Schema } from "../../api/types.ts";
import { counted } from "../../lib/words.ts";
import { Badge, StatusBadge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { PageHead } from "../../ui/card.tsx";
import { Chips } from "../../ui/field.tsx";
import { Pagination } from "../../ui/pagination.tsx";
import { useShortcuts } from "../../ui/shortcuts.ts";
import { EmptyState } from "../../ui/states.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { EditPolicy } from "./edit.tsx";
import { type PoliciesSearch, policiesOf, violationsOf } from "./loaders.ts";
import { Found } from "./violations.tsx";
import { effectText } from "./words.ts";

type Row = Schema<"PolicySummary">;

const route = getRouteApi("/shell/policies");
const views = [
  ["current", "Current"],
  ["retired", "Retired"],
  ["violations", "Findings"],
] as const;

/** What may happen here and under which conditions, and what was found against it. */
export function PoliciesPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const [writing, setWriting] = useState(false);
  const mayWrite = useMay("governance:write");
  useShortcuts("Policies", mayWrite ? [{ keys: "n", label: "New policy", run: () => setWriting(true) }] : []);
  return (
    <>
      <PageHead
        title="Policies"
        lead="A policy is a condition and its effect, enforced on every call it covers before anything happens."
        actions={
          mayWrite ? (
            <Button
              kind="primary"
              icon={<Plus className="size-4" aria-hidden="true" />}
              shortcut="n"
              onClick={() => setWriting(true)}
            >
              New policy
            </Button>
          ) : null
        }
      />
      <Chips
        label="Filter policies"
        options={views}
        chosen={[search.view ?? "current"]}
        onChange={(next) => void navigate({ search: viewSearch(next, search) })}
      />
      <div className="mt-4 overflow-hidden rounded-lg border border-line bg-surface shadow-card">
        {search.view === "violations" ? <FoundByAll search={search} /> : <Policies search={search} />}
      </div>
      {writing ? (
        <EditPolicy
          onClose={() => setWriting(false)}
          onSaved={(policy) => void navigate({ to: "/policies/$policy", params: { policy } })}
        />
      ) : null}
    </>
  );
}

function viewSearch(next: readonly string[], { view }: PoliciesSearch): PoliciesSearch {
  const chosen = next.find((word) => word !== (view ?? "current"));
  return chosen === "retired" || chosen === "violations" ? { view: chosen } : {};
}

function Policies({ search }: { readonly search: PoliciesSearch }) {
  const navigate = route.useNavigate();
  const { data } = usePrefetched(policiesOf(search), { every: 15_000 });
  if (data.data.length === 0) {
    return search.view === "retired" ? (
      <EmptyState title="No retired policies">
        Retired policies stay listed because audit records refer to them.
      </EmptyState>
    ) : (
      <EmptyState title="No policies yet">
        Roles, gates, risk and budgets apply without policies. A policy adds a rule of your own: start in shadow, where
        it only writes down what it would have done.
      </EmptyState>
    );
  }
  return (
    <>
      <Table label="Policies" columns={columns} rows={data.data} rowKey={({ policy_id }) => policy_id} />
      <Pagination
        cursor={search.cursor}
        next={data.next_cursor}
        onGo={(cursor) => void navigate({ search: { ...search, cursor } })}
      />
    </>
  );
}

function FoundByAll({ search }: { readonly search: PoliciesSearch }) {
  const navigate = route.useNavigate();
  const { data } = usePrefetched(violationsOf(search), { every: 5000 });
  return (
    <>
      <Found rows={data.data} withSource />
      <Pagination
        cursor={search.cursor}
        next={data.next_cursor}
        onGo={(cursor) => void navigate({ search: { ...search, cursor } })}
      />
    </>
  );
}

const columns: readonly Column<Row>[] = [
  {
    name: "Policy",
    cell: (row) => (
      <span className="grid gap-0.5">
        <Link to="/policies/$policy" params={{ policy: row.policy_id }} className="font-medium hover:underline">
          {row.name}
        </Link>
        <code className="line-clamp-2 font-mono text-xs break-all text-muted">{row.when}</code>
      </span>
    ),
  },
  { name: "Effect", cell: (row) => effectText(row) },
  {
    name: "State",
    cell: ({ state, version, in_force }) => (
      <span className="flex flex-wrap items-center gap-1.5">
        <StatusBadge status={state} />
        <span className="text-xs text-muted">version {version}</span>
        {in_force.active !== null && in_force.active !== version ? (
          <Badge tone="good">version {in_force.active} decides</Badge>
        ) : null}
      </span>
    ),
  },
  { name: "In 30 days", right: true, cell: (row) => <Counts counts={row.violations_30d} /> },
];

function Counts({ counts }: { readonly counts: Row["violations_30d"] }) {
  const said = [
    counts.waited > 0 && `asked people ${counts.waited === 1 ? "once" : `${counts.waited.toLocaleString("en")} times`}`,
    counts.blocked > 0 && `${counted(counts.blocked, "call")} refused`,
    counts.would_block > 0 && `${counts.would_block} would be refused`,
    counts.would_wait > 0 && `${counts.would_wait} would wait`,
    counts.warned > 0 && `${counts.warned} noticed`,
  ].filter((each) => each !== false);
  return (
    <span className={counts.blocked > 0 ? "text-bad" : "text-muted"}>
      {said.length === 0 ? "nothing" : said.join(", ")}
    </span>
  );
}
