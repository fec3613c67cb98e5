import { useState } from "react";
import { listAlerts, pauseAlert, readAlert, removeAlert } from "../../../api/analytics-alerts.ts";
import { useChange, useLive, usePrefetched } from "../../../api/queries.ts";
import { useMay } from "../../../api/rights.ts";
import type { Schema } from "../../../api/types.ts";
import { when } from "../../../lib/time.ts";
import { spoken } from "../../../lib/words.ts";
import { Badge, type Tone } from "../../../ui/badge.tsx";
import { Button } from "../../../ui/button.tsx";
import { Card } from "../../../ui/card.tsx";
import { NewButton } from "../../../ui/new-button.tsx";
import { EmptyState, ErrorState, Skeleton } from "../../../ui/states.tsx";
import { RelativeTime } from "../../../ui/time.tsx";
import { toast, toastProblem } from "../../../ui/toast.tsx";
import { Stopped } from "../../accountability/public.tsx";
import { Behind } from "../behind.tsx";
import type { ViewProps } from "../view.ts";
import { measureText, titleOf } from "../words.ts";
import { CreateAlert } from "./create.tsx";
import { conditionText } from "./words.ts";

type Alert = Schema<"AlertSummary">;

const touched = ["/v1/analytics/alerts", "/v1/analytics/alerts/{alert}"] as const;

/** Measures that are watched, those that fire first. */
export function AlertsView({ search, onSearch }: ViewProps) {
  const { data } = usePrefetched(listAlerts(), { every: 10_000 });
  const mayWrite = useMay("analytics:write");
  const [open, setOpen] = useState(false);
  const alerts = [...data.data].sort((one, other) => Number(other.fired) - Number(one.fired));
  return (
    <>
      {mayWrite ? <NewButton onClick={() => setOpen(true)}>New alert</NewButton> : null}
      {alerts.length === 0 ? (
        <EmptyState
          title="No alerts yet"
          command={
            'bin/aos analytics alerts create --name \'Many failures\' --measure failed --condition \'{"kind":"above","threshold":10}\''
          }
        >
          An alert watches a measure and tells webhook endpoints and members once when it fires and once when it clears.
          New alert makes one here, or:
        </EmptyState>
      ) : (
        <Card title="Alerts" flush>
          <ul className="divide-y divide-line">
            {alerts.map((alert) => (
              <AlertRow
                key={alert.alert_id}
                alert={alert}
                open={search.alert === alert.alert_id}
                onOpen={(next) => onSearch({ alert: next ? alert.alert_id : undefined })}
              />
            ))}
          </ul>
        </Card>
      )}
      {open ? <CreateAlert onClose={() => setOpen(false)} /> : null}
    </>
  );
}

const tones: Readonly<Record<Alert["state"], Tone>> = {
  waiting: "neutral",
  ok: "good",
  pending: "warn",
  firing: "bad",
  recovering: "warn",
  no_data: "neutral",
};

interface RowProps {
  readonly alert: Alert;
  readonly open: boolean;
  readonly onOpen: (open: boolean) => void;
}

function AlertRow({ alert, open, onOpen }: RowProps) {
  const { name, measure, state, state_since, paused, value, n, error, stopped_reason, link } = alert;
  return (
    <li className="grid gap-2 px-4 py-4 text-sm sm:px-5">
      <div className="flex flex-wrap items-center gap-2">
        <span className="font-medium">{name}</span>
        {paused ? (
          <Badge>paused</Badge>
        ) : stopped_reason !== null ? (
          <Badge tone="bad">stopped</Badge>
        ) : (
          <Badge tone={tones[state]}>{spoken(state)}</Badge>
        )}
        <RelativeTime time={state_since} className="text-muted" />
        <span className="ml-auto tabular-nums">
          {titleOf(measure)}{" "}
          <Behind link={link} className="font-semibold">
            {value === null ? "–" : measureText(measure, value)}
          </Behind>{" "}
          <span className="text-muted">of {n.toLocaleString("en")}</span>
        </span>
      </div>
      <p className="text-muted">{conditionText(alert)}</p>
      <Stopped object={`alert:${alert.alert_id}`} reason={stopped_reason} stale={touched} />
      {error === null ? null : <p className="text-bad">The last look could not measure: {error}</p>}
      <div className="flex flex-wrap items-center gap-2">
        <Button size="small" aria-expanded={open} onClick={() => onOpen(!open)}>
          History
        </Button>
        <AlertActions alert={alert} />
      </div>
      {open ? <History alert={alert} /> : null}
    </li>
  );
}

function AlertActions({ alert: { alert_id, name, paused } }: Pick<RowProps, "alert">) {
  const mayWrite = useMay("analytics:write");
  const pause = useChange(pauseAlert, touched);
  const remove = useChange(removeAlert, touched);
  const [sure, setSure] = useState(false);
  if (!mayWrite) return null;
  return (
    <>
      <Button
        size="small"
        busy={pause.isPending}
        onClick={() => pause.mutate({ alert: alert_id, paused: !paused }, { onError: toastProblem })}
      >
        {paused ? "Resume" : "Pause"}
      </Button>
      <Button
        size="small"
        kind={sure ? "danger" : "plain"}
        busy={remove.isPending}
        onBlur={() => setSure(false)}
        onClick={() =>
          sure
            ? remove.mutate(alert_id, { onSuccess: () => toast(`${name} is removed.`), onError: toastProblem })
            : setSure(true)
        }
      >
        {sure ? "Remove it for good" : "Remove"}
      </Button>
    </>
  );
}

function History({ alert: { alert_id, measure } }: Pick<RowProps, "alert">) {
  const { data, error } = useLive(readAlert(alert_id), { every: 15_000 });
  if (data === undefined) return error ? <ErrorState error={error} /> : <Skeleton lines={3} />;
  if (data.history.length === 0) return <p className="text-muted">It has not changed its state yet.</p>;
  return (
    <ol aria-label="History" className="grid gap-1 border-l-2 border-line pl-3">
      {data.history.map(({ at, state, event, value, n }) => (
        <li key={`${at} ${state}`} className="flex flex-wrap gap-x-3">
          <time dateTime={at} className="text-muted">
            {when(at)}
          </time>
          <span>{spoken(state)}</span>
          {event === null ? null : <Badge tone={event === "fired" ? "bad" : "good"}>{event}, sent</Badge>}
          <span className="text-muted tabular-nums">
            {value === null ? "nothing to measure" : measureText(measure, value)} of {n.toLocaleString("en")}
          </span>
        </li>
      ))}
    </ol>
  );
}
