import type { Schema } from "../../../api/types.ts";
import { counted } from "../../../lib/words.ts";

type Deployment = Schema<"Deployment">;

/** How new tasks are divided between the live version and the canary. */
export function Shares({ live, canary }: { readonly live: Deployment; readonly canary: Deployment }) {
  const label = `${live.share} % of new tasks go to version ${live.version}, ${canary.share} % to version ${canary.version}`;
  return (
    <div className="grid gap-2">
      <div role="img" aria-label={label} className="flex h-7 overflow-hidden rounded-md text-xs font-medium">
        <span
          className="flex items-center justify-end bg-line px-2 text-ink"
          style={{ width: `${Math.min(92, Math.max(8, 100 - canary.share))}%` }}
        >
          {100 - canary.share} %
        </span>
        <span className="flex flex-1 items-center bg-accent px-2 whitespace-nowrap text-on-accent">
          {canary.share} %
        </span>
      </div>
      <p className="flex flex-wrap justify-between gap-x-4 text-sm">
        <span>
          Version {live.version}, live <span className="text-muted">{healthText(live)}</span>
        </span>
        <span>
          Version {canary.version}, canary <span className="text-muted">{healthText(canary)}</span>
        </span>
      </p>
    </div>
  );
}

const healthText = ({ health }: Deployment): string =>
  health === null
    ? ""
    : `${counted(health.open_tasks, "open task")}; in 24 hours ${health.completed_24h} completed, ${health.failed_24h} failed`;
