import { countsUntilConfirmed, type Decider, decidersOf, type Part, parts, unite } from "../../../kernel/actor.ts";
import { type Principal, participantOf } from "../../../kernel/principal.ts";
import { roleGrants } from "../../../kernel/role-permissions.ts";
import { type TaskRow, taskJson } from "../../tasks/public.ts";
import type { StandIn } from "../delegations/rules.ts";
import { undecidableText } from "../inbox/wording.ts";
import {
  barredParties,
  type CountedVote,
  countPersons,
  counts,
  type Demanding,
  decidePermission,
  needsPersonal,
  needsSecondPerson,
  partiesOf,
  shareAPerson,
} from "../requests/persons.ts";
import { actionDigest, type BoundAction, requesterOfRow } from "../requests/request.ts";
import {
  areRulesMet,
  type CountedFor,
  isAsked,
  missingOf,
  type Place,
  type Required,
  type RuleVote,
} from "../requests/required.ts";
import {
  type ApprovalRow,
  approvalJson,
  type DelegationRow,
  type DemandingRow,
  demandOfRow,
  type VoteRow,
} from "../requests/store.ts";
import type { BarCode } from "../schemas.ts";

export function storedAction(approval: ApprovalRow, task: TaskRow): BoundAction {
  return {
    agent: task.agent,
    version: task.version_id,
    skill: task.skill,
    tool: approval.tool,
    arguments: approvalJson(approval, "arguments") ?? taskJson(task, "input"),
    nonce: approval.nonce,
  };
}

/** Whether what would happen is still what approval was asked for. */
export function isBound(approval: ApprovalRow, task: TaskRow): boolean {
  return actionDigest(storedAction(approval, task)) === approval.action_digest;
}

/** Whether a vote has to carry the digest of what was shown. */
export function needsDigest(approval: Pick<ApprovalRow, "risk_level">): boolean {
  return approval.risk_level === "high" || approval.risk_level === "critical";
}

/** What the votes that count come to: one rejection ends it, `approvers` persons approve it. */
export function outcomeOf(
  votes: readonly CountedVote[],
  approval: Demanding,
  strict: boolean,
): "pending" | "approved" | "rejected" {
  const counted = votes.filter((vote) => counts(vote, approval, strict));
  if (counted.some(({ vote }) => vote === "reject")) return "rejected";
  return countPersons(counted.map(({ accountable }) => accountable)) >= approval.approvers ? "approved" : "pending";
}

/** The same, where approval rules ask as well: each of them has to be met. */
export function decisionOf(
  votes: readonly RuleVote[],
  required: Required,
  counted: CountedFor,
): ReturnType<typeof outcomeOf> {
  const outcome = outcomeOf(votes, required, counted.strict);
  return outcome === "approved" && !areRulesMet(required, votes, counted) ? "pending" : outcome;
}

export interface Caller {
  readonly principal: Principal;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Whether only credentials that their person took up personally count as a second person's. */
  readonly strict: boolean;
  readonly personalSignIn: boolean;
  readonly appUrl: string;
  /** For whom the caller stands in now. */
  readonly standIns: readonly StandIn[];
  /** The role and teams of members here. */
  placeOf(member: string): Place;
}

type Stored =
  | ("status" | "task_id" | "requester" | "requester_accountable" | "requesters")
  | ("requester_allowed" | "approvers" | "round")
  | ("edited_by" | "editor_accountable" | "expires_at" | "on_expiry" | "escalated_at" | "escalated_by" | "decided_at")
  | keyof DemandingRow;

export type Deciding = Pick<ApprovalRow, Stored> & {
  readonly votes: readonly (RuleVote & Pick<VoteRow, "name">)[];
  readonly delegations: readonly Pick<DelegationRow, "from" | "to" | "to_name" | "accountable">[];
};

export interface Bar {
  readonly code: Exclude<BarCode, "already_decided" | "insufficient_scope" | "already_voted">;
  readonly reason: string;
}

export function isOverdue({ status, expires_at }: Pick<Deciding, "status" | "expires_at">, now: number): boolean {
  return status === "pending" && expires_at !== null && expires_at.getTime() <= now;
}

/** Whether it waits for a decision: pending, and not beyond a time at which it ends. */
export function isOpen(approval: Pick<Deciding, "status" | "expires_at" | "on_expiry">, now: number): boolean {
  return approval.status === "pending" && !(isOverdue(approval, now) && approval.on_expiry === "reject");
}

