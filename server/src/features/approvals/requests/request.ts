import { hash } from "node:crypto";
import { canonicalJson } from "@aos/strict-json";
import type { Row } from "../../../db/scoped.ts";
import { type Decider, idsOf, storedDeciders } from "../../../kernel/actor.ts";
import { arrayLiteral, defineAppendTable } from "../../../kernel/append.ts";
import { directOf } from "../../../kernel/direct-skills.ts";
import type { Participant } from "../../../kernel/principal.ts";
import type { ApprovalDemand } from "../../../kernel/verdict.ts";
import { asksOf, type CountedFor } from "./required.ts";
import type { Expiry } from "./rules.ts";

/** Exactly what people approve: the action and the approval's own nonce, so that no approval fits another action or another time. */
export interface BoundAction {
  readonly agent: string;
  /** Id of the agent version, `ver_…`. */
  readonly version: string;
  readonly skill: string;
  /** Null: the task as a whole; else one call of this tool. */
  readonly tool: string | null;
  readonly arguments: unknown;
  readonly nonce: string;
}

/** SHA-256, in hexadecimal, of the canonical JSON (RFC 8785) of the action. */
export function actionDigest(action: BoundAction): string {
  const { agent, version, skill, tool, nonce } = action;
  const q = JSON.stringify;
  // The members in their canonical order, written out: only the arguments are of any shape.
  const text = `{"agent":${q(agent)},"arguments":${canonicalJson(action.arguments)},"nonce":${q(nonce)},"skill":${q(skill)},"tool":${q(tool)},"version":${q(version)}}`;
  return hash("sha256", text, "hex");
}

type Stored = Row<"approvals">;

export type NewApprovalRow = Pick<
  Stored,
  | ("id" | "task_id" | "agent" | "version_id" | "version_number" | "skill" | "tool" | "title" | "arguments")
  | ("action_digest" | "nonce" | "risk_level" | "summary" | "reasons" | "approvers" | "requester" | "requester_allowed")
  | ("round" | "previous_id" | "edited_by" | "on_expiry")
> & {
  /** JSON: the policies and rules that ask. */
  demanded: string;
  /** Array literals. */
  policies: string;
  /** See `tokensOf`. */
  asks: string | null;
  requester_accountable: string;
  requesters: string | null;
  editor_accountable: string;
  /** RFC 3339. */
  expires_at: string | null;
};

export const newApprovals = defineAppendTable<NewApprovalRow>({
  table: "approvals",
  columns: [
    ["organization", "text"],
    ["environment", "text"],
    ["id", "text"],
    ["task_id", "text"],
    ["agent", "text"],
    ["version_id", "text"],
    ["version_number", "int"],
    ["skill", "text"],
    ["tool", "text"],
    ["title", "text"],
    ["arguments", "text"],
    ["action_digest", "text"],
    ["nonce", "text"],
    ["risk_level", "text"],
    ["summary", "text"],
    ["reasons", "text"],
    ["policies", "text", "text[]"],
    ["demanded", "text"],
    ["asks", "text", "text[]"],
    ["approvers", "smallint"],
    ["requester_allowed", "boolean"],
    ["requester", "text"],
    ["requester_accountable", "text", "text[]"],
    ["requesters", "text", "jsonb"],
    ["round", "int"],
    ["previous_id", "text"],
    ["edited_by", "text"],
    ["editor_accountable", "text", "text[]"],
    ["expires_at", "timestamptz"],
    ["on_expiry", "text"],
  ],
});

/** In whose name people are asked, and everybody accountable for what they are asked. */
export interface Requester {
  readonly id: string;
  readonly persons: readonly Decider[];
}

/** Who was recorded as asking for an approval. Null: its requester and who issued their key, as for most calls. */
export const requesterOfRow = (row: Pick<Stored, "requester" | "requester_accountable" | "requesters">): Requester => ({
  id: row.requester,
  persons:
    row.requesters === null
      ? row.requester_accountable.map((id) => ({
          id,
          how: id === row.requester ? "owner" : "issuer",
          of: null,
          at: null,
        }))
      : storedDeciders(row.requesters),
});

