import { clsx } from "clsx";
import { lazy, Suspense } from "react";
import { Notice, Skeleton } from "../../../ui/states.tsx";
import type { CanvasProps } from "./canvas.tsx";
import { drawable } from "./layout.ts";

// The picture comes with large libraries, loaded when the first one is shown.
const Canvas = lazy(() => import("./canvas.tsx"));

/** The steps as a picture, as large as `className` says. */
export function Picture({ className, ...canvas }: CanvasProps & { readonly className: string }) {
  if (canvas.graph.nodes.length > drawable) {
    return (
      <Notice>
        {canvas.graph.nodes.length.toLocaleString("en")} steps are too many for a picture. The list shows all of them.
      </Notice>
    );
  }
  return (
    <div
      aria-hidden={canvas.overview || undefined}
      inert={canvas.overview}
      className={clsx("overflow-hidden rounded-lg border border-line bg-canvas", className)}
    >
      <Suspense fallback={<Skeleton className="h-full min-h-40" />}>
        <Canvas {...canvas} />
      </Suspense>
    </div>
  );
}
