import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useChange } from "../../../api/queries.ts";
import { useMay } from "../../../api/rights.ts";
import type { RunDetail, RunStep } from "../../../api/workflow-types.ts";
import { compensateRun, controlRun, signalRun } from "../../../api/workflows.ts";
import { Button } from "../../../ui/button.tsx";
import { Field, Select, TextArea } from "../../../ui/field.tsx";
import { FormDialog } from "../../../ui/form-dialog.tsx";
import { toast, toastProblem } from "../../../ui/toast.tsx";
import { isOpen, retriable } from "./words.ts";

const touched = [
  "/v1/workflows/{workflow}/runs/{run}",
  "/v1/workflows/{workflow}/runs",
  "/v1/workflows/runs",
  "/v1/workflows/dead-letters",
] as const;

/** What can be done about a run in the state that it is in. */
export function Controls({ run, undoable }: { readonly run: RunDetail; readonly undoable: boolean }) {
  const [open, setOpen] = useState<"cancel" | "retry" | "compensate" | null>(null);
  const change = useChange(controlRun, touched);
  const navigate = useNavigate();
  if (!useMay("workflows:run")) return null;
  const place = { workflow: run.workflow, run: run.run_id };
  const close = (): void => setOpen(null);
  const live = isOpen(run);
  const undone = run.status === "compensating" || run.status === "compensated";
  const left = run.status === "compensation_failed";
  const held = run.status === "paused" || run.asked === "pause";
  const act = (action: "pause" | "resume", said: string): void =>
    change.mutate({ ...place, action }, { onSuccess: () => toast(said), onError: toastProblem });
  const replay = (): void =>
    change.mutate(
      { ...place, action: "replay" },
      {
        onError: toastProblem,
        onSuccess: ({ run_id }) => {
          toast("A new run with the same input was started.");
          void navigate({
            to: "/workflows/$workflow/runs/$run",
            params: { workflow: run.workflow, run: run_id },
            search: {},
          });
        },
      },
    );
  return (
    <>
      {live && held ? (
        <Button kind="primary" busy={change.isPending} onClick={() => act("resume", "The run goes on.")}>
          Resume
        </Button>
      ) : null}
      {live && !held && !undone ? (
        <Button busy={change.isPending} onClick={() => act("pause", "No further step begins.")}>
          Pause
        </Button>
      ) : null}
      {live && !undone ? <Button onClick={() => setOpen("cancel")}>Cancel…</Button> : null}
      {live ? null : (
        <>
          {undone || !undoable ? null : (
            <Button kind={left ? "primary" : "plain"} onClick={() => setOpen("compensate")}>
              Compensate…
            </Button>
          )}
          <Button busy={change.isPending} onClick={replay}>
            Run again
          </Button>
          {run.status === "completed" ? null : (
            <Button kind={left ? "plain" : "primary"} onClick={() => setOpen("retry")}>
              Retry…
            </Button>
          )}
        </>
      )}
      {open === "cancel" ? <Cancel run={run} onClose={close} /> : null}
      {open === "compensate" ? <Compensate run={run} onClose={close} /> : null}
      {open === "retry" ? <Retry run={run} onClose={close} /> : null}
    </>
  );
}

/** What can be done about one step. */
export function StepControls({ run, step }: { readonly run: RunDetail; readonly step: RunStep }) {
  const [open, setOpen] = useState<"retry" | "skip" | "signal" | null>(null);
  if (!useMay("workflows:run")) return null;
  const live = isOpen(run);
  const again = retriable(run).includes(step) && (!live || run.status === "paused");
  const over = ["completed", "skipped", "compensated"].includes(step.status);
  if (!again && over) return null;
  return (
    <div className="flex flex-wrap gap-2">
      {again ? (
        <Button size="small" onClick={() => setOpen("retry")}>
          Retry from here…
        </Button>
      ) : null}
      {over ? null : (
        <Button size="small" onClick={() => setOpen("skip")}>
          Skip…
        </Button>
      )}
      {step.kind === "wait" && step.status === "waiting" ? (
        <Button size="small" onClick={() => setOpen("signal")}>
          Deliver event…
        </Button>
      ) : null}
      {open === "signal" ? <Signal run={run} onClose={() => setOpen(null)} /> : null}
      {open === "retry" ? <Retry run={run} from={step} onClose={() => setOpen(null)} /> : null}
      {open === "skip" ? <Skip run={run} step={step} onClose={() => setOpen(null)} /> : null}
    </div>
  );
}