export function isEscalated(
  approval: Pick<Deciding, "status" | "escalated_at" | "expires_at" | "on_expiry">,
  now: number,
): boolean {
  return approval.escalated_at !== null || (approval.on_expiry === "escalate" && isOverdue(approval, now));
}

/**
 * Bars a caller for good: service accounts, and in the first round the requester where four eyes are demanded. A later round may demand more than
 * the ones before.
 */
export function lastingBar({ principal }: Pick<Caller, "principal">, approval: Deciding): Bar | null {
  if (principal.kind !== "member") {
    return {
      code: "persons_only",
      reason: "Only a person can decide; this key acts for a service account. Use a key that acts for a member.",
    };
  }
  return approval.round === 1 ? requesterBar(principal.id, approval) : null;
}

/** In whose name a vote is cast, and everybody accountable for it. */
export interface Seat {
  /** Who handed the decision to the voter, or is stood in for; null: nobody. */
  readonly onBehalfOf: string | null;
  /** The delegation by which the voter stands in; null: they decide in their own right. */
  readonly delegation: string | null;
  readonly accountable: readonly string[];
}

/** Everybody accountable for a seat, as deciders of something that whoever sits in it does. */
export function decidersIn(ctx: Parameters<typeof decidersOf>[0], seat: Seat, how: Part, of: string): Decider[] {
  const at = new Date(ctx.now).toISOString();
  return unite(
    decidersOf(ctx, how, of),
    seat.accountable.map((id) => ({ id, how, of, at })),
  );
}

/**
 * The one rule of who may decide: in whose name a caller's vote would be cast, or the first reason why they may not cast one. Whoever stands in for another
 * does so wherever that has effect, else decides in their own right. Of an approval that is over only what bars for good counts. `tightening`: to reject it,
 * send it back or escalate it, which approval rules leave to whoever may decide: else one whose persons are gone could not be ended.
 */
export function seatOf(caller: Caller, approval: Deciding, tightening = false): Seat | { readonly bar: Bar } {
  const { principal } = caller;
  const { accountable } = participantOf(principal);
  const bar = ownBar(caller, approval, tightening);
  const handed = behalfOf(principal.id, approval.delegations);
  if (!bar && handed !== null) return { onBehalfOf: handed, delegation: null, accountable };
  const standIn = standInFor(caller, approval, tightening);
  if (standIn) {
    const persons = [...new Set([...accountable, standIn.for, ...standIn.accountable])];
    return { onBehalfOf: standIn.for, delegation: standIn.id, accountable: persons };
  }
  return bar ? { bar } : { onBehalfOf: null, delegation: null, accountable };
}

/** The first reason why a caller may not decide; null: none. */
export function barOf(caller: Caller, approval: Deciding): Bar | null {
  const seat = seatOf(caller, approval);
  return "bar" in seat ? seat.bar : null;
}

/** Why a caller may not decide in their own right. */
function ownBar(caller: Caller, approval: Deciding, tightening: boolean): Bar | null {
  const { id } = caller.principal;
  const always = lastingBar(caller, approval) ?? requesterBar(id, approval);
  if (always || !isOpen(approval, caller.now)) return always;
  return (
    editorBar(id, approval) ??
    personalBar(caller, approval) ??
    handOverBar(caller, approval) ??
    credentialBar(caller, approval) ??
    (tightening ? null : ruleBar(caller, approval))
  );
}

/** How votes count for the caller, who sees the approval as it is now. */
const countedBy = ({ strict, now, placeOf }: Caller, approval: Deciding): CountedFor => ({
  strict,
  escalated: isEscalated(approval, now),
  escalatedBy: approval.escalated_by,
  placeOf,
});

/** Where approval rules ask certain people, others do not decide, nor do those whose turn comes later. */
function ruleBar(caller: Caller, approval: Deciding): Bar | null {
  const required = demandOfRow(approval);
  const voter = { voter: caller.principal.id, on_behalf_of: null, stands_in: false };
  if (isAsked(required, approval.votes, countedBy(caller, approval), voter)) return null;
  const rules = required.required_by.filter(({ kind }) => kind === "rule").map(({ name, id }) => `${name} (${id})`);
  const reason = `The approval rule${rules.length === 1 ? "" : "s"} ${rules.join(" and ")} ${rules.length === 1 ? "asks" : "ask"} others now. Have one of those decide whom the approval names as those who could; you may reject it, send it back or escalate it to the admins.`;
  return { code: "not_asked", reason };
}

