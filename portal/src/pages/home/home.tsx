import { getRouteApi, Link } from "@tanstack/react-router";
import { lazy, type ReactNode, Suspense } from "react";
import { useLive, usePrefetched } from "../../api/queries.ts";
import { useMay } from "../../api/rights.ts";
import type { Schema } from "../../api/types.ts";
import { counted } from "../../lib/words.ts";
import { RiskBadge, StatusBadge } from "../../ui/badge.tsx";
import { buttonClass } from "../../ui/button.tsx";
import { Card, PageHead } from "../../ui/card.tsx";
import { CodeBlock } from "../../ui/code.tsx";
import { Notice, Skeleton } from "../../ui/states.tsx";
import { RelativeTime } from "../../ui/time.tsx";
import { TrustMeter } from "../../ui/trust.tsx";
import { asks, lately, needsMe, runs, stops, wentWrong } from "./loaders.ts";
import { headline } from "./words.ts";

type Task = Schema<"Task">;

const HomeFigures = lazy(async () => ({ default: (await import("../analytics/public.tsx")).HomeFigures }));
const route = getRouteApi("/shell/");

/** What needs me, what runs, what went wrong; then the figures of a manager's day. */
export function HomePage() {
  const { data: mine } = usePrefetched(needsMe(), { every: 4000 });
  const { data: asking } = usePrefetched(asks(), { every: 4000 });
  const { data: running } = usePrefetched(runs(), { every: 3000 });
  const { data: wrong } = usePrefetched(wentWrong(), { every: 6000 });
  const { data: done } = usePrefetched(lately(), { every: 4000 });
  const { data: stopped } = useLive(stops(), { every: 5000 });
  const mayAnswer = useMay("tasks:write");
  const [questions, atWork] = mayAnswer ? [asking.data, running.data] : [[], [...asking.data, ...running.data]];
  const nothing =
    mine.data.length + asking.data.length + running.data.length + wrong.data.length + done.data.length === 0;
  return (
    <>
      <PageHead
        title={headline({
          decisions: mine.counts.mine ?? mine.data.length,
          questions: mayAnswer ? asking.data.length : 0,
          moreQuestions: mayAnswer && asking.has_more,
          waiting: mine.counts.total,
          stops: stopped?.data.length ?? 0,
          running: running.data.length,
        })}
        lead={
          <p>
            {mine.counts.total === 0
              ? "No pending decisions."
              : `In all, ${counted(mine.counts.total, "decision")} ${mine.counts.total === 1 ? "waits" : "wait"} for people.`}
          </p>
        }
      />
      <Stops stops={stopped?.data ?? []} />
      {nothing ? <FirstTask /> : null}
      <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-5">
        <div className="grid grid-cols-1 gap-4 lg:col-span-3">
          <Card title="Needs you" flush aside={<MoreLink to="/approvals" />}>
            {mine.data.length + questions.length === 0 ? <Quiet>Nothing waits for you.</Quiet> : null}
            <ul className="divide-y divide-line">
              {mine.data.map((approval) => (
                <NeedsRow key={approval.approval_id} approval={approval} />
              ))}
              {questions.map((task) => (
                <AsksRow key={task.task_id} task={task} />
              ))}
            </ul>
          </Card>
        </div>
        <div className="grid grid-cols-1 gap-4 lg:col-span-2">
          <Card
            title="Running"
            flush
            aside={
              <span className="text-sm text-muted">
                {running.has_more ? "8 newest" : counted(atWork.length, "task")}
              </span>
            }
          >
            <Tasks tasks={atWork} empty="Nothing is running." />
          </Card>
        </div>
      </div>
      {nothing ? null : <FiguresOfHome />}
      <div className="mt-4 grid grid-cols-1 items-start gap-4 lg:grid-cols-2">
        <Card title="Failed" flush>
          <Tasks tasks={wrong.data} empty="No failed, blocked or expired tasks." />
        </Card>
        <Card title="Recently completed" flush aside={<MoreLink to="/tasks" />}>
          <Tasks tasks={done.data} empty="No completed tasks yet." />
        </Card>
      </div>
    </>
  );
}

function FiguresOfHome() {
  const may = useMay("analytics:read");
  const { range = "7d" } = route.useSearch();
  const navigate = route.useNavigate();
  if (!may) return null;
  return (
    <div className="mt-6 mb-2">
      <Suspense fallback={<Skeleton lines={4} className="h-12" />}>
        <HomeFigures range={range} onRange={(next) => void navigate({ search: { range: next }, resetScroll: false })} />
      </Suspense>
    </div>
  );
}

function MoreLink({ to }: { readonly to: "/approvals" | "/tasks" }) {
  return (
    <Link to={to} className="text-sm font-medium text-accent underline-offset-2 hover:underline">
      All {to === "/tasks" ? "tasks" : "approvals"}
    </Link>
  );
}

const Quiet = ({ children }: { readonly children: ReactNode }) => (
  <p className="px-4 py-6 text-sm text-muted sm:px-5">{children}</p>
);

