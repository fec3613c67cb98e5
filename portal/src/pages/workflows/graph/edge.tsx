import { BaseEdge, type Edge, type EdgeProps, getSmoothStepPath } from "@xyflow/react";
import type { Point } from "./layout.ts";

export type RoutedEdge = Edge<{ readonly points: readonly Point[] | undefined }, "routed">;

const radius = 6;

/** An edge around the nodes between its ends. */
export function Routed(edge: EdgeProps<RoutedEdge>) {
  const { id, data, markerEnd, style, interactionWidth } = edge;
  const points = data?.points ?? [];
  const path = points.length < 2 ? getSmoothStepPath(edge)[0] : pathOf(points);
  return (
    <BaseEdge
      id={id}
      path={path}
      interactionWidth={interactionWidth}
      {...(markerEnd && { markerEnd })}
      {...(style && { style })}
    />
  );
}

/** A line through the points, its corners rounded. */
function pathOf(points: readonly Point[]): string {
  const [first, ...rest] = points as [Point, ...Point[]];
  const parts = [`M${first.x},${first.y}`];
  for (const [at, point] of rest.entries()) {
    const next = rest[at + 1];
    if (next === undefined) parts.push(`L${point.x},${point.y}`);
    else {
      const before = toward(point, points[at] as Point);
      const after = toward(point, next);
      parts.push(`L${before.x},${before.y}`, `Q${point.x},${point.y} ${after.x},${after.y}`);
    }
  }
  return parts.join(" ");
}

function toward(from: Point, to: Point): Point {
  const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
  const share = Math.min(radius, length / 2) / length;
  return { x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share };
}
