import { Link } from "@tanstack/react-router";
import { useLive } from "../../api/queries.ts";
import { readTaskChildren } from "../../api/tasks.ts";
import type { Schema } from "../../api/types.ts";
import { counted, exactUsd, percent } from "../../lib/words.ts";
import { StatusBadge } from "../../ui/badge.tsx";
import { Card } from "../../ui/card.tsx";

type Tree = Schema<"TaskChildren">;
type Node = Tree["nodes"][number];

/** What came of a task: runs that its events started, and their tasks. Shown where there is any. */
export function Children({ task, every }: { readonly task: string; readonly every: number | false }) {
  const { data } = useLive(readTaskChildren(task), { every });
  if (!data || (data.nodes.length === 0 && data.caused_by === null)) return null;
  return (
    <Card title="What came of it" aside={<Totals totals={data.totals} />}>
      <div className="grid gap-3 text-sm">
        {data.caused_by === null ? null : (
          <p className="text-muted">
            It came itself from{" "}
            <Link
              to="/tasks/$task"
              params={{ task: data.caused_by.task_id }}
              className="font-medium text-ink hover:underline"
            >
              another task
            </Link>
            , whose event started its workflow.
          </p>
        )}
        <ul className="grid gap-2">
          {data.nodes.map((node) => (
            <li
              key={node.id}
              className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1 border-l-2 border-line pl-3"
              style={{ marginLeft: `${Math.min(node.depth - 1, 6) * 0.75}rem` }}
            >
              <span className="min-w-0 flex-1 basis-40 break-words">
                <What node={node} />
              </span>
              <StatusBadge status={node.status} />
              <span className="text-muted">{figures(node)}</span>
            </li>
          ))}
        </ul>
        {data.cut === null ? null : (
          <p className="text-muted">
            {data.cut === "size" ? "There is more than is shown." : "The tree goes deeper."} Open one of these tasks for
            the rest.
          </p>
        )}
      </div>
    </Card>
  );
}

function Totals({ totals }: { readonly totals: Tree["totals"] }) {
  if (totals.tasks + totals.runs === 0) return null;
  return (
    <span className="text-sm text-muted">
      {counted(totals.tasks, "task")}, {counted(totals.runs, "run")}, {exactUsd(totals.cost_usd)}
    </span>
  );
}

function What({ node }: { readonly node: Node }) {
  if (node.kind === "run")
    return (
      <Link
        to="/workflows/$workflow/runs/$run"
        params={{ workflow: node.workflow, run: node.id }}
        className="font-medium hover:underline"
      >
        Workflow {node.workflow}
      </Link>
    );
  return (
    <Link to="/tasks/$task" params={{ task: node.id }} className="font-medium hover:underline">
      {node.title ?? `${node.agent} · ${node.task}`}
    </Link>
  );
}

const figures = ({ cost_usd, trust_score }: Node): string =>
  [trust_score === null ? null : `trust ${percent(trust_score)}`, cost_usd === null ? null : exactUsd(cost_usd)]
    .filter((text) => text !== null)
    .join(", ");
