import { isoTime, timestamp } from "../../../kernel/clock.ts";
import type { Environment } from "../../../kernel/principal.ts";
import { isFinal, type TaskRow } from "../../tasks/public.ts";
import type { Task } from "../../tasks/schemas.ts";
import { noSecondPersonText } from "../requests/errors.ts";
import { counts, type Demanding } from "../requests/persons.ts";
import type { ApprovalRow } from "../requests/store.ts";
import type { ApprovalState } from "../schemas.ts";

type Assessment = Task["risk"];

export const undecidableText = noSecondPersonText("The approval demands a second person");

/** Why the requester may decide as well; null: they may not. */
export function requesterAllowedBecause(
  { requester_allowed, risk_level: risk }: Pick<ApprovalRow, "requester_allowed" | "risk_level">,
  environment: Environment,
): string | null {
  if (!requester_allowed) return null;
  if (environment !== "development" || risk === "low" || risk === "medium")
    return `At ${risk} risk the requester may be among those who approve.`;
  const elsewhere = risk === "critical" ? "two persons other than the requester" : "a person other than the requester";
  return `Development relaxes approvals: one person suffices, who may be the requester. In staging and production ${risk} risk takes ${elsewhere}; the setting approvals.strict makes development as strict.`;
}

/** Why a vote does not count; null: it does. */
export function notCountedBecause(
  vote: { readonly in_force: boolean; readonly same_address: boolean; readonly personal: boolean },
  approval: Demanding,
  strict: boolean,
): string | null {
  if (counts(vote, approval, strict)) return null;
  if (!vote.same_address)
    return "Its voter's e-mail address was changed since, so that the member may be somebody else by now.";
  if (!vote.in_force)
    return "Its voter, or whom they stood in for, was removed since or no longer has a role that decides.";
  return "It was not cast by somebody who had signed in personally, and the approval demands a second person.";
}

const dataWords: Readonly<Record<string, string>> = {
  internal: "It touches internal data.",
  confidential: "It touches confidential data.",
  personal: "It touches personal data.",
  restricted: "It touches restricted data.",
};

const floorWords: Readonly<Record<string, string>> = {
  restricted_data: "restricted data",
  irreversible_external: "an effect outside the company that cannot be undone",
  critical_finding: "an open critical finding about the agent",
  workflow: "what the workflow says of this step",
};

/** What makes a risk what it is, in words: impact first, then likelihood, then floors. */
export function riskReasons({ inputs, floors }: Assessment): string[] {
  const { data, reversible, external, money, persons, unattended, trust_low, critical_finding } = inputs;
  const reasons: (string | false | undefined)[] = [
    dataWords[String(data)],
    reversible === false && "It cannot be undone.",
    external === true && "It reaches outside the company.",
    Number(money) > 0 && `Up to ${Number(money).toLocaleString("en-US")} US dollars are at stake.`,
    Number(persons) > 1 && `It affects ${Number(persons).toLocaleString("en-US")} people.`,
    unattended === true && reversible === false && "Without an approval nobody looks before it happens.",
    typeof trust_low === "number" &&
      `By what was judged so far, reviewers may accept as few as ${percent(trust_low)} of its outcomes.`,
    critical_finding === true && "A critical finding about the agent is open.",
    ...floors.map(({ rule, level }) => `At least ${level}, because of ${floorWords[rule] ?? rule}.`),
  ];
  return reasons.filter((reason) => typeof reason === "string");
}

const percent = (share: number): string => `${Math.round(share * 100)} %`;

type Undecided = Pick<ApprovalRow, "id" | "tool" | "expires_at" | "on_expiry"> & { readonly status: ApprovalState };

/** Why nothing waits for what comes of an approval that was sent back; null: its task does. */
function whySentBackIsOver({ id, tool }: Undecided, task: Pick<TaskRow, "status" | "approval_id">): string | null {
  if (tool !== null) return "The call was sent back: the agent received the requested changes, and its run continued.";
  if (task.approval_id !== id) return "It was sent back; a newer approval was requested.";
  if (isFinal(task.status)) return `It was sent back, and its task is ${task.status}; nothing is pending.`;
  return task.status === "awaiting_approval"
    ? null
    : "It was sent back; the task was tried again, and requests approval again when it starts.";
}

/** What happens if nobody decides. Never an approval. The task's deadline ends it too; what comes first counts, and of two at once the end. */
export function ifUndecided(approval: Undecided, task: Pick<TaskRow, "status" | "deadline" | "approval_id">) {
  const { status, expires_at, on_expiry } = approval;
  const { deadline } = task;
  const until = deadline === null ? "" : ` Its deadline is ${isoTime(deadline)}: then it expires.`;
  if (status === "changes_requested") {
    const over = whySentBackIsOver(approval, task);
    if (over) return { outcome: "nothing" as const, at: null, detail: over };
    const detail = `It was sent back: nothing runs until its input was changed and people approved that, or it is cancelled.${until}`;
    return { outcome: "waits" as const, at: null, detail };
  }
  if (status !== "pending")
    return { outcome: "nothing" as const, at: null, detail: "It is decided; nothing is pending." };
  const end = expires_at === null ? Number.POSITIVE_INFINITY : expires_at.getTime();
  const last = deadline === null ? Number.POSITIVE_INFINITY : deadline.getTime();
  if (on_expiry === "escalate" && end < last) {
    const at = timestamp(end);
    const detail = `Nothing runs. If nobody has decided by ${at}, only admins decide it from then on; it is never approved by itself.${until}`;
    return { outcome: "escalates" as const, at, detail };
  }
  const first = on_expiry === "escalate" ? last : Math.min(end, last);
  if (first === Number.POSITIVE_INFINITY) {
    return {
      outcome: "waits" as const,
      at: null,
      detail: "Nothing expires by itself: the task waits, and nothing runs, until people decide or it is cancelled.",
    };
  }
  const at = timestamp(first);
  return {
    outcome: "expires" as const,
    at,
    detail: `Nothing runs. If nobody has decided by ${at}, the task expires; it is never approved by itself.`,
  };
}
