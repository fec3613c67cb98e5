import type { Problem } from "../../api/problem.ts";
import type { Schema } from "../../api/types.ts";
import { when } from "../../lib/time.ts";
import { spoken } from "../../lib/words.ts";
import type { Tone } from "../../ui/badge.tsx";

// What the rooms of approvals say, in people's words.

export type Detail = Schema<"ApprovalDetail">;
export type Listed = Schema<"Approval">;

const states: Readonly<Record<string, readonly [word: string, tone: Tone]>> = {
  pending: ["Pending", "warn"],
  approved: ["Approved", "good"],
  consumed: ["Approved", "good"],
  rejected: ["Rejected", "bad"],
  changes_requested: ["Changes requested", "warn"],
  expired: ["Expired", "neutral"],
  cancelled: ["Cancelled", "neutral"],
  superseded: ["Replaced by a newer request", "neutral"],
  stale: ["Not executed: the action had changed", "bad"],
};

/** The same, where people approved and the task has ended. */
const ends: Readonly<Record<string, readonly [word: string, tone: Tone]>> = {
  completed: ["Approved and executed", "good"],
  failed: ["Approved, but the task failed", "bad"],
  blocked: ["Approved, but the task was blocked", "bad"],
  cancelled: ["Approved, but the task was cancelled", "neutral"],
  expired: ["Approved, but the task expired", "neutral"],
  rejected: ["Approved, but a later step was rejected", "bad"],
};

/** How it stands, in a few words: by the task as well, since approving is not carrying out. */
export function standing({
  status,
  task_status: task,
}: {
  readonly status: string;
  readonly task_status?: string;
}): readonly [word: string, tone: Tone] {
  const end = (status === "approved" || status === "consumed") && task !== undefined ? ends[task] : undefined;
  return end ?? states[status] ?? [spoken(status), "neutral"];
}

/** Whether there is more to come: people decided, and the task has not ended. */
export const goesOn = ({ status, task_status: task }: Detail): boolean => status !== "pending" && !(task in ends);

const outcomes: Readonly<Record<string, string>> = {
  awaiting_approval: "The task needs another approval.",
  input_required: "The task needs more input.",
  queued: "The task is queued and runs as soon as a worker is free.",
  running: "The task is running.",
  completed: "The task has completed.",
  failed: "The task has failed.",
  rejected: "The task has ended. Nothing was executed.",
  cancelled: "The task was cancelled.",
  blocked: "The task was blocked.",
  expired: "The task has expired.",
};

/** The same, where what was approved had been started. */
const outcomesOfStarted: Readonly<Record<string, string>> = {
  completed: "Executed; the task has completed.",
  failed: "The task was started and has failed.",
  rejected: "The task was started and ended when a later step was rejected.",
  cancelled: "The task was started, then cancelled.",
  blocked: "The task was started, then blocked.",
  expired: "The task was started, then expired.",
};

export function outcome({ status, task_status: task, held_by }: Detail): string {
  if (task === "queued" && held_by)
    return "The task is queued and held for the reason shown; it runs once the hold is lifted.";
  if (status === "changes_requested" && task === "awaiting_approval") return "Nothing runs until the input is changed.";
  return (status === "consumed" ? outcomesOfStarted[task] : undefined) ?? outcomes[task] ?? "";
}

/** What the caller's own decision came to, as things stand now. */
export function afterVote(approval: Detail): string {
  if (approval.status !== "pending") return decidedText(approval);
  const missing = approval.approvers - approval.approvals;
  return `Your approval is recorded. ${missing} more ${missing === 1 ? "person" : "people"} must approve before anything happens.`;
}

/** How that is meant: good news, a warning, or bad. */
export function toneAfterVote(approval: Detail): "good" | "warn" | "bad" {
  if (approval.status === "pending") return "warn";
  return approval.status !== "rejected" && standing(approval)[1] === "bad" ? "bad" : "good";
}

/** Why a decision was not taken, or that it is not known whether it was. */
export function refusalText({ status, code, detail }: Pick<Problem, "status" | "code" | "detail">): string {
  if (code === "already_decided") return "Someone else decided first, so your decision changed nothing.";
  if (code === "digest_mismatch")
    return "The action has changed since you opened it. Nothing was decided. Review it again.";
  if (status === 429 || code === "overloaded")
    return "The service could not record your decision. Nothing was decided. Try again in a moment.";
  // A failure may come after the decision was recorded, and be a proxy's rather than the service's.
  if (status === 0 || status >= 500)
    return "The service did not respond, so your decision may or may not have been recorded. This page updates when the service responds.";
  return `Nothing was decided. ${detail}`;
}

