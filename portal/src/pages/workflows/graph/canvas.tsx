import "@xyflow/react/dist/base.css";
import {
  getViewportForBounds,
  MarkerType,
  Panel,
  ReactFlow,
  ReactFlowProvider,
  useNodesInitialized,
  useReactFlow,
  useStore,
} from "@xyflow/react";
import { Maximize2, Minus, Plus } from "lucide-react";
import { type CSSProperties, useEffect, useState } from "react";
import { IconButton } from "../../../ui/button.tsx";
import { Routed, type RoutedEdge } from "./edge.tsx";
import { type Box, type Layout, layoutOf } from "./layout.ts";
import type { NodeLook } from "./looks.ts";
import type { Graph, GraphEdge, GraphNode } from "./model.ts";
import { StepBox, type StepNode } from "./node.tsx";

export interface CanvasProps {
  readonly graph: Graph;
  readonly lookOf: (id: string) => NodeLook;
  readonly selected: string | null;
  readonly onSelect: (id: string) => void;
  /** Draws and takes off edges; left out: the picture is only looked at. */
  readonly onNeed?: (from: string, to: string, needed: boolean) => void;
  /** Small, without anything to press, beside a list that says the same. */
  readonly overview?: boolean;
}

const nodeTypes = { step: StepBox, branches: StepBox };
const edgeTypes = { routed: Routed };
const colours = {
  "--xy-edge-stroke": "var(--line-strong)",
  "--xy-edge-stroke-selected": "var(--accent)",
  "--xy-connectionline-stroke": "var(--accent)",
  "--xy-attribution-background-color": "transparent",
} as CSSProperties;

/** The steps as a picture, placed from top to bottom. */
export default function Canvas(props: CanvasProps) {
  const layout = useLayout(props.graph);
  if (layout === null) return <div aria-hidden="true" className="h-full animate-pulse rounded bg-line/60" />;
  return (
    <ReactFlowProvider>
      <Drawn {...props} layout={layout} />
    </ReactFlowProvider>
  );
}

/** The layout of a graph; the former one until that of a changed graph is there. */
function useLayout(graph: Graph): Layout | null {
  const [layout, setLayout] = useState<Layout | null>(null);
  const shape = JSON.stringify([graph.nodes.map(({ id, parent }) => [id, parent]), graph.edges.map(({ id }) => id)]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: where nodes stand depends on the shape alone
  useEffect(() => {
    let current = true;
    void layoutOf(graph).then((next) => current && setLayout(next));
    return () => {
      current = false;
    };
  }, [shape]);
  return layout;
}

function Drawn({
  graph,
  lookOf,
  selected,
  onSelect,
  onNeed,
  overview = false,
  layout,
}: CanvasProps & { readonly layout: Layout }) {
  const nodes = graph.nodes.flatMap((node): StepNode[] => {
    const box = layout.boxes.get(node.id);
    if (box === undefined || (node.parent !== null && !layout.boxes.has(node.parent))) return [];
    return [
      nodeOf(node, box, { look: lookOf(node.id), current: selected === node.id, onSelect, connectable: !!onNeed }),
    ];
  });
  const edges = graph.edges.map((edge) => edgeOf(edge, layout, lookOf));
  return (
    <ReactFlow
      nodes={nodes}
      edges={edges}
      nodeTypes={nodeTypes}
      edgeTypes={edgeTypes}
      style={colours}
      className="[&_a]:text-muted!"
      fitView
      fitViewOptions={fitting}
      minZoom={minZoom}
      maxZoom={1.5}
      nodesDraggable={false}
      nodesFocusable={false}
      nodesConnectable={onNeed !== undefined}
      edgesFocusable={onNeed !== undefined}
      elementsSelectable={onNeed !== undefined}
      deleteKeyCode={onNeed ? ["Delete", "Backspace"] : null}
      onConnect={({ source, target }) => onNeed?.(source, target, true)}
      onEdgesDelete={([gone]) => gone && onNeed?.(gone.source, gone.target, false)}
      zoomOnScroll={false}
      preventScrolling={false}
      panOnDrag={!overview}
      zoomOnPinch={!overview}
      zoomOnDoubleClick={!overview}
    >
      <Fitted shape={graph.nodes.length} />
      {overview ? null : <Zoom />}
    </ReactFlow>
  );
}

const minZoom = 0.1;
const fitting = { padding: 0.08, maxZoom: 1 } as const;

/** Shows all of it again when steps came or went, and when its place has another size. */
function Fitted({ shape }: { readonly shape: number }) {
  const { fitView, getNodes, getNodesBounds, setViewport } = useReactFlow();
  const ready = useNodesInitialized();
  const width = useStore((state) => state.width);
  const height = useStore((state) => state.height);
  // biome-ignore lint/correctness/useExhaustiveDependencies: again for each shape
  useEffect(() => {
    if (ready) void fitView(fitting);
  }, [ready, shape, fitView]);
  useEffect(() => {
    if (width === 0 || height === 0) return;
    const bounds = getNodesBounds(getNodes());
    void setViewport(getViewportForBounds(bounds, width, height, minZoom, fitting.maxZoom, fitting.padding));
  }, [width, height, getNodes, getNodesBounds, setViewport]);
  return null;
}

function Zoom() {
  const { zoomIn, zoomOut, fitView } = useReactFlow();
  const picture = { className: "size-4", "aria-hidden": true } as const;
  return (
    <Panel position="top-right" className="m-2! flex rounded-md border border-line bg-raised shadow-card">
      <IconButton label="Zoom in" onClick={() => void zoomIn()}>
        <Plus {...picture} />
      </IconButton>
      <IconButton label="Zoom out" onClick={() => void zoomOut()}>
        <Minus {...picture} />
      </IconButton>
      <IconButton label="Show all" onClick={() => void fitView(fitting)}>
        <Maximize2 {...picture} />
      </IconButton>
    </Panel>
  );
}

type Shown = Pick<StepNode["data"], "look" | "current" | "onSelect" | "connectable">;

function nodeOf(node: GraphNode, box: Box, shown: Shown): StepNode {
  return {
    id: node.id,
    type: node.kind === "parallel" ? "branches" : "step",
    position: { x: box.x, y: box.y },
    width: box.width,
    height: box.height,
    ...(node.parent === null ? {} : { parentId: node.parent }),
    data: { node, ...shown },
  };
}

function edgeOf({ id, from, to }: GraphEdge, { routes }: Layout, lookOf: CanvasProps["lookOf"]): RoutedEdge {
  const status = lookOf(to).status;
  const active = status === "running" || status === "waiting";
  return {
    id,
    source: from,
    target: to,
    type: "routed",
    data: { points: routes.get(id) },
    markerEnd: {
      type: MarkerType.ArrowClosed,
      color: "var(--line-strong)",
      width: 12,
      height: 12,
      markerUnits: "userSpaceOnUse",
    },
    animated: status === "running",
    ...(active && { style: { stroke: "var(--accent)", strokeWidth: 2 } }),
    ...(status === "skipped" && { style: { opacity: 0.5 } }),
    deletable: !from.startsWith("trigger "),
    ariaLabel: `${to} needs ${from}`,
  };
}