function NeedsRow({ approval }: { readonly approval: Schema<"Approval"> }) {
  const asks = `${approval.agent} asks to ${approval.tool === null ? `run ${approval.skill}` : `call ${approval.tool}`}`;
  const reasons = approval.reasons.join(" ");
  return (
    <li>
      <Link to="/approvals/$task" params={{ task: approval.task_id }} className={waitingRow}>
        <Waiting
          what={approval.title ?? asks}
          why={approval.title === null ? reasons : `${asks}. ${reasons}`}
          badge={<RiskBadge level={approval.risk} />}
          since={approval.created_at}
        />
      </Link>
    </li>
  );
}

/** What an agent asks of whoever may answer. */
function AsksRow({ task }: { readonly task: Task }) {
  return (
    <li>
      <Link to="/tasks/$task" params={{ task: task.task_id }} className={waitingRow}>
        <Waiting
          what={task.title ?? `${task.agent} asks in ${task.task}`}
          why={
            task.title === null
              ? task.question?.text
              : `${task.agent} asks in ${task.task}: ${task.question?.text ?? ""}`
          }
          badge={<StatusBadge status={task.status} />}
          since={task.updated_at}
        />
      </Link>
    </li>
  );
}

const waitingRow = "grid gap-2 px-4 py-3.5 hover:bg-sunken sm:grid-cols-[1fr_auto] sm:items-center sm:px-5";

interface WaitingProps {
  readonly what: string;
  readonly why: string | undefined;
  readonly badge: ReactNode;
  readonly since: string;
}

/** Something that waits for people, in a row that leads to it. */
function Waiting({ what, why, badge, since }: WaitingProps) {
  return (
    <>
      <span className="min-w-0">
        <span className="block font-medium break-words">{what}</span>
        <span className="mt-0.5 line-clamp-1 text-sm text-muted">{why}</span>
      </span>
      <span className="flex items-center gap-3">
        {badge}
        <RelativeTime time={since} className="text-xs text-muted sm:w-24 sm:text-right" />
      </span>
    </>
  );
}

function Tasks({ tasks, empty }: { readonly tasks: readonly Task[]; readonly empty: string }) {
  if (tasks.length === 0) return <Quiet>{empty}</Quiet>;
  return (
    <ul className="divide-y divide-line">
      {tasks.map((task) => (
        <li key={task.task_id}>
          <Link
            to="/tasks/$task"
            params={{ task: task.task_id }}
            className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1.5 px-4 py-3 text-sm hover:bg-sunken sm:px-5"
          >
            <span className="min-w-0 flex-1 basis-40">
              <span className="block break-words">
                {task.title === null ? null : <span className="block font-medium">{task.title}</span>}
                <span className={task.title === null ? "font-medium" : "text-muted"}>{task.agent}</span>{" "}
                <span className="text-muted">· {task.task}</span>
              </span>
              <RelativeTime time={task.finished_at ?? task.updated_at} className="text-xs text-muted" />
            </span>
            <span className="flex items-center gap-3">
              {task.status === "completed" ? (
                <TrustMeter score={task.trust.score} low={task.trust.low} high={task.trust.high} />
              ) : null}
              <StatusBadge status={task.status} />
            </span>
          </Link>
        </li>
      ))}
    </ul>
  );
}

/** What was stopped at once, for as long as it is. */
function Stops({ stops }: { readonly stops: readonly Schema<"KillSwitch">[] }) {
  if (stops.length === 0) return null;
  return (
    <div className="mb-4 grid gap-2">
      {stops.map((stop) => (
        <Notice key={stop.kill_switch_id} tone="bad" live>
          <strong className="font-semibold">
            Kill switch on {stop.target ?? `${stop.kind === "all" ? "everything" : "this environment"}`} ({stop.mode}).
          </strong>{" "}
          {stop.reason} <RelativeTime time={stop.engaged_at} className="text-muted" />
          {stop.release_requires !== null && <span className="block">{stop.release_requires}</span>}
        </Notice>
      ))}
    </div>
  );
}

const first = `curl -sS ${location.origin}/v1/agents/sales/tasks \\
  -H "Authorization: Bearer $AOS_KEY" -H "Content-Type: application/json" \\
  -d '{"task": "qualify_lead", "lead_id": "ld_1001", "require_approval": true}'`;

function FirstTask() {
  const mayMakeKeys = useMay("admin:write");
  return (
    <Card title="Dispatch your first task" className="mb-4">
      <p className="mb-3 max-w-prose text-sm text-muted">
        The sample agent <em>sales</em> qualifies leads. This call dispatches a task that needs your approval; it
        appears below, and in the approvals.
      </p>
      <CodeBlock code={first} label="Command" />
      <p className="mt-3 flex gap-2">
        {mayMakeKeys ? (
          <Link to="/keys" className={buttonClass("plain", "small")}>
            Create a key
          </Link>
        ) : null}
        <Link to="/agents" className={buttonClass("plain", "small")}>
          Browse agents
        </Link>
      </p>
    </Card>
  );
}
