import { useLive } from "../../api/queries.ts";
import { readTaskCost } from "../../api/tasks.ts";
import type { Schema } from "../../api/types.ts";
import { counted, exactUsd } from "../../lib/words.ts";
import { Card } from "../../ui/card.tsx";
import { ErrorState, Skeleton } from "../../ui/states.tsx";

type Cost = Schema<"TaskCost">;
type Named = Cost["by_model"][number];

/** What a task cost, by model and tool. */
export function CostCard({ task, every }: { readonly task: string; readonly every: number | false }) {
  const { data, error } = useLive(readTaskCost(task), { every });
  return (
    <Card title="Cost" aside={data ? <strong className="text-sm">{exactUsd(data.cost_usd)}</strong> : null}>
      {error ? <ErrorState error={error} /> : data ? <Parts cost={data} /> : <Skeleton lines={3} />}
    </Card>
  );
}

function Parts({ cost }: { readonly cost: Cost }) {
  const parts = [
    ...cost.by_model.map((part) => [`Model ${part.name}`, part] as const),
    ...cost.by_tool.map((part) => [`Tool ${part.name}`, part] as const),
  ];
  if (parts.length === 0) return <p className="text-sm text-muted">No model or tool was called yet.</p>;
  return (
    <ul className="grid gap-2.5 text-sm">
      {parts.map(([label, part]) => (
        <li key={label} className="grid gap-1">
          <span className="flex justify-between gap-3">
            <span className="min-w-0 break-words">{label}</span>
            <span>{exactUsd(part.cost_usd)}</span>
          </span>
          <Share part={part} of={cost.cost_usd} />
          <span className="text-muted">
            {counted(part.calls, "call")}
            {part.tokens > 0 ? `, ${counted(part.tokens, "token")}` : ""}
          </span>
        </li>
      ))}
      {cost.outside_steps_usd > 0 ? (
        <li className="flex justify-between gap-3 text-muted">
          <span>Calls that became no step</span>
          <span>{exactUsd(cost.outside_steps_usd)}</span>
        </li>
      ) : null}
    </ul>
  );
}

function Share({ part, of }: { readonly part: Named; readonly of: number }) {
  if (of <= 0) return null;
  return (
    <span className="h-1.5 overflow-hidden rounded bg-sunken" aria-hidden="true">
      <span className="block h-1.5 rounded bg-accent" style={{ width: `${(100 * part.cost_usd) / of}%` }} />
    </span>
  );
}
