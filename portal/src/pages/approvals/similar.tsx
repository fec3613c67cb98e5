import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { readSimilar } from "../../api/approvals.ts";
import { useLive } from "../../api/queries.ts";
import type { Schema } from "../../api/types.ts";
import { counted, percent, spoken, visible } from "../../lib/words.ts";
import { StatusBadge } from "../../ui/badge.tsx";
import { Card } from "../../ui/card.tsx";
import { ErrorState, Skeleton } from "../../ui/states.tsx";
import { RelativeTime } from "../../ui/time.tsx";
import type { Detail } from "./words.ts";

type Case = Schema<"SimilarApprovals">["cases"][number];

/** How like cases were decided, and what came of them. Asked for when it is opened. */
export function Similar({ approval }: { readonly approval: Detail }) {
  const [open, setOpen] = useState(false);
  return (
    <Card title="Similar cases">
      <details open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary className="w-fit rounded py-1 text-sm text-muted hover:text-ink">
          How like cases were decided, and what came of them
        </summary>
        {open ? <Cases id={approval.approval_id} /> : null}
      </details>
    </Card>
  );
}

function Cases({ id }: { readonly id: string }) {
  const { data, error } = useLive(readSimilar(id));
  if (error && !data) return <ErrorState error={error} />;
  if (!data) return <Skeleton lines={4} />;
  if (data.considered === 0)
    return <p className="mt-2 text-sm text-muted">Nothing like it was decided before in this environment.</p>;
  return (
    <div className="mt-2 grid gap-3 text-sm">
      <p className="text-muted">
        Of {counted(data.considered, "decided case")} of this agent, skill and tool, {data.approved} were approved and{" "}
        {data.rejected} rejected or sent back. The nearest:
      </p>
      <ul aria-label="Similar cases" className="grid gap-3">
        {data.cases.map((one) => (
          <Row key={one.approval_id} one={one} />
        ))}
      </ul>
    </div>
  );
}

function Row({ one }: { readonly one: Case }) {
  const { outcome } = one;
  const judged = outcome.accepted === null ? "" : outcome.accepted ? ", accepted later" : ", not accepted later";
  return (
    <li className="grid gap-1 border-t border-line pt-3">
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Link
          to="/approvals/$task"
          params={{ task: one.approval_id }}
          className="min-w-0 font-medium wrap-anywhere text-accent underline underline-offset-2"
        >
          {visible(one.title ?? one.task_id)}
        </Link>
        <StatusBadge status={one.decision} />
        <span className="text-muted">{percent(one.similarity)} alike</span>
      </p>
      <p className="text-muted">
        {one.decided_by === null ? "" : `by ${one.decided_by.name}, `}
        {one.decided_at === null ? null : <RelativeTime time={one.decided_at} />}; the task is{" "}
        {spoken(outcome.task_status).toLowerCase()}
        {judged}.
      </p>
      {one.reason === null ? null : <p className="wrap-anywhere text-muted">“{visible(one.reason)}”</p>}
      {one.differs.length === 0 ? null : (
        <p className="text-xs wrap-anywhere text-muted">
          {one.differs
            .slice(0, 3)
            .map(({ field, here, there }) => `${field.slice(1)}: ${here ?? "none"} here, ${there ?? "none"} there`)
            .join(" · ")}
        </p>
      )}
    </li>
  );
}