/** For whom a caller stands in here: somebody to whom it was handed on comes first. */
function standInFor(caller: Caller, approval: Deciding, tightening: boolean): StandIn | undefined {
  const { principal, now } = caller;
  if (caller.standIns.length === 0 || principal.kind !== "member" || !isOpen(approval, now)) return undefined;
  const able = caller.standIns.filter((standIn) => hasEffect(caller, standIn, approval, tightening));
  return able.find((standIn) => approval.delegations.some(({ to }) => to === standIn.for)) ?? able[0];
}

/**
 * Whether standing in for somebody has effect on an approval: `from` could decide it, nobody concerned stands behind it (whether or not the requester is
 * allowed), has voted on it or handed it on, and where personal credentials are demanded, the delegation was made with one as well.
 */
function hasEffect(caller: Caller, standIn: StandIn, approval: Deciding, tightening: boolean): boolean {
  const { principal, now, strict } = caller;
  const persons = [...participantOf(principal).accountable, standIn.for, ...standIn.accountable];
  const two = [principal.id, standIn.for];
  return (
    !shareAPerson(partiesOf(approval), persons) &&
    (!needsPersonal(approval, strict) || (principal.personal && standIn.personal)) &&
    !approval.delegations.some(
      ({ from, accountable }) => two.includes(from) || (needsSecondPerson(approval) && shareAPerson(accountable, two)),
    ) &&
    (!isEscalated(approval, now) || standIn.role === "admin" || principal.role === "admin") &&
    (tightening ||
      isAsked(demandOfRow(approval), approval.votes, countedBy(caller, approval), {
        voter: principal.id,
        on_behalf_of: standIn.for,
        stands_in: true,
      })) &&
    !approval.votes.some(
      (vote) =>
        vote.voter !== principal.id && counts(vote, approval, strict) && shareAPerson(vote.accountable, persons),
    )
  );
}

/** `confirmable`: what a second person can confirm, after which the caller may decide what is asked for then. */
function fourEyesBar(did: string | null | false, confirmable: readonly string[] = []): Bar | null {
  const or =
    confirmable.length === 0
      ? ""
      : `, or have a second person confirm ${confirmable.join(" and ")} before it is asked for again`;
  const reason = `${did}, and the approval demands another person; have someone else decide${or}.`;
  return did ? { code: "four_eyes", reason } : null;
}

function requesterBar(id: string, approval: Deciding): Bar | null {
  const { requester, requester_accountable, requester_allowed } = approval;
  if (requester_allowed) return null;
  if (requester === id) return fourEyesBar("You asked for this");
  if (!requester_accountable.includes(id)) return null;
  // One from before persons were kept apart does not say what they did.
  const own = requesterOfRow(approval).persons.filter((one) => one.id === id && one.how !== "unknown");
  if (own.length === 0) return fourEyesBar("You are accountable for this");
  const did = own.map(({ how, of }) => (of === null ? parts[how] : `${parts[how]} (${of})`));
  return fourEyesBar(`You ${[...new Set(did)].join(" and ")}`, confirmableAmong(own));
}

/** What a second person would have to confirm so that these would not count; none where that is not enough. */
function confirmableAmong(own: readonly Decider[]): string[] {
  if (!own.every(({ how, of }) => countsUntilConfirmed(how) && of !== null)) return [];
  return [...new Set(own.map(({ of }) => of as string))];
}

function editorBar(id: string, { edited_by, editor_accountable, requester_allowed }: Deciding): Bar | null {
  if (requester_allowed) return null;
  if (edited_by === id) return fourEyesBar("You edited this");
  return fourEyesBar(
    editor_accountable.includes(id) &&
      "You are accountable for what was edited: it was done in your place, by somebody whom you had stand in, or with a credential that you issued or one that comes from it",
  );
}

/** Where a second person is demanded, a vote is that of whoever took the credential up personally, or nobody's. */
function personalBar({ principal, strict, personalSignIn, appUrl }: Caller, approval: Deciding): Bar | null {
  if (principal.personal || !needsPersonal(approval, strict)) return null;
  if (!personalSignIn) return { code: "no_second_person", reason: undecidableText };
  const reason = `Others could have voted with this credential, and the approval demands a second person. Sign in at ${appUrl}/sign-in by OpenID Connect or with a passkey, and decide at ${appUrl}/approvals/${approval.task_id}.`;
  return { code: "not_signed_in_personally", reason };
}

