import { clsx } from "clsx";
import { CircleAlert } from "lucide-react";
import { Badge, tones } from "../../../ui/badge.tsx";
import { kinds, type NodeLook, stepState } from "./looks.ts";
import type { Graph, GraphNode } from "./model.ts";

interface StepListProps {
  readonly graph: Graph;
  readonly lookOf: (id: string) => NodeLook;
  readonly selected: string | null;
  readonly onSelect: (id: string) => void;
}

/** The steps one under the other, those of branches moved in: for phones, and for those who do not see the picture. */
export function StepList({ graph, lookOf, selected, onSelect }: StepListProps) {
  const parents = new Map(graph.nodes.map(({ id, parent }) => [id, parent]));
  const depth = (id: string): number => {
    const parent = parents.get(id);
    return parent ? 1 + depth(parent) : 0;
  };
  return (
    <ol aria-label="Steps" className="divide-y divide-line">
      {graph.nodes.map((node) => (
        <li key={node.id} style={{ paddingLeft: `${Math.min(depth(node.id), 4)}rem` }}>
          <Row node={node} look={lookOf(node.id)} current={selected === node.id} onSelect={onSelect} />
        </li>
      ))}
    </ol>
  );
}

interface RowProps {
  readonly node: GraphNode;
  readonly look: NodeLook;
  readonly current: boolean;
  readonly onSelect: (id: string) => void;
}

function Row({ node, look, current, onSelect }: RowProps) {
  const [word, Icon] = kinds[node.kind];
  const [tone, status] = look.status === undefined ? (["neutral", null] as const) : stepState(look.status);
  const findings = (look.errors ?? 0) + (look.warnings ?? 0);
  return (
    <button
      type="button"
      aria-pressed={current}
      onClick={() => onSelect(node.id)}
      className={clsx(
        "flex min-h-13 w-full items-center gap-3 px-4 py-2 text-left hover:bg-sunken",
        current && "bg-accent-soft hover:bg-accent-soft",
      )}
    >
      <span className={clsx("flex size-8 shrink-0 items-center justify-center rounded-md border", tones[tone])}>
        <Icon className="size-4" aria-hidden="true" />
        <span className="sr-only">{word} </span>
      </span>
      <span className="grid min-w-0 flex-1">
        <span className="truncate text-sm font-medium">{node.title}</span>
        <span className="truncate text-xs text-muted">
          {[node.branch && `branch ${node.branch}`, look.note ?? node.subtitle].filter(Boolean).join(" · ")}
        </span>
      </span>
      {findings > 0 ? (
        <Badge tone={(look.errors ?? 0) > 0 ? "bad" : "warn"}>
          <CircleAlert className="size-3.5" aria-hidden="true" /> {findings}
          <span className="sr-only"> findings</span>
        </Badge>
      ) : null}
      {status === null ? null : <Badge tone={tone}>{status}</Badge>}
    </button>
  );
}
