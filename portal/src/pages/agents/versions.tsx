import { useState } from "react";
import { listVersions, readVersion, rollBack } from "../../api/agents.ts";
import { useChange, useLive, usePrefetched } from "../../api/queries.ts";
import { useMay } from "../../api/rights.ts";
import type { Schema } from "../../api/types.ts";
import { Badge, StatusBadge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { type Change, ChangeRow } from "../../ui/change-row.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Field } from "../../ui/field.tsx";
import { EmptyState, ErrorState, Skeleton } from "../../ui/states.tsx";
import { RelativeTime } from "../../ui/time.tsx";
import { toast } from "../../ui/toast.tsx";
import { SecondLook } from "../accountability/public.tsx";
import { Deploy } from "./deploy.tsx";
import { deployed } from "./touched.ts";
import { Trained } from "./trained.tsx";

type Version = Schema<"AgentVersion">;

/** Versions, newest first: what is new in each, what the gate says of it, and which one works here. */
export function Versions({ agent }: { readonly agent: Schema<"Agent"> }) {
  const { data: versions } = usePrefetched(listVersions(agent.agent), { every: 10_000 });
  const mayDeploy = useMay("agents:deploy");
  const [chosen, setChosen] = useState<Version | null>(null);
  const [back, setBack] = useState(false);
  if (versions.data.length === 0)
    return (
      <EmptyState title="No versions yet">
        Freeze the draft as a version, then deploy it. Versions never change.
      </EmptyState>
    );
  return (
    <div className="grid gap-4">
      {mayDeploy && agent.deployment && versions.data.length > 1 ? (
        <div>
          <Button onClick={() => setBack(true)}>Back to the last good version</Button>
        </div>
      ) : null}
      <ol className="grid gap-3">
        {versions.data.map((version) => (
          <li
            key={version.version_id}
            className="grid gap-2 rounded-lg border border-line bg-surface px-4 py-4 text-sm shadow-card sm:px-5"
          >
            <p className="flex flex-wrap items-center gap-2">
              <span className="font-semibold">Version {version.version}</span>
              {version.deployed ? <Badge tone="good">live</Badge> : null}
              <StatusBadge status={version.verdict.state} />
              <RelativeTime time={version.created_at} className="ml-auto text-muted" />
            </p>
            <p className={version.note ? "" : "text-muted"}>{version.note || "No change note."}</p>
            {version.training === null ? null : <Trained training={version.training} />}
            {version.verdict.reasons.map((reason) => (
              <p key={reason} className="text-muted">
                {reason}
              </p>
            ))}
            <SecondLook object={`agent:${agent.agent}@${version.version}`} />
            <div className="flex flex-wrap items-center gap-2">
              {version.based_on === null ? null : (
                <Changes agent={agent.agent} version={version} from={basisOf(version)} />
              )}
              {version.deployed || !mayDeploy ? null : (
                <Button size="small" className="ml-auto" onClick={() => setChosen(version)}>
                  Deploy
                </Button>
              )}
            </div>
          </li>
        ))}
      </ol>
      {chosen ? <Deploy agent={agent} version={chosen} onClose={() => setChosen(null)} /> : null}
      {back ? <GoBack agent={agent.agent} onClose={() => setBack(false)} /> : null}
    </div>
  );
}

/** What a version is compared with: a trained one with that which the training went out from. */
const basisOf = ({ training, based_on }: Version): number => training?.base_version ?? (based_on as number);

/** What changed from the version before, when it is asked for. */
function Changes({
  agent,
  version,
  from,
}: {
  readonly agent: string;
  readonly version: Version;
  readonly from: number;
}) {
  const [open, setOpen] = useState(false);
  return (
    <details className="w-full" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="w-fit rounded py-1 text-muted hover:text-ink">What changed from version {from}</summary>
      {open ? <Difference agent={agent} version={version} from={from} /> : null}
    </details>
  );
}

function Difference({ agent, version, from }: { agent: string; version: Version; from: number }) {
  const { data, error } = useLive(readVersion(agent, version.version, from));
  if (error) return <ErrorState error={error} />;
  if (!data?.diff) return <Skeleton lines={3} />;
  if (data.diff.identical) {
    if (version.training === null) return <p className="text-muted">Nothing: they say the same.</p>;
    return (
      <p className="text-muted">
        The definitions are the same, but {version.training.skill} was trained, as shown above.
      </p>
    );
  }
  return (
    <ul className="mt-2 grid gap-2">
      {data.diff.changes.map((change) => (
        <ChangeRow key={(change as { pointer: string }).pointer} change={change as unknown as Change} />
      ))}
    </ul>
  );
}

function GoBack({ agent, onClose }: { agent: string; onClose: () => void }) {
  const change = useChange(rollBack, deployed);
  const [reason, setReason] = useState("");
  const goBack = async (): Promise<void> => {
    const { version } = (await change.mutateAsync({ agent, reason })) as Schema<"Deployment">;
    toast(`Version ${version} of ${agent} is live again.`);
    onClose();
  };
  const footer = (
    <>
      <Button onClick={onClose}>Leave it</Button>
      <Button
        kind="danger"
        busy={change.isPending}
        disabled={reason === ""}
        onClick={() => void goBack().catch(() => {})}
      >
        Roll back
      </Button>
    </>
  );
  return (
    <Dialog open onClose={onClose} title={`Roll back ${agent}`} footer={footer}>
      <div className="grid gap-4 text-sm">
        <p>
          The last good version takes new work again, at once. What works now is passed over by later rollbacks. While a
          canary runs, the canary ends and the live version stays.
        </p>
        <Field
          label="Why"
          hint="Recorded and shown with the agent."
          value={reason}
          onChange={(event) => setReason(event.target.value)}
          required
        />
        {change.error ? <ErrorState error={change.error} /> : null}
      </div>
    </Dialog>
  );
}