/** Null where requester and `requester_accountable` say it all. */
const storedRequesters = ({ id, persons }: Requester): string | null =>
  persons.every(({ how, ...one }) => (how === "owner" && one.id === id) || how === "issuer")
    ? null
    : JSON.stringify(persons);

export interface ApprovalRequest {
  readonly id: string;
  readonly nonce: string;
  readonly taskId: string;
  /** What the task or the call is about; null: nothing says so. */
  readonly title: string | null;
  readonly action: Omit<BoundAction, "nonce">;
  readonly versionNumber: number;
  readonly riskLevel: string;
  readonly demand: ApprovalDemand;
  readonly requester: Requester;
  /** See `expiryOf`. Default: it waits for as long as it takes. */
  readonly expiry?: Expiry | null;
  /** One more than that of the approval before. Default: 1. */
  readonly round?: number;
  readonly previousId?: string | null;
  /** Who changed the action before people decided. Default: it is as the requester wanted it. */
  readonly editedBy?: Participant | null;
}

export function approvalOfCall(request: ApprovalRequest): NewApprovalRow {
  const { tool, arguments: given } = request.action;
  if (tool === null) throw new TypeError("an approval of a call names its tool");
  return { ...approvalOfTask(request), tool, arguments: JSON.stringify(given) };
}

export function approvalOfTask(request: ApprovalRequest): NewApprovalRow {
  const { id, nonce, title, action, demand, requester, expiry, editedBy } = request;
  return {
    id,
    nonce,
    task_id: request.taskId,
    agent: action.agent,
    version_id: action.version,
    version_number: request.versionNumber,
    skill: action.skill,
    tool: null,
    title,
    arguments: null,
    action_digest: actionDigest({ ...action, nonce }),
    risk_level: request.riskLevel,
    summary: summaryOf(action, demand, title),
    reasons: JSON.stringify(demand.reasons),
    policies: arrayLiteral(demand.policies ?? []),
    demanded: JSON.stringify(demand.required_by ?? []),
    asks: literalOrNull(asksOf({ ...demand, required_by: demand.required_by ?? [] }, [], noVotes)),
    approvers: demand.approvers,
    requester_allowed: demand.requester_allowed,
    requester: requester.id,
    requester_accountable: arrayLiteral([...new Set([...ownerAmong(requester), ...idsOf(requester.persons)])]),
    requesters: storedRequesters(requester),
    round: request.round ?? 1,
    previous_id: request.previousId ?? null,
    edited_by: editedBy?.id ?? null,
    editor_accountable: arrayLiteral(editedBy?.accountable ?? []),
    expires_at: expiry?.at.toISOString() ?? null,
    on_expiry: expiry?.onExpiry ?? null,
  };
}

const literalOrNull = (texts: readonly string[] | null): string | null => texts && arrayLiteral(texts);
/** Nobody has voted when people are asked. */
const noVotes: CountedFor = { strict: false, escalated: false, placeOf: (id) => ({ id, role: undefined, teams: [] }) };

/** A member in whose name people are asked is accountable, whatever else is recorded; the service itself is nobody. */
const ownerAmong = ({ id }: Requester): string[] => (id.startsWith("system:") || id.startsWith("hook:") ? [] : [id]);

/** What events say of an approval. They cannot be erased, so that of a conversation they do not quote the title, which holds arguments. */
export const summaryToTell = (
  { conversation }: { readonly conversation: string | null },
  { summary, title }: Pick<NewApprovalRow, "summary" | "title">,
): string =>
  conversation !== null && title !== null && summary.startsWith(`${title}: `)
    ? summary.slice(title.length + 2)
    : summary;

export function summaryOf(
  action: { agent: string; skill: string; tool: string | null },
  demand: ApprovalDemand,
  title: string | null = null,
): string {
  return `${title === null ? "" : `${title}: `}${action.agent} asks ${wantedOf(action)}. ${demand.reasons.join(" ")}`;
}

function wantedOf({ skill, tool }: { skill: string; tool: string | null }): string {
  const direct = directOf(skill);
  if (direct === "nothing") return "for a decision";
  if (direct) return `to call ${direct.tool}`;
  return `to run ${tool === null ? skill : `${tool} in ${skill}`}`;
}
