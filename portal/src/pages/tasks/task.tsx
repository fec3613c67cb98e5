import { getRouteApi, Link } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { useInvalidate, usePrefetched } from "../../api/queries.ts";
import { useMay } from "../../api/rights.ts";
import { hearTask, listTaskEvents, listTaskSteps, readTask } from "../../api/tasks.ts";
import type { Schema } from "../../api/types.ts";
import { exactly } from "../../lib/time.ts";
import { counted, duration, spoken, usd } from "../../lib/words.ts";
import { Badge, RiskBadge, StatusBadge } from "../../ui/badge.tsx";
import { Card, Facts, PageHead } from "../../ui/card.tsx";
import { CopyText, JsonView, ValueTable } from "../../ui/code.tsx";
import { useDocumentTitle } from "../../ui/document-title.ts";
import { HeldNotice } from "../../ui/held.tsx";
import { RunLink } from "../../ui/run-link.tsx";
import { Notice } from "../../ui/states.tsx";
import { TrustMeter, TrustParts } from "../../ui/trust.tsx";
import { Actions, Question } from "./actions.tsx";
import { Children } from "./children.tsx";
import { Comments } from "./comments.tsx";
import { CostCard } from "./cost.tsx";
import { Judge } from "./judge.tsx";
import { Judged } from "./judged.tsx";
import { Predictions } from "./predictions.tsx";
import { Proof } from "./record.tsx";
import { Run } from "./run.tsx";
import { TraceCard } from "./trace.tsx";

type Task = Schema<"Task">;

const route = getRouteApi("/shell/tasks/$task");
const open = new Set(["queued", "awaiting_approval", "running", "input_required"]);
const touched = ["/v1/tasks/{task}", "/v1/tasks/{task}/steps", "/v1/tasks/{task}/events"] as const;

/** One task: how it stands, what it did step by step, what came of it, and the proof. */
export function TaskPage() {
  const { task: id } = route.useParams();
  const [lost, setLost] = useState(false);
  const mayJudge = useMay("tasks:feedback");
  // By the stream at once; by asking in turns where a stream is not to be had, and for steps, which are no events.
  const every = (known: Task | undefined): number | false => (known && open.has(known.status) ? 2000 : false);
  const { data: task } = usePrefetched(readTask(id), { every });
  const live = open.has(task.status);
  // The longer the list, the more it is to read, and the more rarely it is asked for.
  const inTurns = (known: { data: readonly unknown[] } | undefined): number | false =>
    live && 2000 * Math.max(1, Math.ceil((known?.data.length ?? 0) / 100));
  const { data: steps } = usePrefetched(listTaskSteps(id), { every: inTurns });
  const { data: events } = usePrefetched(listTaskEvents(id), { every: inTurns });
  useDocumentTitle(`${task.title ?? `${task.agent} · ${task.task}`}: ${spoken(task.status)}`);
  const invalidate = useInvalidate(touched);
  useEffect(() => (live ? hearTask(id, invalidate, setLost) : undefined), [id, live, invalidate]);
  return (
    <>
      <PageHead
        title={
          task.title ?? (
            <>
              {task.agent} <span className="font-normal text-muted">·</span> {task.task}
            </>
          )
        }
        lead={
          <>
            {task.title === null ? null : `${task.agent} · ${task.task} · `}
            <CopyText text={task.task_id} />
          </>
        }
        above={
          <>
            <Link to="/tasks">Tasks</Link>
            <StatusBadge status={task.status} />
            {live && lost ? <Badge tone="warn">the live view is being taken up again</Badge> : null}
          </>
        }
        actions={<Actions task={task} steps={steps.data} />}
      />
      <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <div className="grid min-w-0 gap-4">
          <Standing task={task} />
          {task.output ? (
            <Card title="Result">
              <ValueTable value={task.output} label="Output" />
            </Card>
          ) : null}
          <Predictions predictions={task.predictions} />
          <Card title="Timeline">
            <Run task={task} steps={steps.data} events={events.data} />
            {steps.has_more || events.has_more ? (
              <Beginning task={id} steps={steps.data.length} events={events.data.length} />
            ) : null}
          </Card>
          <Children task={id} every={live ? 5000 : false} />
          <Comments task={task} every={live ? 3000 : false} />
          <TraceCard task={id} every={live ? 3000 : false} />
          <Card title="Input">
            <ValueTable value={task.input} label="Input" />
          </Card>
          {task.status === "completed" && mayJudge ? <Judge task={task} /> : null}
        </div>
        <div className="grid min-w-0 gap-4">
          <Card title="Trust">
            <div className="grid gap-4">
              <TrustMeter {...task.trust} large />
              <TrustParts parts={task.trust.parts} />
              <Judged task={id} />
            </div>
          </Card>
          <CostCard task={id} every={live ? 5000 : false} />
          <Card title="Risk">
            <RiskBadge level={task.risk.level} />
            <JsonView value={task.risk} label="Risk factors" />
          </Card>
          <Card title="Details">
            <Facts facts={factsOf(task)} />
          </Card>
          <Proof auditRef={task.audit_ref} task={task.task_id} />
        </div>
      </div>
    </>
  );
}

/** That there is more than is shown, and what shows it. */
function Beginning({
  task,
  steps,
  events,
}: {
  readonly task: string;
  readonly steps: number;
  readonly events: number;
}) {
  return (
    <p className="mt-3 text-sm text-muted">
      Only the first {counted(steps, "step")} and {counted(events, "event")} are shown.{" "}
      <code className="id">aos tasks steps list {task} --all</code> shows every step.
    </p>
  );
}

/** What has to be seen first: that people are asked, that it asks, that it failed. */
function Standing({ task }: { readonly task: Task }) {
  if (task.question && task.question.kind !== "results" && task.status === "input_required")
    return <Question task={task} question={task.question} />;
  if (!task.failure) return <HeldNotice held={task.held_by} />;
  return (
    <>
      <Notice tone="bad">
        <p>
          <code className="id font-semibold">{task.failure.code}</code> {task.failure.detail}
        </p>
      </Notice>
      <HeldNotice held={task.held_by} />
    </>
  );
}

function factsOf(task: Task): Parameters<typeof Facts>[0]["facts"] {
  const took = task.started_at && task.finished_at ? Date.parse(task.finished_at) - Date.parse(task.started_at) : null;
  return [
    [
      "Agent",
      <Link key="agent" to="/agents/$agent" params={{ agent: task.agent }} className="font-medium hover:underline">
        {task.agent}, version {task.version}
      </Link>,
    ],
    task.run !== null && ["Workflow", <RunLink key="run" run={task.run} />],
    ["Requested by", <CopyText key="by" text={task.requested_by} short />],
    ["Given", exactly(task.created_at)],
    task.started_at !== null && ["Started", exactly(task.started_at)],
    took !== null && ["Took", duration(took)],
    task.deadline !== null && ["Deadline", exactly(task.deadline)],
    task.not_before !== null && ["Not before", exactly(task.not_before)],
    ["Cost", `${usd(task.cost_usd)}${task.tokens > 0 ? `, ${counted(task.tokens, "token")}` : ""}`],
    task.attempt > 1 && ["Attempt", task.attempt],
    task.labels.length > 0 && ["Labels", task.labels.join(", ")],
    task.tags.length > 0 && ["Tags", task.tags.join(", ")],
  ];
}