interface Parts {
  readonly run: RunDetail;
  readonly onClose: () => void;
}

function Cancel({ run, onClose }: Parts) {
  const change = useChange(controlRun, touched);
  const submit = (form: FormData): void =>
    change.mutate(
      {
        workflow: run.workflow,
        run: run.run_id,
        action: "cancel" as const,
        compensate: form.get("compensate") === "on",
        ...reasonOf(form),
      },
      { onSuccess: () => done("Cancelling the run.", onClose) },
    );
  return (
    <FormDialog title="Cancel run" word="Cancel run" kind="danger" change={change} onSubmit={submit} onClose={onClose}>
      <p>Steps that run are aborted. What was done stays done unless it is compensated.</p>
      <label className="flex items-start gap-2">
        <input type="checkbox" name="compensate" className="mt-0.5 size-4 accent-accent" />
        Compensate completed steps, in reverse order
      </label>
      <Field name="reason" label="Reason" hint="Kept with the run." maxLength={500} />
    </FormDialog>
  );
}

function Compensate({ run, onClose }: Parts) {
  const change = useChange(compensateRun, touched);
  const submit = (form: FormData): void =>
    change.mutate(
      { workflow: run.workflow, run: run.run_id, ...reasonOf(form) },
      { onSuccess: () => done("Compensating the run.", onClose) },
    );
  return (
    <FormDialog
      title="Compensate run"
      word="Compensate"
      kind="danger"
      change={change}
      onSubmit={submit}
      onClose={onClose}
    >
      <p>
        Completed steps that say how they are undone are undone in reverse order. Each asks for approval where its risk
        does.
      </p>
      <Field name="reason" label="Reason" hint="Kept with the run." maxLength={500} />
    </FormDialog>
  );
}

function Retry({ run, from, onClose }: Parts & { readonly from?: RunStep }) {
  const change = useChange(controlRun, touched);
  const choices = retriable(run);
  const [step, setStep] = useState(from?.step ?? "");
  const [unread, setUnread] = useState<string | null>(null);
  const chosen = choices.find((one) => one.step === step);
  const submit = (form: FormData): void => {
    const text = String(form.get("input") ?? "").trim();
    const edited = text === "" || text === inputText(chosen) ? {} : jsonOf(text);
    setUnread(edited === null ? noJson : null);
    if (edited === null) return;
    const acknowledge = form.getAll("acknowledge").map(String);
    change.mutate(
      {
        workflow: run.workflow,
        run: run.run_id,
        action: "retry_from" as const,
        ...(step === "" ? {} : { step }),
        ...(Object.keys(edited).length === 0 ? {} : { input: edited }),
        ...(acknowledge.length === 0 ? {} : { acknowledge }),
        ...reasonOf(form),
      },
      { onSuccess: () => done("The run goes on.", onClose) },
    );
  };
  return (
    <FormDialog title="Retry run" word="Retry" kind="primary" change={change} onSubmit={submit} onClose={onClose}>
      <p>The chosen step and what comes after it are done again. What is before it is kept.</p>
      <Select label="From" value={step} onChange={(event) => setStep(event.target.value)}>
        <option value="">what did not complete</option>
        {choices.map(({ step: id, status }) => (
          <option key={id} value={id}>
            {id} ({status.replaceAll("_", " ")})
          </option>
        ))}
      </Select>
      {chosen && (chosen.kind === "agent" || chosen.kind === "tool") ? (
        <TextArea
          key={chosen.step}
          name="input"
          mono
          rows={6}
          label={chosen.kind === "tool" ? "Arguments" : "Input"}
          hint="JSON. Members that you change replace those of the step."
          defaultValue={inputText(chosen)}
          spellCheck={false}
          fault={unread}
        />
      ) : null}
      {change.error ? <Writes steps={choices} /> : null}
      <Field name="reason" label="Reason" hint="Kept with the run." maxLength={500} />
    </FormDialog>
  );
}

