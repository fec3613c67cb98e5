import type { ELK, ElkExtendedEdge, ElkNode } from "elkjs/lib/elk-api.js";
import type { Graph, GraphNode } from "./model.ts";

/** Where a node stands, relative to its parent, in pixels. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}
export interface Point {
  readonly x: number;
  readonly y: number;
}
export interface Layout {
  readonly boxes: ReadonlyMap<string, Box>;
  /** The corners of each edge by its id, from the picture's own corner. */
  readonly routes: ReadonlyMap<string, readonly Point[]>;
}

/** Above so many steps a layout takes seconds, and nobody reads the picture. */
export const drawable = 300;

const size = { width: 228, height: 66 };

let engine: Promise<ELK> | undefined;
/** Loads the layout engine, once: in the form without a worker, since the pages' policy lets no library start one. */
export const elk = (): Promise<ELK> => {
  engine ??= import("elkjs/lib/elk.bundled.js").then(({ default: Elk }) => new Elk());
  return engine;
};

const options = {
  "elk.algorithm": "layered",
  "elk.direction": "DOWN",
  "elk.hierarchyHandling": "INCLUDE_CHILDREN",
  "elk.spacing.nodeNode": "28",
  "elk.layered.spacing.nodeNodeBetweenLayers": "32",
  "elk.layered.considerModelOrder.strategy": "NODES_AND_EDGES",
  "elk.layered.nodePlacement.strategy": "NETWORK_SIMPLEX",
};

/** Places the nodes of a graph from top to bottom, those of branches inside their step. */
export async function layoutOf({ nodes, edges }: Graph): Promise<Layout> {
  const inside = Map.groupBy(nodes, ({ parent }) => parent);
  const elkNode = ({ id }: GraphNode): ElkNode => {
    const children = inside.get(id);
    if (children === undefined) return { id, ...size };
    return {
      id,
      children: children.map(elkNode),
      layoutOptions: { "elk.padding": "[top=70,left=16,bottom=16,right=16]" },
    };
  };
  const placed = await (await elk()).layout({
    id: "graph",
    layoutOptions: options,
    children: (inside.get(null) ?? []).map(elkNode),
    edges: edges.map(({ id, from, to }) => ({ id, sources: [from], targets: [to] })),
  });
  const boxes = new Map(boxesOf(placed.children ?? []));
  const parents = new Map(nodes.map(({ id, parent }) => [id, parent]));
  return { boxes, routes: new Map((placed.edges ?? []).map((edge) => [edge.id, pointsOf(edge, boxes, parents)])) };
}

function boxesOf(nodes: readonly ElkNode[]): [string, Box][] {
  return nodes.flatMap(({ id, x = 0, y = 0, width = size.width, height = size.height, children = [] }) => [
    [id, { x, y, width, height }],
    ...boxesOf(children),
  ]);
}

/** Corners stand relative to the node that holds both ends. */
function pointsOf(
  edge: ElkExtendedEdge & { readonly container?: string },
  boxes: ReadonlyMap<string, Box>,
  parents: ReadonlyMap<string, string | null>,
): Point[] {
  let [left, top] = [0, 0];
  for (let at: string | null | undefined = edge.container; at != null; at = parents.get(at)) {
    left += boxes.get(at)?.x ?? 0;
    top += boxes.get(at)?.y ?? 0;
  }
  return (edge.sections ?? []).flatMap(({ startPoint, bendPoints = [], endPoint }) =>
    [startPoint, ...bendPoints, endPoint].map(({ x, y }) => ({ x: x + left, y: y + top })),
  );
}
