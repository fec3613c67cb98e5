import type { Held } from "./holds.ts";
import { detailLines } from "./output/detail.ts";
import { coloured } from "./output/table.ts";
import { timeOf } from "./output/text.ts";
import { painter, printable, type Terminal } from "./terminal.ts";

interface Party {
  readonly id: string;
  readonly name: string;
}

/** `ApprovalDetail` of the API. */
export interface ApprovalDetail {
  readonly approval_id: string;
  readonly task_id: string;
  readonly status: string;
  readonly agent: string;
  readonly version: number;
  readonly skill: string;
  readonly tool: string | null;
  readonly risk: string;
  readonly summary: string;
  readonly reasons: readonly string[];
  readonly requester: Party;
  /** Everybody responsible for the action, with what each of them did. */
  readonly requesters: readonly {
    readonly member: Party;
    readonly text: string;
    readonly of: string | null;
  }[];
  readonly could_decide: { readonly count: number; readonly members: readonly Party[]; readonly more: boolean };
  /** Null: somebody else has to approve. */
  readonly requester_allowed_reason: string | null;
  readonly undecidable_reason: string | null;
  readonly approvers: number;
  readonly approvals: number;
  readonly edited_by: Party | null;
  readonly expires_at: string | null;
  readonly environment: string;
  readonly action: { readonly arguments: unknown };
  readonly digest: string;
  readonly digest_matches: boolean;
  readonly risk_assessment: { readonly score: number; readonly reasons: readonly string[] };
  readonly trust: { readonly score: number; readonly low: number; readonly high: number };
  readonly cost_usd: number;
  readonly held_by: Held | null;
  readonly standing_in_for: Party | null;
  readonly if_undecided: { readonly detail: string };
  readonly may_decide: { readonly allowed: boolean; readonly reason: string | null };
}

/** All that a decision is based on: what would happen, why approval is needed, risk, trust with its interval, and the digest of exactly this action. */
export function approvalLines(approval: ApprovalDetail, terminal: Terminal): string[] {
  const paint = painter(terminal);
  const {
    agent,
    version,
    skill,
    tool,
    risk,
    risk_assessment,
    trust,
    requester,
    edited_by,
    approvals,
    approvers,
    expires_at,
  } = approval;
  const action = tool === null ? `run ${skill}` : `call ${tool} for ${skill}`;
  const row = (name: string, text: string): string => `  ${paint.faint(name.padEnd(12))} ${text}`;
  const behind = approval.requesters.map(
    ({ member, text, of }) => `${member.name} ${text}${of === null ? "" : ` (${of})`}`,
  );
  const reasons = [...risk_assessment.reasons].map((reason) => row("", printable(reason)));
  return [
    paint.strong(printable(approval.summary)),
    row("would", printable(`${agent} (version ${version}) would ${action}, in ${approval.environment}, with`)),
    ...detailLines(approval.action.arguments, terminal).map((line) => `                 ${line}`),
    row("because", printable(approval.reasons.join(" "))),
    row("for", printable(`${requester.name}${edited_by === null ? "" : `, changed by ${edited_by.name}`}`)),
    ...behind.map((text, index) => row(index === 0 ? "behind" : "", printable(text))),
    row("risk", `${coloured(risk, paint)} (${risk_assessment.score} of 12)`),
    ...reasons,
    row("trust", `${trust.score.toFixed(2)}, between ${trust.low.toFixed(2)} and ${trust.high.toFixed(2)}`),
    row("cost", `$${approval.cost_usd.toFixed(4)} so far`),
    row("votes", `${approvals} of ${approvers}`),
    ...(approval.held_by === null
      ? []
      : [row("held", printable(`${approval.held_by.text} ${approval.held_by.remedy}`))]),
    row("who", printable(approval.requester_allowed_reason ?? "Nobody who stands behind it may approve it.")),
    ...(approval.status === "pending" ? [row("could decide", printable(deciderNames(approval)))] : []),
    ...(approval.undecidable_reason === null ? [] : [row("", printable(approval.undecidable_reason))]),
    ...(approval.standing_in_for === null
      ? []
      : [row("you", printable(`would decide in the place of ${approval.standing_in_for.name}`))]),
    row("otherwise", printable(approval.if_undecided.detail) + (expires_at === null ? "" : ` (${timeOf(expires_at)})`)),
    row("digest", approval.digest),
  ];
}

function deciderNames({ could_decide: { count, members, more } }: ApprovalDetail): string {
  if (count === 0) return "nobody at present";
  return `${members.map(({ name }) => name).join(", ")}${more ? ` and ${count - members.length} more` : ""}`;
}
