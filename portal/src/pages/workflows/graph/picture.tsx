import { lazy, Suspense } from "react";
import { Notice } from "../../../ui/states.tsx";
import type { CanvasProps } from "./canvas.tsx";
import { drawable, elk } from "./layout.ts";

// The picture comes with large libraries, loaded when the first one is shown.
const Canvas = lazy(() => {
  void elk();
  return import("./canvas.tsx");
});

interface PictureProps extends CanvasProps {
  /** The most of the window's height that it takes, in percent; a short graph takes less. */
  readonly most: number;
}

/** Height of a step with the room below it, in pixels. */
const rowHeight = 98;

/** The steps as a picture. */
export function Picture({ most, ...canvas }: PictureProps) {
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
      style={{ height: `min(${most}vh, ${canvas.graph.nodes.length * rowHeight + rowHeight}px)` }}
      className="overflow-hidden rounded-lg border border-line bg-canvas"
    >
      <Suspense fallback={<Drawing />}>
        <Canvas {...canvas} />
      </Suspense>
    </div>
  );
}

/** The place of a picture that is on its way. */
const Drawing = () => <div aria-hidden="true" className="h-full animate-pulse rounded bg-line/60" />;
