import { clsx } from "clsx";
import { Check, PencilLine, Undo2, X } from "lucide-react";
import { useState } from "react";
import { RiskBadge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { useShortcuts } from "../../ui/shortcuts.ts";
import { Notice } from "../../ui/states.tsx";
import type { useDecision, Wish } from "./decide.ts";
import { ApproveDialog, EditDialog, type Form, ReasonDialog } from "./forms.tsx";
import { Outcome } from "./outcome.tsx";
import { SetUpSignIn } from "./set-up-sign-in.tsx";
import { barsWarning, type Detail, decidedText } from "./words.ts";

interface DecisionProps {
  readonly approval: Detail;
  readonly fits: boolean | null;
  readonly making: ReturnType<typeof useDecision>;
  /** Whether the buttons stay in sight at the bottom of a phone. */
  readonly sticky?: boolean;
}

/** A dialog with the approval that it was opened on: what the page shows by now may be another round of it. */
interface Opened {
  readonly form: Form;
  readonly approval: Detail;
}

/** Approve, reject, send back, edit: or why the one who looks may not. */
export function Decision({ approval, fits, making, sticky = false }: DecisionProps) {
  const [opened, setOpened] = useState<Opened | null>(null);
  const openForm = (form: Form): void => {
    making.forget();
    setOpened({ form, approval });
  };
  const said = opened === null ? making.said : null; // else the dialog says it
  const bound = approval.digest_matches && fits !== false;
  const open = approval.may_decide.allowed && bound;
  const grave = approval.risk === "high" || approval.risk === "critical";
  const onApprove = (): void => {
    if (grave) openForm("approve");
    else void making.decide(approval, { word: "approve" });
  };
  useShortcuts(
    "This approval",
    open
      ? [
          { keys: "a", label: "Approve", run: onApprove },
          { keys: "r", label: "Reject, with a reason", run: () => openForm("reject") },
          { keys: "s", label: "Request changes", run: () => openForm("send-back") },
          { keys: "e", label: "Edit and approve", run: () => openForm("edit") },
        ]
      : [],
  );
  const choices = <Choices busy={making.busy} onApprove={onApprove} onForm={openForm} />;
  const title = approval.status === "pending" ? "Your decision" : "The decision";
  // Of a decision that is over there is one statement: what came of the vote says all that the bar would.
  const told = said?.recorded === true && approval.status !== "pending";
  return (
    <>
      <Card title={title} className={clsx(sticky && open && said === null && "max-lg:hidden")}>
        {said ? (
          <div className={clsx(!told && "mb-3")}>
            <Outcome said={said} approval={approval} />
          </div>
        ) : null}
        {open ? <StandingIn approval={approval} /> : null}
        {open ? <div className={clsx(sticky && "max-lg:hidden")}>{choices}</div> : null}
        {open || told ? null : <Barred approval={approval} bound={bound} />}
        {bound && approval.status === "pending" && approval.may_decide.code === "not_asked" ? (
          <div className="mt-3 flex flex-wrap gap-2">
            <Refusals waits={making.busy !== null} onForm={openForm} />
          </div>
        ) : null}
      </Card>
      {open && sticky ? (
        <div className={atTheBottom}>
          <AtStake approval={approval} />
          <StandingIn approval={approval} />
          {choices}
        </div>
      ) : null}
      {opened ? <Forms opened={opened} now={approval} making={making} onClose={() => setOpened(null)} /> : null}
    </>
  );
}

/** In whose place the reader decides. */
function StandingIn({ approval: { standing_in_for: away } }: { readonly approval: Detail }) {
  if (away === null) return null;
  return (
    <p className="mb-2.5 text-sm text-muted">
      You stand in for <span className="font-medium text-ink">{away.name}</span>: your decision carries both names and
      counts as one.
    </p>
  );
}

/** Why the reader cannot decide, and where that is a matter of how they signed in, the way to do it again. */
function Barred({ approval, bound }: { readonly approval: Detail; readonly bound: boolean }) {
  return (
    <>
      <p className="text-sm">{barText(approval, bound)}</p>
      {approval.status === "pending" && approval.could_decide.count === 0 ? (
        <p className="mt-2 text-sm text-warn">
          Nobody could decide it at present. {approval.undecidable_reason} <SetUpSignIn approval={approval} />
        </p>
      ) : null}
      {bound && approval.may_decide.code === "not_signed_in_personally" ? (
        <p className="mt-2 text-sm">
          <a className="text-accent underline" href="/sign-in">
            Sign in personally
          </a>
        </p>
      ) : null}
    </>
  );
}

function barText(approval: Detail, bound: boolean): string {
  if (approval.status !== "pending") return decidedText(approval);
  if (!bound)
    return "The action does not match its digest, so it cannot be decided. Reload the page; if this persists, tell your operator.";
  return approval.may_decide.reason ?? "You may not decide this.";
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
      <Button
        kind="refuse"
        size="large"
        disabled={waits}
        onClick={() => onForm("reject")}
        icon={<X {...picture} />}
        shortcut="r"
      >
        Reject…
      </Button>
      <div className="col-span-2 flex flex-wrap gap-2">
        <Button
          className="grow"
          disabled={waits}
          onClick={() => onForm("send-back")}
          icon={<Undo2 {...picture} />}
          shortcut="s"
        >
          Request changes…
        </Button>
        <Button
          className="grow"
          disabled={waits}
          onClick={() => onForm("edit")}
          icon={<PencilLine {...picture} />}
          shortcut="e"
        >
          Edit…
        </Button>
      </div>
    </div>
  );
}

