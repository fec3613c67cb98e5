import { getRouteApi, Link } from "@tanstack/react-router";
import { useChange, usePrefetched } from "../../api/queries.ts";
import { useMay } from "../../api/rights.ts";
import type { DeadLetter } from "../../api/workflow-types.ts";
import { compensateRun, controlRun } from "../../api/workflows.ts";
import { StatusBadge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Pagination } from "../../ui/pagination.tsx";
import { EmptyState } from "../../ui/states.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { RelativeTime } from "../../ui/time.tsx";
import { toast, toastProblem } from "../../ui/toast.tsx";
import { deadLettersOf } from "./loaders.ts";

const route = getRouteApi("/shell/workflows");

/** Runs that gave up, until somebody retries or settles them. */
export function DeadLetters() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { data } = usePrefetched(deadLettersOf(search), { every: 10_000 });
  return (
    <div className="overflow-hidden rounded-lg border border-line bg-surface shadow-card">
      {data.data.length === 0 ? (
        <EmptyState title="No dead letters">
          A run that gave up is listed here with its reason, until somebody retries it or settles it.
        </EmptyState>
      ) : (
        <Table label="Dead letters" columns={columns} rows={data.data} rowKey={({ run_id }) => run_id} />
      )}
      <Pagination
        cursor={search.cursor}
        next={data.next_cursor}
        onGo={(cursor) => void navigate({ search: { ...search, cursor } })}
      />
    </div>
  );
}

const columns: readonly Column<DeadLetter>[] = [
  {
    name: "Run",
    cell: (letter) => (
      <span className="grid gap-0.5">
        <Link
          to="/workflows/$workflow/runs/$run"
          params={{ workflow: letter.workflow, run: letter.run_id }}
          className="font-medium hover:underline"
        >
          {letter.workflow}
        </Link>
        <span className="break-words text-muted">{letter.reason}</span>
      </span>
    ),
  },
  { name: "State", cell: ({ status }) => <StatusBadge status={status} /> },
  { name: "Gave up", cell: ({ at }) => <RelativeTime time={at} className="text-muted" /> },
  { name: "Action", right: true, cell: (letter) => <Settle letter={letter} /> },
];

const touched = ["/v1/workflows/dead-letters", "/v1/workflows/runs"] as const;

function Settle({ letter }: { readonly letter: DeadLetter }) {
  const change = useChange(controlRun, touched);
  const compensate = useChange(compensateRun, touched);
  const mayRun = useMay("workflows:run");
  if (letter.settled_at !== null) return <span className="text-muted">settled</span>;
  if (!mayRun) return <span className="text-muted">–</span>;
  const act = (action: "retry_from" | "settle", said: string): void =>
    change.mutate(
      { workflow: letter.workflow, run: letter.run_id, action },
      { onSuccess: () => toast(said), onError: toastProblem },
    );
  const undo = (): void =>
    compensate.mutate(
      { workflow: letter.workflow, run: letter.run_id },
      { onSuccess: () => toast("What is left is compensated again."), onError: toastProblem },
    );
  return (
    <span className="inline-flex flex-wrap gap-2 md:justify-end">
      {letter.status === "compensation_failed" ? (
        <Button size="small" busy={compensate.isPending} onClick={undo}>
          Compensate
        </Button>
      ) : (
        <Button size="small" busy={change.isPending} onClick={() => act("retry_from", "The run goes on.")}>
          Retry
        </Button>
      )}
      <Button size="small" busy={change.isPending} onClick={() => act("settle", "Taken off the dead letters.")}>
        Settle
      </Button>
    </span>
  );
}
