import { Link } from "@tanstack/react-router";
import type { Schema } from "../../api/types.ts";
import { Badge, type Tone } from "../../ui/badge.tsx";
import { CopyText } from "../../ui/code.tsx";
import { EmptyState } from "../../ui/states.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { RelativeTime } from "../../ui/time.tsx";

type Row = Schema<"Violation">;

const kinds: Readonly<Record<Row["kind"], readonly [tone: Tone, word: string]>> = {
  blocked: ["bad", "Refused"],
  would_block: ["info", "Would be refused"],
  would_wait: ["info", "Would wait"],
  warned: ["warn", "Noticed"],
};

/** Calls that policies, stops, budgets and gates refused or would have refused, newest first. */
export function Found({ rows, withSource = false }: { readonly rows: readonly Row[]; readonly withSource?: boolean }) {
  if (rows.length === 0)
    return (
      <EmptyState title="No findings">
        Refused calls, and calls that a shadow policy would refuse, appear here with their records. What people were
        asked for stands among the approvals.
      </EmptyState>
    );
  const columns = withSource ? [...common, source] : common;
  return (
    <Table
      label="Findings"
      columns={columns}
      rows={rows}
      rowKey={({ audit_ref, source: by }) => `${audit_ref} ${by}`}
    />
  );
}

const common: readonly Column<Row>[] = [
  {
    name: "Call",
    cell: (row) => (
      <span className="grid gap-0.5">
        <span className="font-medium">{row.message}</span>
        <span className="text-muted">
          {row.action}
          {row.agent ? `, ${row.agent}` : ""}
        </span>
      </span>
    ),
  },
  {
    name: "Result",
    cell: ({ kind }) => {
      const [tone, word] = kinds[kind];
      return <Badge tone={tone}>{word}</Badge>;
    },
  },
  {
    name: "Task",
    wideOnly: true,
    cell: ({ task_id }) =>
      task_id ? (
        <Link to="/tasks/$task" params={{ task: task_id }} className="id hover:underline">
          {task_id.slice(0, 6)}…{task_id.slice(-6)}
        </Link>
      ) : null,
  },
  { name: "Record", cell: ({ audit_ref }) => <CopyText text={audit_ref} label="audit reference" short /> },
  { name: "When", right: true, cell: ({ at }) => <RelativeTime time={at} className="text-muted" /> },
];

const source: Column<Row> = {
  name: "Found by",
  cell: ({ source: by }) =>
    by.startsWith("pol_") ? (
      <Link
        to="/policies/$policy"
        params={{ policy: by }}
        className="font-medium text-accent underline underline-offset-2"
      >
        the policy
      </Link>
    ) : (
      by
    ),
};
