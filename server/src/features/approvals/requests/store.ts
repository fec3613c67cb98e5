import type { Row } from "../../../db/scoped.ts";
import type { ReadContext, WriteContext } from "../../../kernel/context.ts";
import { defineLoader } from "../../../kernel/db.ts";
import { isId } from "../../../kernel/ids.ts";
import { madeAt } from "../../../kernel/moment.ts";
import { roles } from "../../../kernel/principal.ts";
import type { RiskLevel } from "../../../kernel/risk.ts";
import { roleGrants } from "../../../kernel/role-permissions.ts";
import { storedJson } from "../../../kernel/stored-json.ts";
import type { ApprovalDemand, Requirement } from "../../../kernel/verdict.ts";
import { memberRows } from "../../admin/shared-rows.ts";
import { taskRows } from "../../tasks/shared-rows.ts";
import { decidePermission } from "./persons.ts";
import type { ApprovalState, VoteWord } from "./rules.ts";

/**
 * An approval as it is stored. `arguments` is null while its round is open and it is of a whole task: the task's input counts. `trust` is null until it
 * ends: the task's counts.
 */
export type ApprovalRow = Omit<Row<"approvals">, "organization" | "environment" | "reminded_at" | "risk_level"> & {
  risk_level: RiskLevel;
};
export const approvalJson = storedJson<{
  arguments: Record<string, unknown>;
  reasons: string[];
  demanded: Requirement[];
}>();

export type DemandingRow = Pick<ApprovalRow, "approvers" | "requester_allowed" | "reasons" | "policies" | "demanded">;

/** What was demanded when people were asked, without when it ends. */
export const demandOfRow = (row: DemandingRow): ApprovalDemand & { readonly required_by: readonly Requirement[] } => ({
  approvers: row.approvers,
  requester_allowed: row.requester_allowed,
  reasons: approvalJson(row, "reasons"),
  policies: row.policies,
  required_by: approvalJson(row, "demanded"),
});

export type MemberKind = "person" | "service_account";

/** A vote with its voter's name; `at` in milliseconds since the epoch. */
export interface VoteRow
  extends Pick<Row<"approval_votes">, "voter" | "vote" | "reason" | "on_behalf_of" | "accountable" | "personal"> {
  /** Whether it was cast by a delegation for a time, in the place of `on_behalf_of`. */
  stands_in: boolean;
  name: string | null;
  kind: MemberKind | null;
  behalf_name: string | null;
  behalf_kind: MemberKind | null;
  /** Whether its voter may still decide, and has the e-mail address under which it was cast. */
  in_force: boolean;
  /** The latter of the two. */
  same_address: boolean;
  at: number;
}

/** An approval with the names of those concerned and its votes, oldest first. */
type Person = "requester" | "decider" | "editor" | "escalator" | "claimer";
export type KnownApproval = ApprovalRow &
  Record<`${Person}_name`, string | null> &
  Record<`${Person}_kind`, MemberKind | null> &
  Pick<Row<"tasks">, "run_id" | "run_step" | "run_workflow"> & { votes: VoteRow[]; task: TaskOfApproval | null };

/** What of an approval's task says what holds it; null: people are asked about another action of it by now. */
export type TaskOfApproval = Pick<
  Row<"tasks">,
  "status" | "failure" | "key_id" | "principal" | "paused_by" | "pause_reason"
> & {
  /** RFC 3339. */
  finished_at: string | null;
  /** RFC 3339. */
  paused_at: string | null;
};

/** A hand-over with both names; `at` in milliseconds since the epoch. */
export interface DelegationRow {
  from: string;
  from_name: string | null;
  from_kind: MemberKind | null;
  to: string;
  to_name: string | null;
  to_kind: MemberKind | null;
  reason: string;
  accountable: string[];
  at: number;
}

export type DecidableApproval = KnownApproval & { delegations: DelegationRow[] };

const milliseconds = (column: string): string => `floor(extract(epoch from ${column}) * 1000)`;
const ofApproval = (alias: string): string =>
  `${alias}.organization = a.organization and ${alias}.environment = a.environment and ${alias}.approval_id = a.id`;
const member = (alias: string, id: string): string =>
  `left join ${memberRows} ${alias} on ${alias}.organization = a.organization and ${alias}.id = ${id}`;

/** The roles that include deciding, as an SQL list. Made of our own words: safe to inline. */
const deciders = roles
  .filter((role) => roleGrants(role, decidePermission))
  .map((role) => `'${role}'`)
  .join(", ");

const voterNow = "members mv where mv.organization = v.organization and mv.id = v.voter";
const sameAddress = "lower(mv.email) is not distinct from v.voter_email";
/**
 * Whether the voter of a vote `v` may still decide: a member who was not removed and has a role that includes it, with the e-mail address that they had
 * then. With another one somebody else may be that member. Of a vote of somebody who stood in, the same holds of the one stood in for, but for the address.
 */
export const inForce = `(exists (select from ${voterNow} and mv.removed_at is null and ${sameAddress} and mv.roles ->> v.environment in (${deciders}))
  and (v.delegation_id is null or exists (select from ${memberRows} ma where ma.organization = v.organization and ma.id = v.on_behalf_of
    and ma.removed_at is null and ma.roles ->> v.environment in (${deciders}))))`;

const taskOfApproval = `case when a.id in (o.approval_id, o.run_approval_id) then json_build_object('status', o.status,
  'failure', case o.status when 'blocked' then o.failure end, 'key_id', o.key_id, 'principal', o.principal, 'finished_at', o.finished_at,
  'paused_at', o.paused_at, 'paused_by', o.paused_by, 'pause_reason', o.pause_reason) end`;

