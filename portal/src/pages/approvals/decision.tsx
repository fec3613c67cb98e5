import { clsx } from "clsx";
import { Check, PencilLine, Undo2, X } from "lucide-react";
import { useState } from "react";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { useShortcuts } from "../../ui/shortcuts.ts";
import { Notice } from "../../ui/states.tsx";
import type { Said, useDecision } from "./decide.ts";
import { ApproveDialog, EditDialog, type Form, ReasonDialog } from "./forms.tsx";
import { type Detail, decidedText } from "./words.ts";

interface DecisionProps {
  readonly approval: Detail;
  readonly fits: boolean | null;
  readonly making: ReturnType<typeof useDecision>;
  /** Whether the buttons stay in sight at the bottom of a phone. */
  readonly sticky?: boolean;
}

/** Approve, reject, send back, edit: or why the one who looks may not. */
export function Decision({ approval, fits, making, sticky = false }: DecisionProps) {
  const [form, setForm] = useState<Form | null>(null);
  const bound = approval.digest_fits && fits !== false;
  const open = approval.may_decide.allowed && bound;
  const grave = approval.risk === "high" || approval.risk === "critical";
  const onApprove = (): void => {
    if (grave) setForm("approve");
    else void making.decide({ word: "approve" });
  };
  useShortcuts(
    "This approval",
    open
      ? [
          { keys: "a", label: "Approve", run: onApprove },
          { keys: "r", label: "Reject, with a reason", run: () => setForm("reject") },
          { keys: "s", label: "Send back for changes", run: () => setForm("send-back") },
          { keys: "e", label: "Edit, then approve", run: () => setForm("edit") },
        ]
      : [],
  );
  const choices = <Choices busy={making.busy} onApprove={onApprove} onForm={setForm} />;
  const title = approval.status === "pending" ? "Your decision" : "The decision";
  return (
    <>
      <Card title={title} className={clsx(sticky && open && making.said === null && "max-lg:hidden")}>
        {making.said ? <Outcome said={making.said} /> : null}
        {open ? <div className={clsx(sticky && "max-lg:hidden")}>{choices}</div> : <p className="text-sm">{barText(approval, bound)}</p>}
      </Card>
      {open && sticky ? <div className={atTheBottom}>{choices}</div> : null}
      <Forms form={form} approval={approval} making={making} onClose={() => setForm(null)} />
    </>
  );
}

function barText(approval: Detail, bound: boolean): string {
  if (approval.status !== "pending") return decidedText(approval);
  if (!bound) return "What is shown does not fit its fingerprint, so it cannot be decided.";
  return approval.may_decide.reason ?? "You may not decide this.";
}

function Outcome({ said }: { readonly said: Said }) {
  return (
    <div className="mb-3">
      <Notice tone={said.tone} live>
        <p>{said.text}</p>
        {said.problem && said.problem.faults.length > 0 ? (
          <ul className="mt-1 grid gap-1">
            {said.problem.faults.map(({ pointer, detail }) => (
              <li key={`${pointer}${detail}`}>
                <code className="id font-semibold">{pointer?.replace(/^\/edits\/?/, "") || "input"}</code> {detail}
              </li>
            ))}
          </ul>
        ) : null}
      </Notice>
    </div>
  );
}

interface ChoicesProps {
  readonly busy: string | null;
  readonly onApprove: () => void;
  readonly onForm: (form: Form) => void;
}

function Choices({ busy, onApprove, onForm }: ChoicesProps) {
  const waits = busy !== null;
  const picture = { className: "size-4", "aria-hidden": true };
  return (
    <div className="grid grid-cols-2 gap-2">
      <Button
        kind="primary"
        size="large"
        busy={busy === "approve"}
        disabled={waits}
        onClick={onApprove}
        icon={<Check {...picture} />}
        shortcut="a"
      >
        Approve
      </Button>
      <Button kind="refuse" size="large" disabled={waits} onClick={() => onForm("reject")} icon={<X {...picture} />} shortcut="r">
        Reject…
      </Button>
      <Button disabled={waits} onClick={() => onForm("send-back")} icon={<Undo2 {...picture} />} shortcut="s">
        Send back…
      </Button>
      <Button disabled={waits} onClick={() => onForm("edit")} icon={<PencilLine {...picture} />} shortcut="e">
        Edit…
      </Button>
    </div>
  );
}

/** At the bottom of a phone, above the rooms: always in reach. */
const atTheBottom =
  "fixed inset-x-0 bottom-[calc(3.4rem+env(safe-area-inset-bottom))] z-20 border-t border-line bg-raised px-4 py-3 shadow-float lg:hidden";

function Forms({
  form,
  approval,
  making,
  onClose,
}: {
  form: Form | null;
  approval: Detail;
  making: DecisionProps["making"];
  onClose: () => void;
}) {
  const send = (wish: Parameters<typeof making.decide>[0]): void => {
    onClose();
    void making.decide(wish);
  };
  if (form === "approve") return <ApproveDialog approval={approval} onClose={onClose} onSend={() => send({ word: "approve" })} />;
  if (form === "edit") return <EditDialog approval={approval} onClose={onClose} onSend={(edits) => send({ word: "approve", edits })} />;
  if (form === null) return null;
  return (
    <ReasonDialog
      form={form}
      onClose={onClose}
      onSend={(text) => send(form === "reject" ? { word: "reject", reason: text } : { word: "send-back", note: text })}
    />
  );
}
