import { readApproval } from "../../api/approvals.ts";
import { useLive } from "../../api/queries.ts";
import type { Schema } from "../../api/types.ts";
import { ErrorState, Skeleton } from "../../ui/states.tsx";
import { useDecision } from "./decide.ts";
import { Decision } from "./decision.tsx";
import { liveEvery } from "./live.ts";
import { ApprovalColumn, useDigestFits } from "./view.tsx";

/** The approval of a task with everything that a decision needs, inside another page. */
export function ApprovalInPlace({ task }: { readonly task: string }) {
  const { data: approval, error, refetch } = useLive(readApproval(task), { every: liveEvery });
  if (approval) return <Opened approval={approval} />;
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />;
  return <Skeleton lines={8} />;
}

function Opened({ approval }: { readonly approval: Schema<"ApprovalDetail"> }) {
  const fits = useDigestFits(approval);
  const making = useDecision(approval);
  return (
    <ApprovalColumn
      approval={approval}
      fits={fits}
      decision={<Decision approval={approval} fits={fits} making={making} />}
    />
  );
}
