import { Handle, type Node, type NodeProps, Position } from "@xyflow/react";
import { clsx } from "clsx";
import { CircleAlert, Repeat, Undo2 } from "lucide-react";
import { type Tone, tones } from "../../../ui/badge.tsx";
import { kinds, type NodeLook, stepState } from "./looks.ts";
import type { GraphNode } from "./model.ts";

export type StepNode = Node<
  {
    readonly node: GraphNode;
    readonly look: NodeLook;
    readonly current: boolean;
    readonly connectable: boolean;
    readonly onSelect: (id: string) => void;
  },
  "step" | "branches"
>;

const borders: Readonly<Record<Tone, string>> = {
  neutral: "border-line-strong/60",
  accent: "border-accent",
  good: "border-good/70",
  warn: "border-warn",
  bad: "border-bad",
  info: "border-info/70",
};

/** A step of the picture: its kind, name and call; in a run also how it stands. It is a button, so that the keyboard reaches it. */
export function StepBox({ data: { node, look, current, connectable, onSelect } }: NodeProps<StepNode>) {
  const [word, Icon] = kinds[node.kind];
  const [tone, status] = look.status === undefined ? (["neutral", ""] as const) : stepState(look.status);
  const group = node.kind === "parallel";
  const third = [status, look.note].filter(Boolean).join(" · ") || (node.condition && `if ${node.condition}`) || "";
  return (
    <div
      className={clsx(
        "relative h-full rounded-lg border-2 text-left",
        group ? "bg-sunken/60" : "bg-surface shadow-card",
        node.kind === "trigger" && "border-dashed",
        (look.errors ?? 0) > 0 ? "border-bad" : borders[tone],
        look.status === "pending" && "border-dashed",
        look.status === "skipped" && "border-dashed opacity-60",
        current && "ring-3 ring-accent/50",
      )}
    >
      <Point type="target" at={Position.Top} shown={connectable && node.kind !== "trigger"} />
      <button
        type="button"
        aria-pressed={current}
        onClick={() => onSelect(node.id)}
        className={clsx(
          "nodrag grid w-full grid-cols-[2rem_minmax(0,1fr)] items-start gap-2.5 rounded-lg px-2 py-1.5 text-left hover:bg-sunken/60",
          group ? "h-[66px]" : "h-full",
        )}
      >
        <span
          className={clsx("mt-0.5 flex size-8 items-center justify-center rounded-md border", tones[tone])}
          title={word}
        >
          <Icon className={clsx("size-4", look.status === "running" && "animate-pulse")} aria-hidden="true" />
          <span className="sr-only">{word} </span>
        </span>
        <span className="grid min-w-0">
          <span className="flex min-w-0 items-center gap-1 text-sm font-medium">
            <span className="min-w-0 truncate">{node.title}</span>
            {node.loop ? <Repeat className="size-3.5 shrink-0 text-muted" aria-label={`each of ${node.loop}`} /> : null}
            {node.undo ? <Undo2 className="size-3.5 shrink-0 text-muted" aria-label="can be compensated" /> : null}
          </span>
          <span className="truncate text-xs text-muted">{node.subtitle}</span>
          {third === "" ? null : (
            <span className={clsx("truncate text-xs", status === "" ? "font-mono text-muted" : textOf[tone])}>
              {third}
            </span>
          )}
        </span>
      </button>
      <Findings look={look} />
      <Point type="source" at={Position.Bottom} shown={connectable} />
    </div>
  );
}

const textOf: Readonly<Record<Tone, string>> = {
  neutral: "text-muted",
  accent: "text-accent",
  good: "text-good",
  warn: "text-warn",
  bad: "text-bad",
  info: "text-info",
};

function Findings({ look: { errors = 0, warnings = 0 } }: { readonly look: NodeLook }) {
  if (errors + warnings === 0) return null;
  return (
    <span
      className={clsx(
        "pointer-events-none absolute -top-2.5 -right-2.5 inline-flex items-center gap-1 rounded-full border px-1.5 text-xs leading-5 font-semibold",
        tones[errors > 0 ? "bad" : "warn"],
      )}
    >
      <CircleAlert className="size-3.5" aria-hidden="true" />
      {errors + warnings}
      <span className="sr-only">{errors > 0 ? "findings, with errors" : "warnings"}</span>
    </span>
  );
}

/** Where edges begin and end; drawn only where they may be drawn. */
function Point({ type, at, shown }: { readonly type: "source" | "target"; readonly at: Position; shown: boolean }) {
  return (
    <Handle
      type={type}
      position={at}
      isConnectable={shown}
      className={clsx(
        "size-2.5! min-h-0! min-w-0! rounded-full! border-2! border-line-strong! bg-surface!",
        !shown && "opacity-0!",
      )}
    />
  );
}
