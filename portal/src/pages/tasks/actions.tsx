import { type FormEvent, useState } from "react";
import type { Problem } from "../../api/problem.ts";
import { useChange } from "../../api/queries.ts";
import { useMay } from "../../api/rights.ts";
import { answerTask, cancelTask, pauseTask, resumeTask, retryTask } from "../../api/tasks.ts";
import type { Schema } from "../../api/types.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Field, Select } from "../../ui/field.tsx";
import { ErrorState, Notice } from "../../ui/states.tsx";
import { toast, toastProblem } from "../../ui/toast.tsx";

type Task = Schema<"Task">;
type Step = Schema<"Step">;

const cancellable = new Set(["queued", "awaiting_approval", "running", "input_required"]);
const retriable = new Set(["failed", "blocked", "cancelled"]);
const touched = ["/v1/tasks", "/v1/tasks/{task}", "/v1/tasks/{task}/events", "/v1/tasks/{task}/steps"] as const;

/** What can be done about a task in the state that it is in. */
export function Actions({ task, steps }: { readonly task: Task; readonly steps: readonly Step[] }) {
  const [open, setOpen] = useState<"cancel" | "pause" | "retry" | null>(null);
  const close = (): void => setOpen(null);
  if (!useMay("tasks:write")) return null;
  return (
    <>
      {task.paused !== null ? <Resume task={task} /> : null}
      {task.paused === null && task.conversation_id === null && cancellable.has(task.status) ? (
        <Button onClick={() => setOpen("pause")}>Pause</Button>
      ) : null}
      {cancellable.has(task.status) ? <Button onClick={() => setOpen("cancel")}>Cancel</Button> : null}
      {retriable.has(task.status) ? (
        <Button kind="primary" onClick={() => setOpen("retry")}>
          Try again
        </Button>
      ) : null}
      {open === "cancel" ? <Cancel task={task} onClose={close} /> : null}
      {open === "pause" ? <Pause task={task} onClose={close} /> : null}
      {open === "retry" ? <Retry task={task} steps={steps} onClose={close} /> : null}
    </>
  );
}

interface Parts {
  readonly task: Task;
  readonly onClose: () => void;
}

function Cancel({ task, onClose }: Parts) {
  const change = useChange(cancelTask, touched);
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const reason = String(new FormData(event.currentTarget).get("reason"));
    change.mutate(
      { task: task.task_id, reason },
      {
        onSuccess: () => {
          toast("Cancelling the task.");
          onClose();
        },
      },
    );
  };
  return (
    <Asking
      title="Cancel task"
      form="cancel-task"
      word="Cancel task"
      kind="danger"
      busy={change.isPending}
      error={change.error}
      onClose={onClose}
    >
      <form id="cancel-task" onSubmit={submit} className="grid gap-4 text-sm">
        <p>
          A running step is aborted within two seconds. What it has already done stays done; the steps below say what
          that is.
        </p>
        <Field name="reason" label="Reason" hint="Kept with the task." maxLength={500} />
      </form>
    </Asking>
  );
}

function Pause({ task, onClose }: Parts) {
  const change = useChange(pauseTask, touched);
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const reason = String(new FormData(event.currentTarget).get("reason"));
    change.mutate(
      { task: task.task_id, reason },
      {
        onSuccess: () => {
          toast("The task is paused.");
          onClose();
        },
      },
    );
  };
  return (
    <Asking
      title="Pause task"
      form="pause-task"
      word="Pause task"
      kind="primary"
      busy={change.isPending}
      error={change.error}
      onClose={onClose}
    >
      <form id="pause-task" onSubmit={submit} className="grid gap-4 text-sm">
        <p>
          A step under way ends; then nothing of the task starts until somebody resumes it. Its deadline goes on, and so
          does that of its approval.
        </p>
        <Field name="reason" label="Reason" hint="Shown to everybody who sees the task." maxLength={500} />
      </form>
    </Asking>
  );
}

