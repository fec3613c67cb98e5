import { getRouteApi, Link } from "@tanstack/react-router";
import { Search } from "lucide-react";
import { listMembers } from "../../api/admin.ts";
import { readRecord } from "../../api/audit.ts";
import { useLive } from "../../api/queries.ts";
import { useMay } from "../../api/rights.ts";
import type { Schema } from "../../api/types.ts";
import { visible } from "../../lib/words.ts";
import { Badge, type Tone } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Facts, PageHead } from "../../ui/card.tsx";
import { CopyText } from "../../ui/code.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Chips, Field } from "../../ui/field.tsx";
import { Pagination } from "../../ui/pagination.tsx";
import { EmptyState, ErrorState, NothingFits, Skeleton } from "../../ui/states.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { RelativeTime } from "../../ui/time.tsx";
import { RecordCheck } from "./public.tsx";
import { type AuditSearch, decisions, recordsOf } from "./search.ts";

type AuditEvent = Schema<"AuditEvent">;

const route = getRouteApi("/shell/audit");
const tones: Readonly<Record<AuditEvent["decision"], Tone>> = { allowed: "good", refused: "bad", failed: "warn" };

/** The log of every call: searched by what was said, who called and when; each record with its proof. */
export function AuditPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <>
      <PageHead
        title="Audit log"
        lead="Every call, with what each stage decided. Search by words and amounts of the task, by person, operation and day."
      />
      <Filters key={JSON.stringify({ ...search, open: undefined })} search={search} />
      <div className="mt-4 overflow-hidden rounded-lg border border-line bg-surface shadow-card">
        <Records search={search} />
      </div>
      <OpenRecord
        auditRef={search.open}
        onClose={() => void navigate({ search: { ...search, open: undefined }, replace: true })}
      />
    </>
  );
}

function Filters({ search }: { readonly search: AuditSearch }) {
  const navigate = route.useNavigate();
  const go = (change: Partial<AuditSearch>): void =>
    void navigate({ search: { ...search, ...change, cursor: undefined, open: undefined } });
  return (
    <search aria-label="Audit log">
      <form
        className="flex flex-wrap items-end gap-x-3 gap-y-3"
        onSubmit={(event) => {
          event.preventDefault();
          const form = new FormData(event.currentTarget);
          const said = (name: string) => String(form.get(name)).trim() || undefined;
          go({
            text: said("text"),
            actor: said("actor"),
            action: said("action"),
            from: said("from"),
            until: said("until"),
          });
        }}
      >
        <Field
          name="text"
          label="Words of the task"
          defaultValue={search.text}
          className="w-64"
          placeholder="refund 240"
        />
        <Field name="actor" label="Caller" defaultValue={search.actor} className="w-44" placeholder="mbr_…" />
        <Field
          name="action"
          label="Operation"
          defaultValue={search.action}
          className="w-56"
          placeholder="approvals.approve"
        />
        <Field name="from" label="From" type="date" defaultValue={search.from} className="w-40" />
        <Field name="until" label="Until" type="date" defaultValue={search.until} className="w-40" />
        <Button type="submit" kind="primary" icon={<Search className="size-4" aria-hidden="true" />}>
          Search
        </Button>
        <Chips
          label="Filter by decision"
          options={decisions.map((word) => [word, word] as const)}
          chosen={search.decision?.split(",") ?? []}
          onChange={(next) => go({ decision: next.length === 0 ? undefined : next.join(",") })}
        />
      </form>
    </search>
  );
}

function Records({ search }: { readonly search: AuditSearch }) {
  const navigate = route.useNavigate();
  const { data, error } = useLive(recordsOf(search));
  const nameOf = useNames();
  if (error) return <ErrorState error={error} />;
  if (data === undefined) return <Skeleton lines={6} className="p-5" />;
  if (data.data.length === 0) return <Nothing search={search} />;
  return (
    <>
      <Table
        label="Records"
        columns={columnsWith(search, nameOf)}
        rows={data.data}
        rowKey={({ audit_ref }) => audit_ref}
      />
      <Pagination
        cursor={search.cursor}
        next={data.next_cursor}
        onGo={(cursor) => void navigate({ search: { ...search, cursor } })}
      />
    </>
  );
}

/** Names of members, where these may be read; else their ids. */
function useNames(): (actor: string) => string {
  const { data } = useLive(listMembers(), { when: useMay("admin:read") });
  return (actor) => data?.data.find(({ member_id }) => member_id === actor)?.name ?? actor;
}

const columnsWith = (search: AuditSearch, nameOf: (actor: string) => string): readonly Column<AuditEvent>[] => [
  {
    name: "Operation",
    cell: ({ audit_ref, action }) => (
      <Link to="/audit" search={{ ...search, open: audit_ref }} className="font-medium break-all hover:underline">
        {action}
      </Link>
    ),
  },
  {
    name: "Caller",
    cell: ({ actor }) => (
      <span className="break-all" title={actor}>
        {visible(nameOf(actor))}
      </span>
    ),
  },
  {
    name: "About",
    cell: ({ task_id, object }) =>
      task_id === null ? (
        <code className="id break-all">{object ?? "–"}</code>
      ) : (
        <Link to="/tasks/$task" params={{ task: task_id }} className="id break-all hover:underline">
          {task_id}
        </Link>
      ),
  },
  {
    name: "Decision",
    cell: ({ decision, stage, integrity }) => (
      <span className="flex flex-wrap gap-1">
        <Badge tone={tones[decision]}>{stage === null ? decision : `${decision} by ${stage}`}</Badge>
        {integrity === undefined ? null : (
          <Badge tone="bad" title={integrity}>
            altered
          </Badge>
        )}
      </span>
    ),
  },
  { name: "When", right: true, cell: ({ time }) => <RelativeTime time={time} className="text-muted" /> },
];

function Nothing({ search }: { readonly search: AuditSearch }) {
  const filtered = Object.values(search).some((value) => value !== undefined);
  if (!filtered) return <EmptyState title="No records yet">Each call writes one.</EmptyState>;
  return (
    <NothingFits title="No matching records">
      <Link to="/audit" search={{}}>
        The whole log
      </Link>
    </NothingFits>
  );
}

/** One record: what was decided, on what, and its proof. */
function OpenRecord({ auditRef, onClose }: { readonly auditRef: string | undefined; readonly onClose: () => void }) {
  return (
    <Dialog open={auditRef !== undefined} onClose={onClose} title="Record">
      {auditRef === undefined ? null : <OneRecord auditRef={auditRef} />}
    </Dialog>
  );
}

function OneRecord({ auditRef }: { readonly auditRef: string }) {
  const { data: record, error } = useLive(readRecord(auditRef));
  const nameOf = useNames();
  if (error) return <ErrorState error={error} />;
  if (record === undefined) return <Skeleton lines={5} />;
  return (
    <div className="grid gap-3 text-sm">
      <CopyText text={auditRef} label="audit reference" />
      <Facts
        facts={[
          ["Operation", <code key="action">{record.action}</code>],
          ["Caller", visible(nameOf(record.actor))],
          ["Key", <code key="key">{record.key_id ?? "–"}</code>],
          ["About", <code key="object">{record.object ?? "–"}</code>],
          ["Answer", `${record.status}${record.code === null ? "" : ` ${record.code}`}`],
          ["When", <RelativeTime key="time" time={record.time} />],
        ]}
      />
      <RecordCheck auditRef={auditRef} record={record} />
      {record.task_id === null ? null : (
        <Link to="/tasks/$task" params={{ task: record.task_id }} className="text-accent hover:underline">
          The task, with its decision record
        </Link>
      )}
    </div>
  );
}
