import { type FormEvent, type ReactNode, useState } from "react";
import { asksText, titleOf } from "../../lib/asking.ts";
import { Button } from "../../ui/button.tsx";
import { ValueTable } from "../../ui/code.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Field, TextArea } from "../../ui/field.tsx";
import { Notice } from "../../ui/states.tsx";
import type { Detail } from "./words.ts";

/** The dialogs in which a decision is explained or confirmed. */
export type Form = "approve" | "reject" | "send-back" | "edit";

interface FormParts {
  /** What has to be known before it is sent, and what came of sending it. */
  readonly notes: ReactNode;
  readonly busy: boolean;
  readonly onClose: () => void;
}

const words = {
  reject: {
    title: "Reject",
    label: "Reason",
    send: "Reject",
    missing: "Enter a reason.",
  },
  "send-back": {
    title: "Request changes",
    label: "What has to change?",
    send: "Request changes",
    missing: "Enter what has to change.",
  },
};

/** What is at stake is shown once more before it is approved, where the risk is high. */
export function ApproveDialog({
  approval,
  notes,
  busy,
  onClose,
  onSend,
}: FormParts & { approval: Detail; onSend: () => void }) {
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Approve at ${approval.risk} risk?`}
      footer={
        <>
          <Button onClick={onClose} data-autofocus>
            Back
          </Button>
          <Button kind="primary" busy={busy} onClick={onSend}>
            Approve
          </Button>
        </>
      }
    >
      <p className="font-medium">{titleOf(approval)}</p>
      {approval.title === null ? null : <p className="text-sm text-muted">{asksText(approval)}</p>}
      <ul className="mt-2 list-disc pl-5 text-sm">
        {approval.risk_assessment.reasons.map((reason) => (
          <li key={reason}>{reason}</li>
        ))}
      </ul>
      <div className="mt-3 border-t border-line">
        <ValueTable value={approval.action.arguments} label="Input" />
      </div>
      <div className="mt-3 grid gap-3">{notes}</div>
    </Dialog>
  );
}

interface ReasonParts extends FormParts {
  readonly form: "reject" | "send-back";
  readonly onSend: (text: string) => void;
}

export function ReasonDialog({ form, notes, busy, onClose, onSend }: ReasonParts) {
  const [fault, setFault] = useState<string | null>(null);
  const { title, label, send, missing } = words[form];
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const text = String(new FormData(event.currentTarget).get("text")).trim();
    if (text === "") setFault(missing);
    else onSend(text);
  };
  return (
    <Dialog open onClose={onClose} title={title}>
      <form onSubmit={submit} noValidate className="grid gap-4">
        <TextArea
          name="text"
          label={label}
          maxLength={2000}
          data-autofocus
          fault={fault}
          hint="Visible to the requester, the agent and its trainers. Ctrl+Enter submits."
          onKeyDown={sendOnCtrlEnter}
        />
        {notes}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Back</Button>
          <Button type="submit" busy={busy} kind={form === "reject" ? "danger" : "primary"}>
            {send}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function sendOnCtrlEnter(event: React.KeyboardEvent<HTMLTextAreaElement>): void {
  if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  event.currentTarget.form?.requestSubmit();
}

type Values = Record<string, unknown>;
const isFlat = (input: unknown): input is Values =>
  typeof input === "object" &&
  input !== null &&
  !Array.isArray(input) &&
  Object.values(input).every((value) => ["string", "number", "boolean"].includes(typeof value));

/** What was typed for a member, read as what stood there before: a number stays one. */
function readAs(before: unknown, text: string): unknown {
  if (typeof before === "number" && text.trim() !== "" && !Number.isNaN(Number(text))) return Number(text);
  if (typeof before === "boolean") return text === "true";
  return text;
}

function readForm(input: unknown, form: FormData): { edits?: Values; fault?: string } {
  if (isFlat(input))
    return {
      edits: Object.fromEntries(
        Object.entries(input).map(([name, before]) => [name, readAs(before, String(form.get(name)))]),
      ),
    };
  try {
    const edits: unknown = JSON.parse(String(form.get("json")));
    if (typeof edits === "object" && edits !== null && !Array.isArray(edits)) return { edits: edits as Values };
    return { fault: "Enter a JSON object: { … }." };
  } catch (error) {
    return { fault: `Invalid JSON: ${(error as Error).message}` };
  }
}

/** Another input is approved instead of the one that is shown: field by field, or as JSON where it has parts of its own. */
export function EditDialog({
  approval,
  notes,
  busy,
  onClose,
  onSend,
}: FormParts & { approval: Detail; onSend: (edits: Values) => void }) {
  const [fault, setFault] = useState<string | null>(null);
  const input = approval.action.arguments;
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const { edits, fault: wrong } = readForm(input, new FormData(event.currentTarget));
    if (edits) onSend(edits);
    else setFault(wrong ?? null);
  };
  return (
    <Dialog open onClose={onClose} title="Edit and approve" wide={!isFlat(input)}>
      <form onSubmit={submit} noValidate className="grid gap-4">
        {isFlat(input) ? (
          Object.entries(input).map(([name, value], index) => (
            <Field
              key={name}
              name={name}
              label={name}
              defaultValue={String(value)}
              data-autofocus={index === 0 || undefined}
              autoComplete="off"
            />
          ))
        ) : (
          <TextArea
            name="json"
            label="Input"
            mono
            rows={14}
            spellCheck={false}
            defaultValue={JSON.stringify(input, null, 2)}
            fault={fault}
            data-autofocus
          />
        )}
        <Notice>
          {approval.requester_allowed
            ? "The edited input is checked like a new request. Earlier votes no longer count; yours does."
            : "The edited input is checked like a new request. Someone other than the editor must approve it."}
        </Notice>
        {notes}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Back</Button>
          <Button type="submit" kind="primary" busy={busy}>
            Approve with changes
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
