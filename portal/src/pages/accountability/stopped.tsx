import { takeOver } from "../../api/accountability.ts";
import type { GetPath } from "../../api/client.ts";
import { useChange } from "../../api/queries.ts";
import { useMay } from "../../api/rights.ts";
import { Button } from "../../ui/button.tsx";
import { ErrorState, Notice } from "../../ui/states.tsx";
import { toast } from "../../ui/toast.tsx";

interface StoppedProps {
  /** What acts later, such as `schedule:sch_…`. */
  readonly object: string;
  /** Why it stopped; null and undefined: it goes on. */
  readonly reason: string | null | undefined;
  /** Paths of reads that show it. */
  readonly stale: readonly GetPath[];
}

/** Why something stopped, and the way to start it again in one's own name. */
export function Stopped({ object, reason, stale }: StoppedProps) {
  const change = useChange(takeOver, stale);
  const mayTakeOver = useMay("governance:confirm");
  if (reason === null || reason === undefined) return null;
  const take = (): void => change.mutate({ object }, { onSuccess: () => toast("It runs again, in your name.") });
  return (
    <Notice tone="warn">
      <span className="grid gap-2">
        <span>{reason}</span>
        {mayTakeOver ? (
          <span className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
            <Button size="small" busy={change.isPending} onClick={take}>
              Take over
            </Button>
            <span>It then runs in your name, with your permissions.</span>
          </span>
        ) : null}
        {change.error ? <ErrorState error={change.error} /> : null}
      </span>
    </Notice>
  );
}