/** After a refusal: steps that may do again what they did. */
function Writes({ steps }: { readonly steps: readonly RunStep[] }) {
  const completed = steps.filter(({ status, kind }) => status === "completed" && (kind === "tool" || kind === "agent"));
  if (completed.length === 0) return null;
  return (
    <fieldset className="grid gap-1.5">
      <legend className="mb-1 text-sm font-medium">Steps that may do again what they have done</legend>
      {completed.map(({ step }) => (
        <label key={step} className="flex items-center gap-2">
          <input type="checkbox" name="acknowledge" value={step} className="size-4 accent-accent" /> {step}
        </label>
      ))}
    </fieldset>
  );
}

function inputText(step: RunStep | undefined): string {
  const { input, arguments: args } = (step?.action ?? {}) as { input?: unknown; arguments?: unknown };
  return JSON.stringify(input ?? args ?? {}, null, 2);
}

function Skip({ run, step, onClose }: Parts & { readonly step: RunStep }) {
  const change = useChange(controlRun, touched);
  const [unread, setUnread] = useState<string | null>(null);
  const submit = (form: FormData): void => {
    const output = jsonOf(String(form.get("output") ?? "").trim() || "{}");
    setUnread(output === null ? noJson : null);
    if (output === null) return;
    change.mutate(
      {
        workflow: run.workflow,
        run: run.run_id,
        action: "skip" as const,
        step: step.step,
        ...(Object.keys(output).length === 0 ? {} : { output }),
        ...reasonOf(form),
      },
      { onSuccess: () => done(`${step.step} is skipped.`, onClose) },
    );
  };
  return (
    <FormDialog
      title={`Skip ${step.step}`}
      word="Skip"
      kind="danger"
      change={change}
      onSubmit={submit}
      onClose={onClose}
    >
      <p>The run goes on without this step. Steps after it see the output that you give here.</p>
      <TextArea
        name="output"
        mono
        rows={4}
        label="Output"
        hint="JSON. Empty: none."
        spellCheck={false}
        fault={unread}
      />
      <Field name="reason" label="Reason" hint="Kept with the run." maxLength={500} />
    </FormDialog>
  );
}

function Signal({ run, onClose }: Parts) {
  const change = useChange(signalRun, touched);
  const [unread, setUnread] = useState<string | null>(null);
  const submit = (form: FormData): void => {
    const data = jsonOf(String(form.get("data") ?? "").trim() || "{}");
    setUnread(data === null ? noJson : null);
    if (data === null) return;
    change.mutate(
      { workflow: run.workflow, run: run.run_id, event: String(form.get("event")).trim(), data },
      {
        onSuccess: ({ awaited }) =>
          done(awaited ? "The event was delivered." : "No step waits for it yet; the one that will takes it.", onClose),
      },
    );
  };
  return (
    <FormDialog title="Deliver an event" word="Deliver" change={change} onSubmit={submit} onClose={onClose}>
      <p>Only this run gets it. Events of the service itself cannot be delivered by hand.</p>
      <Field name="event" label="Event" placeholder="bank.settled" required />
      <TextArea name="data" mono rows={4} label="Body" hint="JSON. Empty: none." spellCheck={false} fault={unread} />
    </FormDialog>
  );
}

const noJson = "is no JSON object: check quotes, commas and braces";

function jsonOf(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}

function reasonOf(form: FormData): { reason?: string } {
  const reason = String(form.get("reason") ?? "").trim();
  return reason === "" ? {} : { reason };
}

function done(said: string, onClose: () => void): void {
  toast(said);
  onClose();
}
