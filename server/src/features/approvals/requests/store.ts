import type { ReadContext, WriteContext } from "../../../kernel/context.ts";
import { defineLoader } from "../../../kernel/db.ts";
import { isId } from "../../../kernel/ids.ts";
import { actorOf, roles } from "../../../kernel/principal.ts";
import { roleGrants } from "../../../kernel/role-permissions.ts";
import { decidePermission } from "./persons.ts";
import type { ApprovalState, OnExpiry, VoteWord } from "./words.ts";

/** An approval as it is stored. */
export interface ApprovalRow {
  id: string;
  task_id: string;
  agent: string;
  version_id: string;
  version_number: number;
  skill: string;
  tool: string | null;
  title: string | null;
  /** JSON; null: the task's input as it stands. One whose round is over keeps the input that it was asked for. */
  arguments: string | null;
  /** JSON: the trust that people saw when it ended. Null: it is open, and its task's counts. */
  trust: string | null;
  status: ApprovalState;
  action_digest: string;
  nonce: string;
  risk_level: "low" | "medium" | "high" | "critical";
  summary: string;
  reasons: string;
  /** The policies that demanded it. */
  policies: string[];
  approvers: number;
  requester_allowed: boolean;
  requester: string;
  /** Owner and issuers of the credential with which it was asked for. */
  requester_accountable: string[];
  round: number;
  previous_id: string | null;
  edited_by: string | null;
  /** The same of who edited it; empty: nobody did. */
  editor_accountable: string[];
  revision: number;
  expires_at: Date | null;
  on_expiry: OnExpiry | null;
  escalated_at: Date | null;
  escalated_by: string | null;
  decided_at: Date | null;
  decided_by: string | null;
  reason: string | null;
  consumed_at: Date | null;
  created_at: Date;
}

export type MemberKind = "person" | "service_account";

/** A vote with its voter's name; `at` in milliseconds since the epoch. */
export interface VoteRow {
  voter: string;
  name: string | null;
  kind: MemberKind | null;
  on_behalf_of: string | null;
  behalf_name: string | null;
  behalf_kind: MemberKind | null;
  vote: VoteWord;
  reason: string | null;
  /** Owner and issuers of the credential with which it was cast. */
  accountable: string[];
  /** Whether its voter had taken that up personally. */
  personal: boolean;
  /** Whether its voter may still decide, and has the e-mail address under which it was cast. */
  in_force: boolean;
  /** The latter of the two. */
  same_address: boolean;
  at: number;
}

/** An approval with the names of those concerned and its votes, oldest first. */
export interface KnownApproval extends ApprovalRow {
  requester_name: string | null;
  requester_kind: MemberKind | null;
  decider_name: string | null;
  decider_kind: MemberKind | null;
  editor_name: string | null;
  editor_kind: MemberKind | null;
  escalator_name: string | null;
  escalator_kind: MemberKind | null;
  votes: VoteRow[];
}

/** A hand-over with both names; `at` in milliseconds since the epoch. */
export interface DelegationRow {
  from: string;
  from_name: string | null;
  from_kind: MemberKind | null;
  to: string;
  to_name: string | null;
  to_kind: MemberKind | null;
  reason: string;
  /** Owner and issuers of the credential with which it was handed on. */
  accountable: string[];
  at: number;
}

/** An approval with all that judging a voter takes. */
export interface DecidableApproval extends KnownApproval {
  delegations: DelegationRow[];
}

const names = [
  "id",
  "task_id",
  "agent",
  "version_id",
  "version_number",
  "skill",
  "tool",
  "title",
  "arguments",
  "trust",
  "status",
  "action_digest",
  "nonce",
  "risk_level",
  "summary",
  "reasons",
  "policies",
  "approvers",
  "requester_allowed",
  "requester",
  "requester_accountable",
  "round",
  "previous_id",
  "edited_by",
  "editor_accountable",
  "revision",
  "expires_at",
  "on_expiry",
  "escalated_at",
  "escalated_by",
  "decided_at",
  "decided_by",
  "reason",
  "consumed_at",
  "created_at",
];
const columns = names.join(", ");

const milliseconds = (column: string): string => `floor(extract(epoch from ${column}) * 1000)`;
const ofApproval = (alias: string): string =>
  `${alias}.organization = a.organization and ${alias}.environment = a.environment and ${alias}.approval_id = a.id`;
const member = (alias: string, id: string): string =>
  `left join members ${alias} on ${alias}.organization = a.organization and ${alias}.id = ${id}`;

/** The roles that include deciding, as an SQL list. Made of our own words: safe to inline. */
const deciders = roles
  .filter((role) => roleGrants(role, decidePermission))
  .map((role) => `'${role}'`)
  .join(", ");

const voterNow = "members mv where mv.organization = v.organization and mv.id = v.voter";
const sameAddress = "lower(mv.email) is not distinct from v.voter_email";
/**
 * Whether the voter of a vote `v` may still decide: a member who was not removed and has a role that includes it, with the e-mail address that they had
 * then. With another one somebody else may be that member.
 */
export const inForce = `exists (select from ${voterNow} and mv.removed_at is null and ${sameAddress} and mv.roles ->> v.environment in (${deciders}))`;

