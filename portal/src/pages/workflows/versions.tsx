import { useState } from "react";
import { useLive, usePrefetched } from "../../api/queries.ts";
import { useMay } from "../../api/rights.ts";
import type { Workflow } from "../../api/workflow-types.ts";
import { listVersions, readVersion } from "../../api/workflows.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { ChangeRow } from "../../ui/change-row.tsx";
import { DigestText } from "../../ui/code.tsx";
import { EmptyState, ErrorState, Skeleton } from "../../ui/states.tsx";
import { RelativeTime } from "../../ui/time.tsx";
import { SecondLook } from "../accountability/public.tsx";
import { Publish } from "./dialogs.tsx";

/** Versions, newest first: what is new in each, and which one is live here. */
export function Versions({ workflow }: { readonly workflow: Workflow }) {
  const { data } = usePrefetched(listVersions(workflow.name), { every: 10_000 });
  const mayWrite = useMay("workflows:write");
  const [chosen, setChosen] = useState<number | null>(null);
  if (data.data.length === 0)
    return (
      <EmptyState title="No versions yet">Publishing freezes the draft as a version. Versions never change.</EmptyState>
    );
  return (
    <>
      <ol className="grid gap-3">
        {data.data.map((version) => (
          <li
            key={version.version_id}
            className="grid gap-2 rounded-lg border border-line bg-surface px-4 py-4 text-sm shadow-card sm:px-5"
          >
            <p className="flex flex-wrap items-center gap-2">
              <span className="font-semibold">Version {version.number}</span>
              {version.live ? <Badge tone="good">live</Badge> : null}
              <RelativeTime time={version.created_at} className="ml-auto text-muted" />
            </p>
            <p className={version.note ? "" : "text-muted"}>{version.note || "No change note."}</p>
            <p className="text-muted">
              <DigestText digest={version.digest} />
            </p>
            <SecondLook object={`workflow:${workflow.name}@${version.number}`} />
            <div className="flex flex-wrap items-start gap-2">
              {version.number > 1 ? <Changes workflow={workflow.name} version={version.number} /> : null}
              {version.live || !mayWrite || workflow.status === "archived" ? null : (
                <Button size="small" className="ml-auto" onClick={() => setChosen(version.number)}>
                  Publish here…
                </Button>
              )}
            </div>
          </li>
        ))}
      </ol>
      {chosen === null ? null : <Publish workflow={workflow} version={chosen} onClose={() => setChosen(null)} />}
    </>
  );
}

interface ChangesProps {
  readonly workflow: string;
  readonly version: number;
}

/** What changed from the version before, when it is asked for. */
function Changes(props: ChangesProps) {
  const [open, setOpen] = useState(false);
  return (
    <details className="min-w-0 flex-1 basis-full" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="w-fit rounded py-1 text-muted hover:text-ink">
        What changed from version {props.version - 1}
      </summary>
      {open ? <Difference {...props} /> : null}
    </details>
  );
}

function Difference({ workflow, version }: ChangesProps) {
  const { data, error } = useLive(readVersion(workflow, version, version - 1));
  if (error) return <ErrorState error={error} />;
  if (!data?.diff) return <Skeleton lines={3} />;
  if (data.diff.identical) return <p className="text-muted">Nothing: they say the same.</p>;
  return (
    <div className="mt-2 grid gap-2">
      <p>{data.diff.summary}</p>
      <ul className="grid gap-2">
        {data.diff.changes.map((change) => (
          <ChangeRow
            key={`${change.kind} ${change.pointer}`}
            change={{ ...change, pointer: change.path.join(" › ") }}
          />
        ))}
      </ul>
    </div>
  );
}
