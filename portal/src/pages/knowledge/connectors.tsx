import { getRouteApi } from "@tanstack/react-router";
import { Plus } from "lucide-react";
import { useState } from "react";
import { type Base, type Connector, changeConnector, listConnectors, startSync, touched } from "../../api/knowledge.ts";
import { useChange, useLive } from "../../api/queries.ts";
import { useMay } from "../../api/rights.ts";
import { counted } from "../../lib/words.ts";
import { Badge, StatusBadge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Card, Facts } from "../../ui/card.tsx";
import { EmptyState, ErrorState, Notice, Skeleton } from "../../ui/states.tsx";
import { RelativeTime } from "../../ui/time.tsx";
import { toast, toastProblem } from "../../ui/toast.tsx";
import { Stopped } from "../accountability/public.tsx";
import { kinds, sourceText } from "./connector-kinds.ts";
import { CreateConnector } from "./create-connector.tsx";
import { RemoveConnector } from "./remove-connector.tsx";
import { SyncDialog, SyncHistory, syncText } from "./syncs.tsx";
import { readersText } from "./words.ts";

const route = getRouteApi("/shell/knowledge/bases/$base");

/** The sources of a base, and what their syncs brought. */
export function Connectors({ base }: { readonly base: Base }) {
  const { sync } = route.useSearch();
  const navigate = route.useNavigate();
  const { data, error } = useLive(listConnectors(base.name), {
    every: (known) => (known?.data.some(({ last_sync }) => isRunning(last_sync)) ? 1500 : 6000),
  });
  const mayWrite = useMay("knowledge:write");
  const [creating, setCreating] = useState(false);
  const open = (id: string | undefined): void =>
    void navigate({ search: { tab: "connectors", sync: id }, resetScroll: false });
  if (error) return <ErrorState error={error} />;
  if (data === undefined) return <Skeleton lines={5} />;
  const add = mayWrite ? (
    <Button icon={<Plus className="size-4" aria-hidden="true" />} onClick={() => setCreating(true)}>
      New connector
    </Button>
  ) : undefined;
  return (
    <div className="grid gap-4">
      {data.data.length === 0 ? (
        <div className="rounded-lg border border-line bg-surface shadow-card">
          <EmptyState title="No connectors yet" action={add}>
            A connector brings documents from a website, a repository, an API, a feed, a bucket, a database or a folder,
            and keeps them in step.
          </EmptyState>
        </div>
      ) : (
        <>
          {add ? <div className="flex justify-end">{add}</div> : null}
          {data.data.map((connector) => (
            <ConnectorCard
              key={connector.connector_id}
              base={base.name}
              connector={connector}
              mayWrite={mayWrite}
              onOpen={open}
            />
          ))}
          <SyncHistory base={base.name} onOpen={open} />
        </>
      )}
      {creating ? <CreateConnector base={base} onClose={() => setCreating(false)} /> : null}
      <SyncDialog base={base.name} sync={sync} onClose={() => open(undefined)} />
    </div>
  );
}

const isRunning = (sync: Connector["last_sync"]): boolean => sync?.state === "queued" || sync?.state === "running";

interface CardProps {
  readonly base: string;
  readonly connector: Connector;
  readonly mayWrite: boolean;
  readonly onOpen: (sync: string) => void;
}

function ConnectorCard({ base, connector, mayWrite, onOpen }: CardProps) {
  const { name, kind, source, readers, schedule, next_run_at, items, last_sync: last, stopped_reason } = connector;
  return (
    <Card title={name} aside={<State connector={connector} />}>
      <div className="grid gap-3">
        <Facts
          facts={[
            [
              kinds[kind].title,
              <span key="source" className="break-all">
                {sourceText(source)}
              </span>,
            ],
            ["Brought", counted(items, "item")],
            ["Who may read", readers === null ? "Whoever may read the base" : readersText(readers)],
            [
              "Runs",
              schedule === null ? (
                "only when you start it"
              ) : (
                <Schedule key="runs" schedule={schedule} next={next_run_at} />
              ),
            ],
            last !== null && [
              "Last sync",
              <button
                key="last"
                type="button"
                className="text-left underline underline-offset-2"
                onClick={() => onOpen(last.sync_id)}
              >
                {syncText(last)}
              </button>,
            ],
          ]}
        />
        <Stopped object={`connector:${connector.connector_id}`} reason={stopped_reason} stale={touched.connectors} />
        {last?.error ? <Notice tone="bad">{last.error.detail}</Notice> : null}
        {last?.partial ? <Notice tone="warn">{last.partial}</Notice> : null}
        {mayWrite ? <Actions base={base} connector={connector} /> : null}
      </div>
    </Card>
  );
}

function State({ connector: { state, stopped_reason, last_sync } }: { readonly connector: Connector }) {
  if (state === "paused") return <Badge tone="warn">Paused</Badge>;
  if (stopped_reason !== null) return <Badge tone="bad">Stopped</Badge>;
  return last_sync && <StatusBadge status={last_sync.state} />;
}

interface ScheduleProps {
  readonly schedule: NonNullable<Connector["schedule"]>;
  readonly next: string | null;
}

function Schedule({ schedule: { cron, time_zone }, next }: ScheduleProps) {
  return (
    <>
      <code className="id">{cron}</code> ({time_zone})
      {next === null ? null : (
        <span className="text-muted">
          , next <RelativeTime time={next} />
        </span>
      )}
    </>
  );
}

function Actions({ base, connector }: { readonly base: string; readonly connector: Connector }) {
  const start = useChange(startSync, touched.connectors);
  const change = useChange(changeConnector, touched.connectors);
  const [removing, setRemoving] = useState(false);
  const { name, state, last_sync } = connector;
  const next = state === "active" ? "paused" : "active";
  const run = (confirm_removals: boolean): void =>
    void start
      .mutateAsync({ base, connector: connector.connector_id, ...(confirm_removals ? { confirm_removals } : {}) })
      .then(() => toast(`${name} is being synced.`), toastProblem);
  return (
    <div className="flex flex-wrap gap-2">
      <Button
        size="small"
        kind="primary"
        busy={start.isPending || isRunning(last_sync)}
        disabled={state === "paused"}
        onClick={() => run(false)}
      >
        {isRunning(last_sync) ? "Syncing" : "Sync now"}
      </Button>
      {last_sync?.error?.code === "removals_not_confirmed" ? (
        <Button size="small" kind="refuse" onClick={() => run(true)}>
          Sync and delete what vanished
        </Button>
      ) : null}
      <Button
        size="small"
        busy={change.isPending}
        onClick={() =>
          change.mutate({ base, connector: connector.connector_id, state: next }, { onError: toastProblem })
        }
      >
        {next === "paused" ? "Pause" : "Resume"}
      </Button>
      <Button size="small" onClick={() => setRemoving(true)}>
        Detach
      </Button>
      {removing ? <RemoveConnector base={base} connector={connector} onClose={() => setRemoving(false)} /> : null}
    </div>
  );
}