function handOverBar({ principal, now }: Caller, approval: Deciding): Bar | null {
  const own = approval.delegations.find(({ from }) => from === principal.id);
  if (own)
    return { code: "delegated", reason: `You handed this on to ${own.to_name ?? own.to}, who decides in your place.` };
  const theirs =
    needsSecondPerson(approval) && approval.delegations.find(({ accountable }) => accountable.includes(principal.id));
  if (theirs) {
    const reason = `You issued the credential with which this was handed on to ${theirs.to_name ?? theirs.to}, or one that it comes from: you do not count as a second person.`;
    return { code: "delegated", reason };
  }
  if (!isEscalated(approval, now) || principal.role === "admin") return null;
  return { code: "escalated", reason: "It was escalated: only an admin decides it now, with a key of that role." };
}

/** Who issued a credential knew its secret, and so could issue whatever was issued with it: its vote is not that of a second person. */
function credentialBar({ principal, strict }: Caller, approval: Deciding): Bar | null {
  const own = participantOf(principal).accountable;
  const no = (reason: string): Bar => ({ code: "key_not_independent", reason });
  const voted = approval.votes.find(
    (vote) => vote.voter !== principal.id && counts(vote, approval, strict) && shareAPerson(vote.accountable, own),
  );
  if (voted) {
    const name = voted.name ?? voted.voter;
    if (voted.on_behalf_of === principal.id)
      return { code: "delegated", reason: `${name} has voted in your place; your vote would be the same person's.` };
    if (own.includes(voted.voter))
      return no(
        `This key was issued by ${name}, who has voted already, or with a key of theirs: it does not count as a second person. Decide with a key that somebody else issued.`,
      );
    if (voted.accountable.includes(principal.id))
      return no(
        `You issued the key with which ${name} has voted already, or the one that it comes from, or had them stand in: you do not count as a second person. Have someone else decide.`,
      );
    return no(
      `The same person issued this key and the one with which ${name} has voted already, or those that they come from: the two count as one. Decide with a key that somebody else issued.`,
    );
  }
  if (!shareAPerson(barredParties(approval), own)) return null;
  const did = shareAPerson([approval.requester, ...approval.requester_accountable], own)
    ? "asked for this"
    : "edited this";
  return no(
    `This key was issued by the one who ${did}, or with a key of theirs, and the approval demands another person. Decide with a key that somebody else issued.`,
  );
}

/** Whether the key's role and scopes include deciding, as the pipeline will judge. */
export function holdsDecidePermission({ role, scopes }: Principal): boolean {
  return role !== null && roleGrants(role, decidePermission) && (scopes === null || scopes.includes(decidePermission));
}

export function mayDecide(
  caller: Caller,
  approval: Deciding,
): { allowed: boolean; code: BarCode | null; reason: string | null } {
  const { principal, now } = caller;
  const no = (code: BarCode, reason: string) => ({ allowed: false, code, reason });
  if (!isOpen(approval, now)) return no("already_decided", overText(approval));
  if (!holdsDecidePermission(principal)) {
    return no(
      "insufficient_scope",
      `The key may read but not decide; deciding needs the permission ${decidePermission}.`,
    );
  }
  const bar = barOf(caller, approval);
  if (bar) return no(bar.code, bar.reason);
  if (approval.votes.some((vote) => vote.voter === principal.id && counts(vote, approval, caller.strict))) {
    const missing = missingOf(demandOfRow(approval), approval.votes, countedBy(caller, approval));
    if (missing <= 0) return { allowed: true, code: null, reason: null }; // others count again since: the same vote once more decides
    return no(
      "already_voted",
      `You have approved; ${missing} more ${missing === 1 ? "approval is" : "approvals are"} needed.`,
    );
  }
  return { allowed: true, code: null, reason: null };
}

function overText({ status }: Pick<Deciding, "status">): string {
  if (status === "changes_requested") return "It was sent back for changes; the result needs a new approval.";
  if (status === "superseded") return "A newer approval has taken its place; nothing is left to decide here.";
  return `It is ${status === "pending" ? "expired" : status}; nothing is left to decide.`;
}

/** Who handed the decision to a voter, the latest of them; null: nobody did. */
export function behalfOf(voter: string, delegations: Deciding["delegations"]): string | null {
  return delegations.findLast(({ to }) => to === voter)?.from ?? null;
}