function Resume({ task }: { readonly task: Task }) {
  const change = useChange(resumeTask, touched);
  return (
    <Button
      kind="primary"
      busy={change.isPending}
      onClick={() =>
        change.mutate(
          { task: task.task_id },
          { onSuccess: () => toast("The task goes on."), onError: (error) => toastProblem(error) },
        )
      }
    >
      Resume
    </Button>
  );
}

function Retry({ task, steps, onClose }: Parts & { readonly steps: readonly Step[] }) {
  const change = useChange(retryTask, touched);
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const from = String(new FormData(event.currentTarget).get("from"));
    const body = from.startsWith("step ")
      ? ({ from: "step", step: Number(from.slice(5)) } as const)
      : { from: from as "failed_step" | "start" };
    change.mutate(
      { task: task.task_id, ...body },
      {
        onSuccess: () => {
          toast("Retrying the task.");
          onClose();
        },
      },
    );
  };
  const present = steps.filter(({ attempt }) => attempt === task.attempt);
  return (
    <Asking
      title="Try again"
      form="retry-task"
      word="Try again"
      kind="primary"
      busy={change.isPending}
      error={change.error}
      onClose={onClose}
    >
      <form id="retry-task" onSubmit={submit} className="grid gap-4 text-sm">
        <p>What is before the chosen step is kept and not made again.</p>
        <Select name="from" label="From">
          <option value="failed_step">the step that failed</option>
          {present.map(({ step_id, number, kind, name }) => (
            <option key={step_id} value={`step ${number}`}>
              step {number}: {kind} {name}
            </option>
          ))}
          <option value="start">the start</option>
        </Select>
      </form>
    </Asking>
  );
}

interface AskingParts {
  readonly title: string;
  readonly form: string;
  readonly word: string;
  readonly kind: "primary" | "danger";
  readonly busy: boolean;
  readonly error: Problem | null;
  readonly onClose: () => void;
  readonly children: React.ReactNode;
}

function Asking({ title, form, word, kind, busy, error, onClose, children }: AskingParts) {
  const footer = (
    <>
      <Button onClick={onClose}>Leave it</Button>
      <Button kind={kind} type="submit" form={form} busy={busy}>
        {word}
      </Button>
    </>
  );
  return (
    <Dialog open onClose={onClose} title={title} footer={footer}>
      <div className="grid gap-4">
        {children}
        {error ? <ErrorState error={error} /> : null}
      </div>
    </Dialog>
  );
}

/** What the agent asks, and the answer that wakes it. */
export function Question({ task, question }: { readonly task: Task; readonly question: Schema<"TaskQuestion"> }) {
  const change = useChange(answerTask, touched);
  const answer = (text: string): void =>
    change.mutate(
      { task: task.task_id, step_id: question.step_id, answer: text },
      { onSuccess: () => toast("Answer sent.") },
    );
  const mayAnswer = useMay("tasks:write");
  return (
    <Notice tone="warn">
      <div className="grid gap-3">
        <p className="font-medium">{question.text}</p>
        {!mayAnswer ? (
          <p>It waits for somebody who may answer: that takes the permission tasks:write.</p>
        ) : question.options ? (
          <div className="flex flex-wrap gap-2">
            {question.options.map((option) => (
              <Button key={option} busy={change.isPending} onClick={() => answer(option)}>
                {option}
              </Button>
            ))}
          </div>
        ) : (
          <form
            // What was typed for one question is not kept for the next.
            key={question.step_id}
            className="flex flex-wrap items-end gap-2"
            onSubmit={(event) => {
              event.preventDefault();
              answer(String(new FormData(event.currentTarget).get("answer")));
            }}
          >
            <Field name="answer" label="Your answer" required className="min-w-60 flex-1" />
            <Button kind="primary" type="submit" busy={change.isPending}>
              Answer
            </Button>
          </form>
        )}
        {change.error ? <ErrorState error={change.error} /> : null}
      </div>
    </Notice>
  );
}
