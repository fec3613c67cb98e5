import { Link } from "@tanstack/react-router";
import { OctagonX } from "lucide-react";
import { type Install, listRecalls, type Recall } from "../../api/installs.ts";
import { useLive } from "../../api/queries.ts";
import { useMay } from "../../api/rights.ts";
import { exactly } from "../../lib/time.ts";
import { counted, visible } from "../../lib/words.ts";
import { CopyText } from "../../ui/code.tsx";
import { Notice } from "../../ui/states.tsx";
import { RelativeTime } from "../../ui/time.tsx";
import { Person } from "./install-person.tsx";

const link = "font-medium text-accent underline underline-offset-2";

/** The quarantine or recall that holds an install: what was stopped, why, when and by whom. */
export function RecallBanner({
  install,
  recall: { recall_id, kind, reason, at },
}: {
  readonly install: Install;
  readonly recall: NonNullable<Install["recall"]>;
}) {
  const { data } = useLive(listRecalls({ limit: 100 }), { every: 5000 });
  const recall = data?.data.find((one) => one.recall_id === recall_id);
  const stopped = recall?.stopped.filter(({ install_id }) => install_id === install.install_id) ?? [];
  return (
    <Notice tone="bad" live>
      <div className="grid gap-2">
        <p className="flex items-center gap-2 text-base font-semibold text-bad">
          <OctagonX className="size-5 shrink-0" aria-hidden="true" />
          {kind === "recall" ? "Recalled: stopped for good" : "Quarantined: stopped until it is approved again"}
        </p>
        <p>“{visible(reason)}”</p>
        <p className="text-muted">
          {recall ? (
            <>
              Decided by <Person member={recall.by} />,{" "}
            </>
          ) : null}
          <time dateTime={at} title={exactly(at)}>
            <RelativeTime time={at} />
          </time>
          . The version that is installed here is {install.version}.
        </p>
        <Stopped stopped={stopped} done={recall?.done ?? true} />
        <p className="flex flex-wrap gap-x-4 gap-y-1">
          <Link to="/marketplace/recalls" search={{}} className={link}>
            All recalls
          </Link>
          <Link to="/" className={link}>
            Kill switches in force
          </Link>
        </p>
      </div>
    </Notice>
  );
}

type Stop = Recall["stopped"][number];

function Stopped({ stopped, done }: { readonly stopped: readonly Stop[]; readonly done: boolean }) {
  const mayRelease = useMay("governance:release");
  if (stopped.length === 0)
    return <p>{done ? "Nothing of it ran here: no kill switch was needed." : "It is being stopped now."}</p>;
  return (
    <>
      <ul aria-label="What was stopped" className="grid gap-1.5">
        {stopped.map((stop) => (
          <li key={`${stop.kind} ${stop.target}`}>
            <StoppedOne stop={stop} />
          </li>
        ))}
      </ul>
      <p className="wrap-anywhere">
        The kill switches stay until people release them
        {mayRelease ? (
          <>
            , which you may: <code className="id">bin/aos governance kill-switch release</code> with the switch&apos;s
            id.
          </>
        ) : (
          "."
        )}
      </p>
    </>
  );
}

/** One thing that a recall stopped. */
export function StoppedOne({ stop }: { readonly stop: Stop }) {
  const { kind, target, environment, tasks_ended, seconds, kill_switch_id } = stop;
  return (
    <span className="flex flex-wrap items-center gap-x-2 gap-y-0.5">
      <span className="font-medium">
        {kind === "agent" ? (
          <Link to="/agents/$agent" params={{ agent: target }} className={link}>
            {target}
          </Link>
        ) : (
          `${kind} ${visible(target)}`
        )}{" "}
        in {environment}
      </span>
      <span>{endText(tasks_ended, seconds)}</span>
      <CopyText text={kill_switch_id} label="kill switch" short />
    </span>
  );
}

function endText(ended: number, seconds: number | null): string {
  if (seconds === null)
    return ended === 0 ? "its work is being ended" : `${counted(ended, "task")} ended, others are ending`;
  if (ended === 0) return "no task was under way";
  return `${counted(ended, "task")} ended; nothing ran any more after ${seconds.toFixed(1)} s`;
}