/** What is also open to those whom the approval rules do not ask: it lets nothing through. */
function Refusals({ waits, onForm }: { readonly waits: boolean; readonly onForm: (form: Form) => void }) {
  return (
    <>
      <Button kind="refuse" disabled={waits} onClick={() => onForm("reject")}>
        Reject…
      </Button>
      <Button disabled={waits} onClick={() => onForm("send-back")}>
        Request changes…
      </Button>
    </>
  );
}

/** The risk with what makes it so, above the buttons where the card that says it may be out of sight. */
function AtStake({ approval: { risk, risk_assessment: assessment } }: { readonly approval: Detail }) {
  return (
    <p className="mb-2.5 flex items-center gap-2 text-sm">
      <RiskBadge level={risk} />
      <span className="line-clamp-2 min-w-0 text-xs text-muted">{assessment.reasons.join(" ")}</span>
    </p>
  );
}

/** At the bottom of a phone, above the rooms: always in reach. */
const atTheBottom =
  "fixed inset-x-0 bottom-[calc(3.4rem+env(safe-area-inset-bottom))] z-20 border-t border-line bg-raised px-4 py-3 shadow-float lg:hidden";

interface FormsProps {
  readonly opened: Opened;
  readonly now: Detail;
  readonly making: DecisionProps["making"];
  readonly onClose: () => void;
}

/** The dialog that is open. It closes once the decision is recorded: what was typed is kept until then. */
function Forms({ opened: { form, approval }, now, making, onClose }: FormsProps) {
  const send = async (wish: Wish): Promise<void> => {
    if (await making.decide(approval, wish)) onClose();
  };
  const changed = approval.approval_id !== now.approval_id || approval.digest !== now.digest;
  const warning = barsWarning(approval, form);
  const notes = (
    <>
      {warning === null ? null : <Notice tone="warn">{warning}</Notice>}
      {changed ? (
        <Notice tone="warn" live>
          The action has changed since you opened this dialog, so your decision would be refused. Go back and review it
          again.
        </Notice>
      ) : null}
      {making.said ? <Outcome said={making.said} approval={now} /> : null}
    </>
  );
  const parts = { notes, busy: making.busy !== null, onClose };
  if (form === "approve")
    return <ApproveDialog {...parts} approval={approval} onSend={() => void send({ word: "approve" })} />;
  if (form === "edit")
    return <EditDialog {...parts} approval={approval} onSend={(edits) => void send({ word: "approve", edits })} />;
  return (
    <ReasonDialog
      {...parts}
      form={form}
      onSend={(text) =>
        void send(form === "reject" ? { word: "reject", reason: text } : { word: "send-back", note: text })
      }
    />
  );
}
