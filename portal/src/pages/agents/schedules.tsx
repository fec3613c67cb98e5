import { Link } from "@tanstack/react-router";
import { Plus } from "lucide-react";
import { useState } from "react";
import { changeSchedule, listSchedules, removeSchedule, type Schedule, touched } from "../../api/agent-schedules.ts";
import { useChange, useLive } from "../../api/queries.ts";
import { useMay } from "../../api/rights.ts";
import type { Schema } from "../../api/types.ts";
import { spoken, usd } from "../../lib/words.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Facts } from "../../ui/card.tsx";
import { JsonView } from "../../ui/code.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { EmptyState, ErrorState, Notice, Skeleton } from "../../ui/states.tsx";
import { RelativeTime } from "../../ui/time.tsx";
import { timeIn } from "../../ui/times-ahead.tsx";
import { toast, toastProblem } from "../../ui/toast.tsx";
import { SecondLook, Stopped } from "../accountability/public.tsx";
import { ScheduleForm } from "./schedule-form.tsx";

type Agent = Schema<"Agent">;
type Asked = { readonly kind: "add" } | { readonly kind: "change" | "remove"; readonly schedule: Schedule };

/** What the agent is given to do again and again. */
export function Schedules({ agent }: { readonly agent: Agent }) {
  const { data, error } = useLive(listSchedules(agent.agent), { every: 10_000 });
  const mayWrite = useMay("agents:write") && agent.status !== "archived";
  const mayAdd = mayWrite && agent.deployment !== null;
  const [asked, setAsked] = useState<Asked | null>(null);
  const close = (): void => setAsked(null);
  const add = mayAdd ? (
    <Button icon={<Plus className="size-4" aria-hidden="true" />} onClick={() => setAsked({ kind: "add" })}>
      Add schedule
    </Button>
  ) : null;
  return (
    <div className="grid gap-4">
      {data && data.data.length > 0 ? <div>{add}</div> : null}
      {error ? <ErrorState error={error} /> : data === undefined ? <Skeleton lines={4} /> : null}
      {data?.data.length === 0 ? (
        <EmptyState title="No schedules" action={add}>
          {agent.deployment === null
            ? "Deploy a version first; then it can be given tasks by the clock."
            : "A schedule dispatches a task at its times, by whichever version is live then."}
        </EmptyState>
      ) : null}
      <ol className="grid gap-3">
        {data?.data.map((schedule) => (
          <ScheduleRow
            key={schedule.schedule_id}
            schedule={schedule}
            onAsk={mayWrite ? (kind) => setAsked({ kind, schedule }) : null}
          />
        ))}
      </ol>
      {asked?.kind === "add" ? <ScheduleForm agent={agent} onClose={close} /> : null}
      {asked?.kind === "change" ? <ScheduleForm agent={agent} schedule={asked.schedule} onClose={close} /> : null}
      {asked?.kind === "remove" ? <Remove schedule={asked.schedule} onClose={close} /> : null}
    </div>
  );
}

interface ScheduleRowProps {
  readonly schedule: Schedule;
  readonly onAsk: ((kind: "change" | "remove") => void) | null;
}

