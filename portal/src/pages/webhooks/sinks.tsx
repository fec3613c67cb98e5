import { useState } from "react";
import { type AuditSink, changeSink, listSinks } from "../../api/audit.ts";
import { useChange, useLive } from "../../api/queries.ts";
import { useMay } from "../../api/rights.ts";
import { counted, duration } from "../../lib/words.ts";
import { Badge, StatusBadge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { NewButton } from "../../ui/new-button.tsx";
import { EmptyState, ErrorState, Skeleton } from "../../ui/states.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { RelativeTime } from "../../ui/time.tsx";
import { toastProblem } from "../../ui/toast.tsx";
import { Stopped } from "../accountability/public.tsx";
import { CreateSink, RemoveSink, ReplaceCredentials, touchedSinks } from "./sink-forms.tsx";
import { sinkKinds } from "./sink-kinds.ts";

type Asked = "credentials" | "removal";

/** Receivers that the audit log is sent to, and how far they are. */
export function AuditSinks() {
  const { data, error } = useLive(listSinks(), { every: 5000, untold: true });
  const mayChange = useMay("audit:export");
  const [creating, setCreating] = useState(false);
  const [asked, setAsked] = useState<{ readonly what: Asked; readonly sink: AuditSink } | null>(null);
  const close = (): void => setAsked(null);
  const add = mayChange ? <NewButton onClick={() => setCreating(true)}>New audit sink</NewButton> : null;
  return (
    <Card title="Audit sinks" aside={data && data.data.length > 0 ? add : null} flush className="mt-6">
      {error ? <ErrorState error={error} className="m-4" /> : null}
      {data === undefined && !error ? <Skeleton className="m-4 h-16" /> : null}
      {data?.data.length === 0 ? (
        <EmptyState title="No audit sinks yet" action={add}>
          An audit sink sends every record of the audit log to a SIEM, a collector or a bucket, in order and without
          gaps.
        </EmptyState>
      ) : null}
      {data && data.data.length > 0 ? (
        <Table
          label="Audit sinks"
          columns={mayChange ? [...columns, actions((what, sink) => setAsked({ what, sink }))] : columns}
          rows={data.data}
          rowKey={({ sink_id }) => sink_id}
        />
      ) : null}
      {creating ? <CreateSink onClose={() => setCreating(false)} /> : null}
      {asked?.what === "credentials" ? <ReplaceCredentials sink={asked.sink} onClose={close} /> : null}
      {asked?.what === "removal" ? <RemoveSink sink={asked.sink} onClose={close} /> : null}
    </Card>
  );
}

const columns: readonly Column<AuditSink>[] = [
  {
    name: "Receiver",
    cell: ({ name, kind, target }) => (
      <span className="grid min-w-0 gap-0.5">
        <span className="font-medium break-words">{name}</span>
        <span className="break-all text-muted">
          {sinkKinds[kind].title}, {placeOf(target)}
        </span>
      </span>
    ),
  },
  { name: "State", cell: (sink) => <SinkState sink={sink} /> },
  { name: "Position", right: true, cell: ({ position }) => position.toLocaleString("en") },
  { name: "Progress", cell: (sink) => <Progress sink={sink} /> },
];

/** Where it sends to, in one line. */
function placeOf(target: Readonly<Record<string, unknown>>): string {
  const { url, host, endpoint, bucket } = target;
  return [url ?? host ?? endpoint, bucket].filter((part) => typeof part === "string").join("/");
}

function SinkState({ sink: { state, stopped_reason, failing_since, last_error } }: { readonly sink: AuditSink }) {
  if (stopped_reason !== null) return <Badge tone="bad">Stopped</Badge>;
  if (state === "active" && (failing_since ?? last_error) !== null) return <Badge tone="bad">Failing</Badge>;
  return <StatusBadge status={state} />;
}

/** How far it is behind, and what keeps it from going on. */
function Progress({ sink }: { readonly sink: AuditSink }) {
  const {
    sink_id,
    lag_records,
    lag_seconds,
    last_sent_at,
    last_error,
    failing_since,
    stopped_reason,
    next_attempt_at,
  } = sink;
  return (
    <span className="grid min-w-0 gap-1">
      <span className="text-muted">
        {lag_records === 0
          ? "nothing waits"
          : `${counted(lag_records, "record")} behind, the oldest ${duration(lag_seconds * 1000)} old`}
        {last_sent_at === null ? (
          ", nothing acknowledged yet"
        ) : (
          <>
            {", last acknowledged "}
            <RelativeTime time={last_sent_at} />
          </>
        )}
      </span>
      {last_error === null ? null : (
        <span className="break-words text-bad">
          {last_error.detail}
          {failing_since === null ? null : (
            <>
              {" Failing since "}
              <RelativeTime time={failing_since} />.
            </>
          )}
          {next_attempt_at === null || stopped_reason !== null ? null : (
            <>
              {" Next attempt "}
              <RelativeTime time={next_attempt_at} />.
            </>
          )}
        </span>
      )}
      {sink.not_sent.length > 0 ? (
        <span className="text-warn">Records of a closed log were not sent: export that log to read them.</span>
      ) : null}
      <Stopped object={`sink:${sink_id}`} reason={stopped_reason} stale={touchedSinks} />
    </span>
  );
}

const actions = (ask: (what: Asked, sink: AuditSink) => void): Column<AuditSink> => ({
  name: "Actions",
  cell: (sink) => <Actions sink={sink} ask={(what) => ask(what, sink)} />,
});

function Actions({ sink, ask }: { readonly sink: AuditSink; readonly ask: (what: Asked) => void }) {
  const change = useChange(changeSink, touchedSinks);
  const state = sink.state === "active" && sink.stopped_reason === null ? "paused" : "active";
  const word = state === "paused" ? "Pause" : sink.stopped_reason === null ? "Resume" : "Start";
  const turn = (): void => change.mutate({ sink: sink.sink_id, state }, { onError: toastProblem });
  return (
    <span className="flex flex-wrap gap-1.5">
      <Button size="small" busy={change.isPending} onClick={turn} aria-label={`${word} ${sink.name}`}>
        {word}
      </Button>
      <Button size="small" onClick={() => ask("credentials")} aria-label={`Replace credentials of ${sink.name}`}>
        Credentials
      </Button>
      <Button size="small" onClick={() => ask("removal")} aria-label={`Remove ${sink.name}`}>
        Remove
      </Button>
    </span>
  );
}
