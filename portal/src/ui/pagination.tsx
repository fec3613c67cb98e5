import { Button } from "./button.tsx";

/** Pages by cursor: on to the next, and back to the newest. The cursor belongs into the address. */
export function Pagination({
  cursor,
  next,
  onGo,
}: {
  cursor: string | undefined;
  next: string | null;
  onGo: (cursor: string | undefined) => void;
}) {
  if (cursor === undefined && next === null) return null;
  return (
    <nav aria-label="Pages" className="flex justify-between gap-2 border-t border-line px-4 py-3">
      <Button size="small" disabled={cursor === undefined} onClick={() => onGo(undefined)}>
        Newest
      </Button>
      <Button size="small" disabled={next === null} onClick={() => onGo(next ?? undefined)}>
        Older
      </Button>
    </nav>
  );
}
