import { Link } from "@tanstack/react-router";
import { useLive } from "../../../api/queries.ts";
import { readTask } from "../../../api/tasks.ts";
import type { RunDetail, RunStep } from "../../../api/workflow-types.ts";
import { exactly } from "../../../lib/time.ts";
import { counted, percent, usd } from "../../../lib/words.ts";
import { Badge, StatusBadge } from "../../../ui/badge.tsx";
import { Card, Facts } from "../../../ui/card.tsx";
import { JsonView, ValueTable } from "../../../ui/code.tsx";
import { HeldNotice } from "../../../ui/held.tsx";
import { Progress } from "../../../ui/progress.tsx";
import { Notice } from "../../../ui/states.tsx";
import { RelativeTime } from "../../../ui/time.tsx";
import { ApprovalInPlace } from "../../approvals/public.tsx";
import { kinds, stepState } from "../graph/looks.ts";
import type { GraphNode } from "../graph/model.ts";
import { StepControls } from "./controls.tsx";
import { calledWith, standingOf, took } from "./words.ts";

interface StepProps {
  readonly run: RunDetail;
  /** Null: the run keeps nothing of it yet. */
  readonly step: RunStep | null;
  readonly node: GraphNode | undefined;
}

const link = "font-medium text-accent underline underline-offset-2";

/** One step of a run: what it was given, what came of it, and the decision that it waits for. */
export function StepDetails({ run, step, node }: StepProps) {
  const [tone, word] = stepState(standingOf(step));
  const called = calledWith(step?.action ?? null);
  return (
    <>
      <Card title={node?.title ?? step?.step ?? ""} aside={<Badge tone={tone}>{word}</Badge>}>
        <div className="grid gap-4">
          {step?.failure ? (
            <Notice tone="bad">
              <code className="id font-semibold">{step.failure.code}</code> {step.failure.detail}
            </Notice>
          ) : null}
          {step?.held_by ? <HeldNotice held={step.held_by} /> : null}
          {step?.items ? <Items items={step.items} /> : null}
          <Facts facts={[...definedAs(node), ...(step === null ? [] : factsOf(step))]} />
          {step === null ? null : <StepControls run={run} step={step} />}
        </div>
      </Card>
      {step?.task_id ? <Task task={step.task_id} /> : null}
      {called === null || called[1] === undefined ? null : (
        <Card title={called[0]}>
          <ValueTable value={called[1]} label={called[0]} />
        </Card>
      )}
      {step?.output === null || step?.output === undefined ? null : (
        <Card title="Output">
          <ValueTable value={step.output} label="Output" />
          <JsonView value={step.output} label="As JSON" />
        </Card>
      )}
    </>
  );
}

const calling: ReadonlySet<string> = new Set(["agent", "tool", "workflow"]);

type FactList = Parameters<typeof Facts>[0]["facts"];

function definedAs(node: GraphNode | undefined): FactList {
  if (node === undefined) return [];
  return [
    ["Kind", kinds[node.kind][0]],
    node.subtitle !== "" && [calling.has(node.kind) ? "Calls" : "About", node.subtitle],
    node.condition !== null && [
      "Only if",
      <code key="when" className="id">
        {node.condition}
      </code>,
    ],
    node.loop !== null && [
      "For each of",
      <code key="loop" className="id">
        {node.loop}
      </code>,
    ],
  ];
}

function factsOf(step: RunStep): FactList {
  const length = took(step.started_at, step.finished_at, Date.now());
  const childOf = (step.action as { workflow?: string } | null)?.workflow;
  return [
    step.attempt > 1 && ["Attempt", step.attempt],
    step.started_at !== null && ["Started", exactly(step.started_at)],
    length !== null && [step.finished_at === null ? "Takes" : "Took", length],
    step.wake_at !== null && ["Looked at again", <RelativeTime key="wake" time={step.wake_at} />],
    step.trust_score !== null && [
      "Trust",
      `${percent(step.trust_score)}${step.trust_low === null ? "" : `, at least ${percent(step.trust_low)}`}`,
    ],
    step.cost_usd !== null && step.cost_usd > 0 && ["Cost", usd(step.cost_usd)],
    step.undo !== null && ["Compensation", { running: "under way", done: "done", failed: "failed" }[step.undo]],
    step.child_run !== null &&
      childOf !== undefined && [
        "Run",
        <Link
          key="child"
          to="/workflows/$workflow/runs/$run"
          params={{ workflow: childOf, run: step.child_run }}
          className={link}
        >
          Run of {childOf}
        </Link>,
      ],
  ];
}

function Items({ items }: { readonly items: NonNullable<RunStep["items"]> }) {
  const { total, completed, failed, running } = items;
  return (
    <div className="grid gap-1.5 text-sm">
      <Progress
        value={total === 0 ? 1 : (completed + failed) / total}
        label="Items done"
        tone={failed > 0 ? "bad" : "accent"}
      />
      <p className="text-muted">
        {completed} of {counted(total, "item")} done
        {running > 0 ? `, ${running} running` : ""}
        {failed > 0 ? `, ${failed} failed` : ""}
      </p>
    </div>
  );
}

/** The task that carries the step out; where it waits for people, their decision right here. */
function Task({ task: id }: { readonly task: string }) {
  const { data: task } = useLive(readTask(id));
  if (task?.status === "awaiting_approval") return <ApprovalInPlace task={id} />;
  return (
    <Card title="Task" aside={task ? <StatusBadge status={task.status} /> : null}>
      <p className="text-sm">
        <Link to="/tasks/$task" params={{ task: id }} className={link}>
          All of its steps, and its proof
        </Link>
      </p>
    </Card>
  );
}