function ScheduleRow({ schedule, onAsk }: ScheduleRowProps) {
  const { task, note, paused, last_error: error, last_skipped: skipped } = schedule;
  const stopped = schedule.stopped_reason !== null;
  return (
    <li className="grid gap-3 rounded-lg border border-line bg-surface px-4 py-4 text-sm shadow-card sm:px-5">
      <div className="flex flex-wrap items-center gap-2">
        <h2 className="id text-sm font-semibold">{schedule.schedule}</h2>
        <span className="text-muted">{schedule.time_zone}</span>
        <Badge>{task}</Badge>
        <Badge tone={paused ? "warn" : stopped ? "bad" : "good"}>
          {paused ? "paused" : stopped ? "stopped" : "active"}
        </Badge>
        {onAsk ? <Acts schedule={schedule} onAsk={onAsk} /> : null}
      </div>
      {note === "" ? null : <p className="max-w-prose">{note}</p>}
      {paused?.reason ? <p className="text-muted">Paused: {paused.reason}</p> : null}
      <Facts
        facts={[
          ["Next", schedule.next_at === null ? "none" : <Next key="next" schedule={schedule} />],
          schedule.waiting_since !== null && [
            "Waiting since",
            <RelativeTime key="waits" time={schedule.waiting_since} />,
          ],
          ["Last task", <LastTask key="last" schedule={schedule} />],
          skipped && [
            "Left out",
            <span key="skipped">
              <RelativeTime time={skipped.at} />,{" "}
              {skipped.reason === "overlap" ? "the task before was not over" : "missed"}
            </span>,
          ],
          ["If one is open", spoken(schedule.overlap)],
          ["Budget", budgetText(schedule)],
        ]}
      />
      {error === null ? null : (
        <Notice tone="bad">
          <code className="id font-semibold">{error.code}</code> {error.detail} <RelativeTime time={error.at} />
        </Notice>
      )}
      <Stopped object={`schedule:${schedule.schedule_id}`} reason={schedule.stopped_reason} stale={touched} />
      <JsonView value={schedule.input} label="Input" />
      <SecondLook object={`schedule:${schedule.schedule_id}`} shown />
    </li>
  );
}

const Next = ({ schedule: { next_at: next, time_zone: zone } }: { readonly schedule: Schedule }) => (
  <>
    <RelativeTime time={next} /> <span className="text-muted">({timeIn(new Date(next ?? 0), zone)})</span>
  </>
);

function LastTask({ schedule: { last_task_id: task, last_at: at } }: { readonly schedule: Schedule }) {
  if (task === null) return "none yet";
  return (
    <Link to="/tasks/$task" params={{ task }} className="font-medium text-accent underline underline-offset-2">
      <RelativeTime time={at} />
    </Link>
  );
}

function budgetText({ budget, spent_month_usd: spent }: Schedule): string {
  const { per_run_usd: run, per_month_usd: month } = budget ?? {};
  const parts = [
    ...(run === undefined ? [] : [`${usd(run)} a task`]),
    month === undefined ? `${usd(spent)} spent this month` : `${usd(spent)} of ${usd(month)} spent this month`,
  ];
  return parts.join(", ");
}

function Acts({ schedule, onAsk }: ScheduleRowProps & { readonly onAsk: NonNullable<ScheduleRowProps["onAsk"]> }) {
  const change = useChange(changeSchedule, touched);
  const { agent, schedule_id: id, paused } = schedule;
  const turn = (): void =>
    change.mutate({ agent, schedule: id, body: { paused: paused === null } }, { onError: toastProblem });
  return (
    <span className="ml-auto flex flex-wrap gap-2">
      <Button size="small" busy={change.isPending} onClick={turn}>
        {paused ? "Resume" : "Pause"}
      </Button>
      <Button size="small" onClick={() => onAsk("change")}>
        Change
      </Button>
      <Button size="small" kind="refuse" onClick={() => onAsk("remove")}>
        Remove
      </Button>
    </span>
  );
}

function Remove({ schedule, onClose }: { readonly schedule: Schedule; readonly onClose: () => void }) {
  const change = useChange(removeSchedule, touched);
  const remove = (): void =>
    change.mutate(
      { agent: schedule.agent, schedule: schedule.schedule_id },
      {
        onSuccess: () => {
          toast("Schedule removed.");
          onClose();
        },
      },
    );
  return (
    <FormDialog title="Remove schedule" word="Remove" kind="danger" change={change} onSubmit={remove} onClose={onClose}>
      <p>
        <code className="id">{schedule.schedule}</code> dispatches no further tasks of {schedule.task}. Those that it
        dispatched go on.
      </p>
    </FormDialog>
  );
}
