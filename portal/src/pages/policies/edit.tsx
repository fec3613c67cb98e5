import { type RefObject, useRef, useState } from "react";
import {
  createPolicy,
  type PolicyIntent,
  type PolicyText,
  replacePolicy,
  simulatePolicy,
  type TaggedPolicy,
} from "../../api/governance.ts";
import type { Fault, Problem } from "../../api/problem.ts";
import { useChange } from "../../api/queries.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Field, Select, TextArea } from "../../ui/field.tsx";
import { ErrorState } from "../../ui/states.tsx";
import { toast } from "../../ui/toast.tsx";
import { type Draft, draftOf, emptyDraft, textOf } from "./draft.ts";
import { ReplayView } from "./report.tsx";
import { effects } from "./words.ts";

export interface EditPolicyProps {
  /** The policy whose next version is written, as it was when the form was opened; undefined: a new one. */
  readonly of?: TaggedPolicy;
  readonly onClose: () => void;
  readonly onSaved: (policy: string) => void;
}

const savedText: Readonly<Record<PolicyIntent, string>> = {
  active: "The policy is active.",
  shadow: "The policy runs in shadow mode and changes nothing.",
  draft: "Draft saved.",
};

/** Writes a policy: try it on what was, then let it watch, then let it act. Faults are shown where they are. */
export function EditPolicy({ of, onClose, onSaved }: EditPolicyProps) {
  const [draft, setDraft] = useState(of ? draftOf(of.value) : emptyDraft);
  const [unread, setUnread] = useState<string | null>(null);
  const condition = useRef<HTMLTextAreaElement>(null);
  const replay = useChange(simulatePolicy);
  const save = useChange(
    (body: PolicyText & { state: PolicyIntent }) =>
      of ? replacePolicy({ ...body, policy: of.value.policy_id, etag: of.etag }) : createPolicy(body),
    ["/v1/governance/policies", "/v1/governance/policies/{policy}", "/v1/governance/violations"],
  );
  const problem = save.error ?? replay.error;
  const within = async (work: (text: PolicyText) => Promise<unknown>): Promise<void> => {
    setUnread(null);
    let text: PolicyText;
    try {
      text = textOf(draft, of?.value);
    } catch {
      return setUnread('must be JSON, such as {"approvers": 2}');
    }
    await work(text).catch((error: Problem) =>
      showPlace(
        condition,
        error.faults.find(({ pointer }) => pointer === "/when"),
      ),
    );
  };
  const tryIt = () =>
    within((text) => {
      save.reset();
      return replay.mutateAsync({ ...text, ...(of ? { policy: of.value.policy_id } : {}) });
    });
  const keep = (state: PolicyIntent) =>
    within(async (text) => {
      replay.reset();
      const saved = await save.mutateAsync({ ...text, state });
      toast(savedText[state]);
      onSaved(saved.policy_id);
      onClose();
    });
  const footer = (
    <>
      <Button busy={replay.isPending} onClick={() => void tryIt()}>
        Replay past calls
      </Button>
      <span className="flex-1" />
      <Button busy={save.isPending} onClick={() => void keep("draft")}>
        Save draft
      </Button>
      <Button busy={save.isPending} onClick={() => void keep("shadow")}>
        Run in shadow
      </Button>
      <Button kind="primary" busy={save.isPending} onClick={() => void keep("active")}>
        Activate
      </Button>
    </>
  );
  return (
    <Dialog
      open
      onClose={onClose}
      title={of ? `Next version of “${of.value.name}”` : "New policy"}
      footer={footer}
      wide
    >
      <div className="grid gap-4">
        {problem && problem.faults.length === 0 ? <ErrorState error={problem} /> : null}
        <Fields draft={draft} onChange={setDraft} problem={problem} unread={unread} condition={condition} />
        {replay.data ? <ReplayView report={replay.data} /> : null}
      </div>
    </Dialog>
  );
}

interface FieldsProps {
  readonly draft: Draft;
  readonly onChange: (draft: Draft) => void;
  readonly problem: Problem | null;
  readonly unread: string | null;
  readonly condition: RefObject<HTMLTextAreaElement | null>;
}

function Fields({ draft, onChange, problem, unread, condition }: FieldsProps) {
  const fault = (pointer: string): string | null =>
    problem?.faults.find((each) => each.pointer?.startsWith(pointer))?.detail ?? null;
  const bound = (name: keyof Draft) =>
    ({
      value: draft[name],
      onChange: (event: { target: { value: string } }) => onChange({ ...draft, [name]: event.target.value }),
    }) as const;
  const place = problem?.faults.find(({ pointer }) => pointer === "/when");
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="Name" placeholder="No account numbers" fault={fault("/name")} autoFocus {...bound("name")} />
        <Field
          label="Actions"
          hint="Separated by commas. Empty: everything that agents do."
          fault={fault("/scope")}
          {...bound("actions")}
        />
      </div>
      <div>
        <TextArea
          ref={condition}
          mono
          rows={4}
          spellCheck={false}
          label="When"
          hint={
            <>
              A condition in CEL, such as <code>"iban" in data.kinds</code> or <code>risk.score &gt;= 7</code>.
            </>
          }
          fault={fault("/when")}
          {...bound("when")}
        />
        {place ? <FaultyLine text={draft.when} fault={place} /> : null}
      </div>
      <div className="grid gap-4 sm:grid-cols-2">
        <Select label="Then" fault={fault("/effect")} {...bound("effect")}>
          {effects.map(([effect, word]) => (
            <option key={effect} value={effect}>
              {effect}: {word.toLowerCase()}
            </option>
          ))}
        </Select>
        <Field
          label="Parameters"
          hint="JSON, if the effect takes parameters."
          fault={unread ?? fault("/params")}
          {...bound("params")}
        />
        <Field
          label="Reason code"
          placeholder="account_number"
          hint="For programs: a-z, 0-9 and _."
          fault={fault("/reason_code")}
          {...bound("reason_code")}
        />
        <Field
          label="Message"
          placeholder="The input holds an account number; leave it out."
          fault={fault("/message")}
          {...bound("message")}
        />
      </div>
      <Field label="Change note" fault={fault("/note")} {...bound("note")} />
    </>
  );
}

/** The line with the fault, and a mark below its column. */
function FaultyLine({ text, fault }: { readonly text: string; readonly fault: Fault }) {
  const line = fault.line === undefined ? undefined : text.split("\n")[fault.line - 1];
  if (line === undefined || fault.column === undefined) return null;
  return (
    <pre
      className="mt-1.5 overflow-x-auto rounded-md bg-bad-soft px-3 py-2 font-mono text-[0.8125rem] leading-snug"
      aria-hidden="true"
    >
      {line}
      {"\n"}
      <span className="text-bad">{`${" ".repeat(Math.max(0, fault.column - 1))}▲`}</span>
    </pre>
  );
}

/** Puts the cursor where the fault is. */
function showPlace({ current }: RefObject<HTMLTextAreaElement | null>, fault: Fault | undefined): void {
  if (current === null || fault?.line === undefined || fault.column === undefined) return;
  const before = current.value
    .split("\n")
    .slice(0, fault.line - 1)
    .join("\n");
  const at = (fault.line > 1 ? before.length + 1 : 0) + fault.column - 1;
  current.focus();
  current.setSelectionRange(at, at + 1);
}
