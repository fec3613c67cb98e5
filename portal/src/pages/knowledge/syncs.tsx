import { listSyncs, readSync, type Sync } from "../../api/knowledge.ts";
import { useLive } from "../../api/queries.ts";
import { exactly } from "../../lib/time.ts";
import { Badge, StatusBadge } from "../../ui/badge.tsx";
import { Card, Facts } from "../../ui/card.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { ErrorState, Notice, Skeleton } from "../../ui/states.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { RelativeTime } from "../../ui/time.tsx";

/** What a sync came to, or has so far. */
export function syncText({ added, changed, removed, failed, indexing }: Sync): string {
  const more = `${failed > 0 ? `, ${failed} failed` : ""}${indexing > 0 ? `, ${indexing} to be indexed` : ""}`;
  return `${added} added, ${changed} changed, ${removed} removed${more}`;
}

interface HistoryProps {
  readonly base: string;
  readonly onOpen: (sync: string) => void;
}

/** The latest syncs of a base. */
export function SyncHistory({ base, onOpen }: HistoryProps) {
  const { data, error } = useLive(listSyncs(base), {
    every: (known) => (known?.data.some(({ state }) => state === "queued" || state === "running") ? 1500 : 6000),
  });
  if (error) return <ErrorState error={error} />;
  if (data === undefined) return <Skeleton lines={4} />;
  if (data.data.length === 0) return null;
  return (
    <Card title="Syncs" flush>
      <Table label="Syncs" columns={columnsOf(onOpen)} rows={data.data} rowKey={({ sync_id }) => sync_id} />
    </Card>
  );
}

const columnsOf = (open: (sync: string) => void): readonly Column<Sync>[] => [
  {
    name: "Connector",
    cell: (sync) => (
      <button type="button" className="text-left font-medium hover:underline" onClick={() => open(sync.sync_id)}>
        {sync.connector}
        {sync.trigger === "schedule" ? <Badge className="ml-2">by schedule</Badge> : null}
      </button>
    ),
  },
  { name: "State", cell: ({ state }) => <StatusBadge status={state} /> },
  { name: "Result", cell: (sync) => syncText(sync) },
  { name: "Started", right: true, cell: ({ created_at }) => <RelativeTime time={created_at} className="text-muted" /> },
];

interface DialogProps {
  readonly base: string;
  /** Undefined: none is looked at. */
  readonly sync: string | undefined;
  readonly onClose: () => void;
}

/** One sync: what it did, and the items that it could not take. */
export function SyncDialog({ base, sync, onClose }: DialogProps) {
  return (
    <Dialog open={sync !== undefined} onClose={onClose} title="Sync" wide>
      {sync === undefined ? null : <Content base={base} sync={sync} />}
    </Dialog>
  );
}

function Content({ base, sync }: { readonly base: string; readonly sync: string }) {
  const { data, error } = useLive(readSync(base, sync), {
    every: (known) => (known === undefined || known.finished_at === null || known.indexing > 0 ? 1000 : false),
    untold: true,
  });
  if (error) return <ErrorState error={error} />;
  if (data === undefined) return <Skeleton lines={6} />;
  return (
    <div className="grid gap-4 text-sm">
      <StatusBadge status={data.state} className="w-fit" />
      {data.error ? <Notice tone="bad">{data.error.detail}</Notice> : null}
      {data.partial ? <Notice tone="warn">{data.partial}</Notice> : null}
      {data.left_out ? <Notice>{data.left_out}</Notice> : null}
      <Facts
        facts={[
          ["Connector", data.connector],
          ["Added", data.added],
          ["Changed", data.changed],
          ["Removed", data.removed],
          ["Unchanged", data.unchanged],
          ["Failed", data.failed],
          data.indexing > 0 && ["To be indexed", data.indexing],
          data.not_indexed > 0 && ["Could not be indexed", data.not_indexed],
          ["Started", exactly(data.started_at ?? data.created_at)],
          data.finished_at !== null && ["Ended", exactly(data.finished_at)],
        ]}
      />
      {data.failures.data.length > 0 ? (
        <section aria-label="Items that failed">
          <h3 className="mb-2 font-medium">Could not be taken</h3>
          <ul className="divide-y divide-line rounded-md border border-line">
            {data.failures.data.map(({ item, detail }) => (
              <li key={item} className="px-3 py-2">
                <code className="id">{item}</code>
                <span className="block text-bad">{detail}</span>
              </li>
            ))}
          </ul>
          {data.failures.has_more ? <p className="mt-1 text-muted">These are the first ones.</p> : null}
        </section>
      ) : null}
    </div>
  );
}