/** Select list and joins of a {@link KnownApproval}; `a` is the approval. */
export const knownColumns = `a.*, ${taskOfApproval} as task, o.run_id, o.run_step, o.run_workflow, r.name as requester_name, r.kind as requester_kind,
  d.name as decider_name, d.kind as decider_kind, e.name as editor_name, e.kind as editor_kind, x.name as escalator_name, x.kind as escalator_kind,
  k.name as claimer_name, k.kind as claimer_kind,
  coalesce((
    select json_agg(json_build_object('voter', v.voter, 'name', m.name, 'kind', m.kind, 'on_behalf_of', v.on_behalf_of, 'stands_in', v.delegation_id is not null, 'behalf_name', b.name,
      'behalf_kind', b.kind, 'vote', v.vote, 'reason', v.reason, 'accountable', v.accountable, 'personal', v.personal, 'in_force', ${inForce},
      'same_address', exists (select from ${voterNow} and ${sameAddress}), 'at', ${milliseconds("v.created_at")}) order by v.created_at, v.voter)
    from approval_votes v ${member("m", "v.voter")} ${member("b", "v.on_behalf_of")} where ${ofApproval("v")}), '[]') as votes`;
export const knownJoins = `join ${taskRows} o on o.organization = a.organization and o.environment = a.environment and o.id = a.task_id
  ${member("r", "a.requester")} ${member("d", "a.decided_by")} ${member("e", "a.edited_by")} ${member("x", "a.escalated_by")} ${member("k", "a.claimed_by")}`;

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
   from ${taskRows} t join approvals a on a.organization = t.organization and a.environment = t.environment and a.id = t.approval_id ${knownJoins}
   where t.organization = $1 and t.environment = $2 and t.id = any($3::text[])`,
);

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
    `select * from approvals where organization = $1 and environment = $2 and id = $3 for update`,
    [ctx.scope.organization, ctx.scope.environment, id],
  );
  return rows[0];
}

/** Stores the caller's vote, in the place of an earlier one of theirs that no longer counts. */
export async function insertVote(
  ctx: WriteContext,
  vote: {
    approvalId: string;
    vote: VoteWord;
    digest: string;
    reason: string | null;
    onBehalfOf: string | null;
    delegation: string | null;
    accountable: readonly string[];
  },
): Promise<void> {
  await ctx.db.query(
    `insert into approval_votes (organization, environment, approval_id, voter, vote, action_digest, reason, on_behalf_of, key_id, accountable, personal, delegation_id, voter_email)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, (select lower(email) from ${memberRows} members where organization = $1 and id = $4))
     on conflict (organization, environment, approval_id, voter) do update set vote = excluded.vote, action_digest = excluded.action_digest,
       reason = excluded.reason, on_behalf_of = excluded.on_behalf_of, key_id = excluded.key_id, accountable = excluded.accountable,
       personal = excluded.personal, delegation_id = excluded.delegation_id, voter_email = excluded.voter_email, created_at = now()`,
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
      vote.accountable,
      ctx.principal.personal,
      vote.delegation,
    ],
  );
}

/** Notes whom the rules ask from now on, after a vote that did not decide. */
export async function noteAsked(ctx: WriteContext, id: string, asks: readonly string[] | null): Promise<void> {
  await ctx.db.query("update approvals set asks = $4 where organization = $1 and environment = $2 and id = $3", [
    ctx.scope.organization,
    ctx.scope.environment,
    id,
    asks,
  ]);
}

type Ending = "approved" | "rejected" | "changes_requested" | "expired" | "superseded" | "cancelled";

/** Ends an approval in the caller's name, with the task's trust as it is now; undefined where it is in none of the states `from`. */
export async function endApproval(
  ctx: WriteContext,
  { id, status, reason }: { id: string; status: Ending; reason: string | null },
  from: readonly ApprovalState[] = ["pending"],
): Promise<{ decided_at: Date } | undefined> {
  const rows = await ctx.db.query<{ decided_at: Date }>(
    `update approvals a set status = $4, reason = $5, decided_by = $6, decided_at = now(), revision = revision + 1,
       trust = coalesce(a.trust, (select t.trust from ${taskRows} t where t.organization = $1 and t.environment = $2 and t.id = a.task_id))
     where organization = $1 and environment = $2 and id = $3 and status = any($7::text[]) returning decided_at`,
    [ctx.scope.organization, ctx.scope.environment, id, status, reason, ctx.principal.id, from],
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

export interface WaitingApprovals {
  readonly approvals: number;
  readonly oldest_approval_at: string | null;
}

/** Approvals that wait for people, counted up to `most` by their index. `agents`: only theirs; null: all. */
export async function countWaiting(
  ctx: ReadContext,
  agents: readonly string[] | null,
  most: number,
): Promise<WaitingApprovals> {
  const [row] = await ctx.db.query<{ n: number; oldest: string | null }>(
    `select count(*)::int as n, min(id) as oldest from (
       select id from approvals where organization = $1 and environment = $2 and status = 'pending' and ($3::text[] is null or agent = any($3))
       order by id limit $4) waiting`,
    [ctx.scope.organization, ctx.scope.environment, agents, most],
  );
  return { approvals: row?.n ?? 0, oldest_approval_at: row?.oldest ? madeAt(row.oldest) : null };
}