/** Select list and joins of a {@link KnownApproval}; `a` is the approval. */
export const knownColumns = `${names.map((name) => `a.${name}`).join(", ")}, r.name as requester_name, r.kind as requester_kind,
  d.name as decider_name, d.kind as decider_kind, e.name as editor_name, e.kind as editor_kind, x.name as escalator_name, x.kind as escalator_kind,
  coalesce((
    select json_agg(json_build_object('voter', v.voter, 'name', m.name, 'kind', m.kind, 'on_behalf_of', v.on_behalf_of, 'behalf_name', b.name,
      'behalf_kind', b.kind, 'vote', v.vote, 'reason', v.reason, 'accountable', v.accountable, 'personal', v.personal, 'in_force', ${inForce},
      'same_address', exists (select from ${voterNow} and ${sameAddress}), 'at', ${milliseconds("v.created_at")}) order by v.created_at, v.voter)
    from approval_votes v ${member("m", "v.voter")} ${member("b", "v.on_behalf_of")} where ${ofApproval("v")}), '[]') as votes`;
export const knownJoins = `${member("r", "a.requester")} ${member("d", "a.decided_by")} ${member("e", "a.edited_by")} ${member("x", "a.escalated_by")}`;

const decidableColumns = `${knownColumns},
  coalesce((
    select json_agg(json_build_object('from', g.from_member, 'from_name', f.name, 'from_kind', f.kind, 'to', g.to_member, 'to_name', t2.name,
      'to_kind', t2.kind, 'reason', g.reason, 'accountable', g.accountable, 'at', ${milliseconds("g.created_at")}) order by g.created_at, g.from_member)
    from approval_delegations g ${member("f", "g.from_member")} ${member("t2", "g.to_member")} where ${ofApproval("g")}), '[]') as delegations`;

const approvalById = defineLoader<DecidableApproval>(
  "approval by id",
  `select a.id as loader_key, ${decidableColumns} from approvals a ${knownJoins}
   where a.organization = $1 and a.environment = $2 and a.id = any($3::text[])`,
);
const approvalByTask = defineLoader<DecidableApproval>(
  "approval by task",
  `select t.id as loader_key, ${decidableColumns}
   from tasks t join approvals a on a.organization = t.organization and a.environment = t.environment and a.id = t.approval_id ${knownJoins}
   where t.organization = $1 and t.environment = $2 and t.id = any($3::text[])`,
);

/** An approval of the call's environment, by its own id or as the latest of a task. */
export async function findApproval(
  ctx: ReadContext | WriteContext,
  id: string,
): Promise<DecidableApproval | undefined> {
  if (isId(id, "apr")) return ctx.db.load(approvalById, ctx.scope, id);
  return isId(id, "tsk") ? ctx.db.load(approvalByTask, ctx.scope, id) : undefined;
}

/** The approval, locked until the transaction ends. Lock it before its task, always. */
export async function lockApproval(ctx: WriteContext, id: string): Promise<ApprovalRow | undefined> {
  const rows = await ctx.db.query<ApprovalRow>(
    `select ${columns} from approvals where organization = $1 and environment = $2 and id = $3 for update`,
    [ctx.scope.organization, ctx.scope.environment, id],
  );
  return rows[0];
}

/** Stores the caller's vote, in the place of an earlier one of theirs that does not count any more. */
export async function insertVote(
  ctx: WriteContext,
  vote: { approvalId: string; vote: VoteWord; digest: string; reason: string | null; onBehalfOf: string | null },
): Promise<void> {
  await ctx.db.query(
    `insert into approval_votes (organization, environment, approval_id, voter, vote, action_digest, reason, on_behalf_of, key_id, accountable, personal, voter_email)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, (select lower(email) from members where organization = $1 and id = $4))
     on conflict (organization, environment, approval_id, voter) do update set vote = excluded.vote, action_digest = excluded.action_digest,
       reason = excluded.reason, on_behalf_of = excluded.on_behalf_of, key_id = excluded.key_id, accountable = excluded.accountable,
       personal = excluded.personal, voter_email = excluded.voter_email, created_at = now()`,
    [
      ctx.scope.organization,
      ctx.scope.environment,
      vote.approvalId,
      ctx.principal.id,
      vote.vote,
      vote.digest,
      vote.reason,
      vote.onBehalfOf,
      ctx.principal.keyId,
      actorOf(ctx.principal).accountable,
      ctx.principal.personal,
    ],
  );
}

/** Makes an approval that ends keep the trust that people saw of its task until then. */
export const keepTrust = `trust = coalesce(approvals.trust,
  (select t.trust from tasks t where t.organization = approvals.organization and t.environment = approvals.environment and t.id = approvals.task_id))`;

/** Ends a pending approval by what the caller decided; undefined where it is no longer pending. */
export async function decideApproval(
  ctx: WriteContext,
  decision: {
    id: string;
    status: "approved" | "rejected" | "changes_requested" | "expired" | "superseded";
    reason: string | null;
  },
): Promise<{ decided_at: Date } | undefined> {
  const rows = await ctx.db.query<{ decided_at: Date }>(
    `update approvals set status = $4, reason = $5, decided_by = $6, decided_at = now(), revision = revision + 1, ${keepTrust}
     where organization = $1 and environment = $2 and id = $3 and status = 'pending' returning decided_at`,
    [ctx.scope.organization, ctx.scope.environment, decision.id, decision.status, decision.reason, ctx.principal.id],
  );
  return rows[0];
}

/** Uses an approved approval up, or marks that its action is no longer the approved one. */
export async function settleApproved(ctx: WriteContext, id: string, status: "consumed" | "stale"): Promise<void> {
  await ctx.db.query(
    `update approvals set status = $4, consumed_at = case when $4 = 'consumed' then now() end, revision = revision + 1
     where organization = $1 and environment = $2 and id = $3 and status = 'approved'`,
    [ctx.scope.organization, ctx.scope.environment, id, status],
  );
}
