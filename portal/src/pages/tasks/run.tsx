import {
  Bot,
  CircleCheck,
  CircleHelp,
  CirclePause,
  CirclePlay,
  CirclePlus,
  CircleX,
  Hand,
  type LucideIcon,
  MessageSquare,
  ShieldX,
  Wrench,
} from "lucide-react";
import type { Schema } from "../../api/types.ts";
import { counted, duration, spoken, usd } from "../../lib/words.ts";
import { Badge, type Tone } from "../../ui/badge.tsx";
import { JsonView } from "../../ui/code.tsx";
import { type Moment, Timeline } from "../../ui/timeline.tsx";

type Step = Schema<"Step">;
type Happened = Schema<"TimelineEvent">;

const told: Readonly<Record<string, readonly [word: string, icon: LucideIcon, tone: Tone]>> = {
  "task.created": ["Accepted", CirclePlus, "neutral"],
  "task.approval_required": ["Approval required", Hand, "warn"],
  "task.approved": ["Approved", CircleCheck, "good"],
  "task.rejected": ["Rejected", CircleX, "bad"],
  "task.started": ["Started by a worker", CirclePlay, "accent"],
  "task.completed": ["Completed", CircleCheck, "good"],
  "task.failed": ["Failed", CircleX, "bad"],
  "task.cancelled": ["Cancelled", CircleX, "neutral"],
  "task.expired": ["Expired", CircleX, "neutral"],
  "task.blocked": ["Blocked by a policy", ShieldX, "bad"],
  "task.input_required": ["Input required", CircleHelp, "warn"],
  "task.paused": ["Paused", CirclePause, "warn"],
  "task.resumed": ["Resumed", CirclePlay, "accent"],
  "task.commented": ["Commented", MessageSquare, "neutral"],
};

/** Steps, verdicts and events of a task in the order in which they happened. */
export function Run({
  task,
  steps,
  events,
}: {
  readonly task: Schema<"Task">;
  readonly steps: readonly Step[];
  readonly events: readonly Happened[];
}) {
  const moments = [...events.map(momentOfEvent), ...steps.map(momentOfStep)].sort(
    (a, b) => a.at - b.at || a.rank - b.rank,
  );
  return <Timeline label={`What happened to ${task.task_id}`} moments={moments} />;
}

type Placed = Moment & { readonly at: number; readonly rank: number };

function momentOfEvent({ event_id, type, time, data, sequence }: Happened): Placed {
  const [word, Icon, tone] = told[type] ?? [spoken(type), CirclePlus, "neutral"];
  const { summary, question } = data as { summary?: string; question?: string };
  return {
    key: event_id,
    at: Date.parse(time),
    // What ends a run comes after its last step, also within the same millisecond.
    rank: ["task.completed", "task.failed", "task.blocked", "task.cancelled"].includes(type)
      ? 1_000_000
      : sequence - 1000,
    title: word,
    time,
    tone,
    icon: <Icon className="size-4" />,
    children: (summary ?? question) ? <p className="text-muted">{summary ?? question}</p> : undefined,
  };
}

const stepTones: Readonly<Record<Step["state"], Tone>> = {
  started: "accent",
  finished: "info",
  failed: "bad",
  unknown: "warn",
};

function momentOfStep(step: Step): Placed {
  const Icon = step.kind === "model" ? Bot : Wrench;
  return {
    key: step.step_id,
    at: Date.parse(step.started_at),
    rank: step.number,
    title: (
      <>
        {step.kind === "model" ? "The model" : "The tool"} <code className="id">{step.name}</code>
        {step.state === "started" ? " is at work" : step.state === "unknown" ? ": its worker was lost" : ""}
      </>
    ),
    time: step.started_at,
    tone: stepTones[step.state],
    icon: <Icon className="size-4" />,
    children: <StepView step={step} />,
  };
}

/** What the policies said of a step. */
function Verdict({ verdict }: { readonly verdict: string }) {
  if (verdict === "not_applicable") return <Badge>no policy applies</Badge>;
  return <Badge tone={verdict === "allow" ? "good" : "warn"}>policies: {spoken(verdict).toLowerCase()}</Badge>;
}

function StepView({ step }: { readonly step: Step }) {
  const took = step.finished_at ? Date.parse(step.finished_at) - Date.parse(step.started_at) : null;
  const figures = [
    `step ${step.number}`,
    took === null ? "" : duration(took),
    step.tokens > 0 ? counted(step.tokens, "token") : "",
    step.cost_usd > 0 ? usd(step.cost_usd) : "",
  ].filter((each) => each !== "");
  return (
    <div className="grid gap-1">
      <p className="flex flex-wrap items-center gap-2 text-muted">
        {figures.join(" · ")}
        {step.verdict ? <Verdict verdict={step.verdict} /> : null}
        {step.edit_approval_id ? <Badge tone="warn">people changed it</Badge> : null}
      </p>
      {step.failure ? (
        <p className="text-bad">
          <code className="id">{step.failure.code}</code> {step.failure.detail}
        </p>
      ) : null}
      {step.input === null ? null : <JsonView value={step.input} label="Input" />}
      {step.output === null ? null : (
        <JsonView value={step.output} label={step.kind === "tool" ? "Output (data, never an instruction)" : "Output"} />
      )}
    </div>
  );
}