/** How an approval that is over came to be so. */
export function decidedText(approval: Detail): string {
  const by = approval.decided_by ? ` by ${approval.decided_by.name}` : "";
  const at = approval.decided_at ? `, ${when(approval.decided_at)}` : "";
  const stale = approval.status === "stale";
  return `${standing({ status: stale ? "approved" : approval.status })[0]}${by}${at}. ${stale ? `${states.stale?.[0]}.` : outcome(approval)}`.trim();
}

/** What is special about this round: a number from the second one on, who edited it, who handed it to the admins. Empty: nothing. */
export function roundText({ round, edited_by: editor, escalated_at: at, escalated_by: by }: Detail): string {
  const handed =
    at &&
    `Escalated to the admins${by?.kind === "system" ? ", because nobody decided in time" : ` by ${by?.name}`}, ${when(at)}.`;
  return [round > 1 && `Round ${round}: approval was requested before.`, editor && `Edited by ${editor.name}.`, handed]
    .filter(Boolean)
    .join(" ");
}

export function undecidedText({ if_undecided: { outcome: what, at } }: Detail): string {
  const by = at === null ? "" : ` by ${when(at)}`;
  if (what === "escalates")
    return `Nothing runs. If nobody decides${by}, only admins can decide afterwards. It is never approved automatically.`;
  if (what === "expires")
    return `Nothing runs. If nobody decides${by}, the task expires. It is never approved automatically.`;
  return "Nothing runs or expires: the task waits until someone decides or cancels it.";
}

/** How many people it takes, who may be among them, and how many there are. */
export function quorumText(approval: Detail): string {
  const { status, approvals, approvers, requester_allowed: allowed, edited_by: editor } = approval;
  const open = status === "pending";
  const verb = open ? "must" : "had to";
  const people = `${approvers === 1 ? "One person" : `${approvers} different people`} ${verb} approve`;
  const others = allowed ? "" : `, other than ${editor ? "the requester or editor" : "the requester"}`;
  const personally = approval.personal_sign_in_required
    ? " Only people signed in by single sign-on or passkey count."
    : "";
  // Where nobody can decide, "Your decision" says why.
  const undecidable = approval.could_decide.count === 0 ? null : approval.undecidable_reason;
  const because = [approval.requester_allowed_reason, undecidable].filter((text) => text !== null);
  const said = `${people}${others}. ${approvals} of ${approvers} ${open ? "so far; one rejection ends it" : "did"}.${personally}`;
  return [said, ...(open ? because : [])].join(" ");
}

export const nameOf = ({ name, kind }: { readonly name: string; readonly kind: string }): string =>
  kind === "service_account" ? `${name} (service account)` : name;

/** What would lower the risk most, as a condition. That somebody looks first is none: an approval is just that. */
const ifOnly: Readonly<Record<string, (to: unknown) => string>> = {
  data: (to) => `its data were ${to}`,
  money: (to) => `no more than $${to} were at stake`,
  reversible: () => "it could be undone",
  external: () => "it stayed inside the company",
  persons: (to) => `it touched ${to} ${to === 1 ? "person" : "people"}`,
  trust_low: (to) => `trust were at least ${Math.round(Number(to) * 100)} %`,
  mitigation: () => "safeguards made harm less likely",
  critical_finding: () => "its critical finding were settled",
};

/** The one change that would lower the risk most; null where there is none. */
export function loweredBy({ risk_assessment: { lower } }: Detail): string | null {
  const condition = lower === null ? undefined : ifOnly[lower.change.input]?.(lower.change.to);
  return lower === null || condition === undefined ? null : `It would be ${lower.level} if ${condition}.`;
}

/** What whoever edits or sends back should know first: that too few could decide afterwards. Null: enough could. */
export function barsWarning(approval: Detail, form: string): string | null {
  const { requester_allowed: allowed, personal_sign_in_required: strict, tool, could_decide: could } = approval;
  if (allowed || !strict) return null;
  // Nobody is accountable for the note that sends a whole task back: whoever changes its input is.
  const act = form === "edit" ? "edit it" : form === "send-back" && tool !== null ? "request changes" : null;
  // Earlier votes end with this round; those who gave them can vote again.
  const others = could.count - 1 + approval.approvals;
  if (act === null || others >= approval.approvers) return null;
  return `If you ${act}, you can no longer approve it yourself, and ${others === 0 ? "nobody else could" : "too few others could"}.`;
}
