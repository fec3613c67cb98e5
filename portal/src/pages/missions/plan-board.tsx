import { Link } from "@tanstack/react-router";
import { clsx } from "clsx";
import { ArrowRight } from "lucide-react";
import type { MissionTask } from "../../api/missions.ts";
import { counted, percent, usd } from "../../lib/words.ts";
import { Badge, RiskBadge, StatusBadge, type Tone } from "../../ui/badge.tsx";
import { Card } from "../../ui/card.tsx";
import { HeldLine } from "../../ui/held.tsx";
import { RelativeTime } from "../../ui/time.tsx";
import { type BoardCard, type ColumnName, columns, columnWords } from "./board.ts";
import { Bar, SpendBar } from "./spend.tsx";

interface BoardProps {
  readonly cards: readonly BoardCard[];
  readonly selected: string | null;
  readonly onSelect: (step: string) => void;
}

const columnTones: Readonly<Record<ColumnName, Tone>> = {
  todo: "neutral",
  working: "accent",
  waiting: "warn",
  done: "good",
  failed: "bad",
};

/** The steps of a plan in columns by how they stand. On a phone the columns stand one under the other, empty ones left out. */
export function PlanBoard({ cards, selected, onSelect }: BoardProps) {
  const shown = columns.filter((column) => column !== "failed" || cards.some((card) => card.column === "failed"));
  return (
    <div
      className={clsx(
        "grid grid-cols-[minmax(0,1fr)] gap-3",
        shown.length === 5 ? "lg:grid-cols-5" : "sm:grid-cols-2 lg:grid-cols-4",
      )}
    >
      {shown.map((column) => {
        const own = cards.filter((card) => card.column === column);
        return (
          <section
            key={column}
            aria-label={columnWords[column]}
            className={clsx(
              "content-start gap-2 rounded-lg bg-sunken p-2",
              own.length === 0 ? "hidden sm:grid" : "grid",
            )}
          >
            <h3 className="flex items-center gap-2 px-1 text-sm font-semibold">
              <Badge tone={columnTones[column]}>{columnWords[column]}</Badge>
              <span className="text-muted">{own.length}</span>
            </h3>
            {own.map((card) => (
              <StepCard key={card.step.id} card={card} current={selected === card.step.id} onSelect={onSelect} />
            ))}
          </section>
        );
      })}
    </div>
  );
}

interface StepCardProps {
  readonly card: BoardCard;
  readonly current: boolean;
  readonly onSelect: (step: string) => void;
}

function StepCard({ card, current, onSelect }: StepCardProps) {
  const { step, completed, failed, waiting, open, spent, reserved } = card;
  const planned = step.cost_usd.value;
  return (
    <button
      type="button"
      aria-pressed={current}
      onClick={() => onSelect(step.id)}
      className={clsx(
        "grid gap-2 rounded-md border bg-surface p-3 text-left text-sm shadow-card hover:border-line-strong",
        current ? "border-accent ring-2 ring-accent/40" : "border-line",
      )}
    >
      <span className="grid gap-0.5">
        <span className="font-medium break-words">{step.title || step.id}</span>
        <span className="text-xs break-words text-muted">
          {step.agent} · {step.skill}
        </span>
        {step.depends_on.length > 0 ? (
          <span className="text-xs text-muted">after {step.depends_on.join(", ")}</span>
        ) : null}
      </span>
      <HeldLine held={card.tasks.find(({ held_by }) => held_by !== null)?.held_by ?? null} />
      <span className="grid gap-1">
        <Bar
          parts={[
            [completed, "bg-good"],
            [failed, "bg-bad"],
            [open + waiting, "bg-accent/40"],
          ]}
          of={Math.max(step.tasks, card.tasks.length)}
          label={`${completed} of ${counted(step.tasks, "task")} completed`}
        />
        <span className="text-xs text-muted">
          {[
            `${completed} of ${counted(step.tasks, "task")}`,
            open > 0 && `${open} running`,
            waiting > 0 && `${waiting} waiting`,
            failed > 0 && `${failed} failed`,
          ]
            .filter(Boolean)
            .join(" · ")}
        </span>
      </span>
      <span className="grid gap-1">
        <SpendBar
          spent={spent}
          reserved={reserved}
          limit={planned}
          label={`${usd(spent)} spent of ${usd(planned)} planned`}
        />
        <span className="text-xs text-muted tabular-nums">
          {usd(spent)} of {usd(planned)} planned
        </span>
      </span>
    </button>
  );
}

/** One step of the plan: what is expected of it, on which evidence, and its tasks. */
export function StepDetails({ card }: { readonly card: BoardCard }) {
  const { step, tasks } = card;
  return (
    <Card title={step.title || step.id} aside={<RiskBadge level={step.risk.level} />}>
      <p className="text-sm text-muted">
        Expected cost {usd(step.cost_usd.value)} ({usd(step.cost_usd.low)} to {usd(step.cost_usd.high)}). A task of it
        succeeds with {percent(step.success.value)} ({percent(step.success.low)} to {percent(step.success.high)}), by{" "}
        {counted(step.evidence.tasks, "past task")}.{step.require_approval ? " People approve each of its tasks." : ""}
      </p>
      {tasks.length === 0 ? (
        <p className="mt-3 text-sm">No task of it has begun.</p>
      ) : (
        <ul aria-label="Tasks" className="mt-3 max-h-96 divide-y divide-line overflow-auto">
          {tasks.slice(0, shownTasks).map((task) => (
            <TaskRow key={task.task_id} task={task} />
          ))}
        </ul>
      )}
      {tasks.length > shownTasks ? (
        <p className="mt-2 text-sm text-muted">
          Only the first {shownTasks} of {counted(tasks.length, "task")} are shown.
        </p>
      ) : null}
    </Card>
  );
}

const shownTasks = 200;

function TaskRow({ task }: { readonly task: MissionTask }) {
  const waits = task.status === "awaiting_approval";
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2 text-sm">
      <Link
        to="/tasks/$task"
        params={{ task: task.task_id }}
        className="min-w-0 font-medium break-words hover:underline"
      >
        {task.title ?? `${task.skill} …${task.task_id.slice(-5)}`}
      </Link>
      <StatusBadge status={task.status} />
      <span className="text-muted tabular-nums">{usd(task.cost_usd)}</span>
      <RelativeTime time={task.finished_at ?? task.created_at} className="ml-auto text-muted" />
      {waits ? (
        <Link
          to="/approvals/$task"
          params={{ task: task.task_id }}
          className="inline-flex items-center gap-1 font-medium text-accent"
        >
          Decide <ArrowRight className="size-4" aria-hidden="true" />
        </Link>
      ) : null}
    </li>
  );
}
