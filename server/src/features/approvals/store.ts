import type { ReadContext, WriteContext } from "../../kernel/context.ts";
import { defineLoader } from "../../kernel/db.ts";
import { isId } from "../../kernel/ids.ts";
import type { ApprovalState, VoteWord } from "./schemas.ts";

/** An approval as it is stored. */
export interface ApprovalRow {
  id: string;
  task_id: string;
  agent: string;
  version_id: string;
  version_number: number;
  skill: string;
  tool: string | null;
  /** JSON; null: the task's input. */
  arguments: string | null;
  status: ApprovalState;
  action_digest: string;
  nonce: string;
  risk_level: "low" | "medium" | "high" | "critical";
  summary: string;
  reasons: string;
  approvers: number;
  requester_allowed: boolean;
  requester: string;
  revision: number;
  expires_at: Date | null;
  decided_at: Date | null;
  decided_by: string | null;
  reason: string | null;
  consumed_at: Date | null;
  created_at: Date;
}

/** A vote with its voter's name; `at` in milliseconds since the epoch. */
export interface VoteRow {
  voter: string;
  name: string | null;
  kind: "person" | "service_account" | null;
  vote: VoteWord;
  reason: string | null;
  at: number;
}

/** An approval with the names of those concerned and its votes, oldest first. */
export interface KnownApproval extends ApprovalRow {
  requester_name: string | null;
  requester_kind: "person" | "service_account" | null;
  decider_name: string | null;
  decider_kind: "person" | "service_account" | null;
  votes: VoteRow[];
}

const names = [
  "id",
  "task_id",
  "agent",
  "version_id",
  "version_number",
  "skill",
  "tool",
  "arguments",
  "status",
  "action_digest",
  "nonce",
  "risk_level",
  "summary",
  "reasons",
  "approvers",
  "requester_allowed",
  "requester",
  "revision",
  "expires_at",
  "decided_at",
  "decided_by",
  "reason",
  "consumed_at",
  "created_at",
];
const columns = names.join(", ");

/** Select list and joins of a {@link KnownApproval}; `a` is the approval. */
export const knownColumns = `${names.map((name) => `a.${name}`).join(", ")}, r.name as requester_name, r.kind as requester_kind,
  d.name as decider_name, d.kind as decider_kind,
  coalesce((
    select json_agg(json_build_object('voter', v.voter, 'name', m.name, 'kind', m.kind, 'vote', v.vote, 'reason', v.reason,
      'at', floor(extract(epoch from v.created_at) * 1000)) order by v.created_at, v.voter)
    from approval_votes v left join members m on m.organization = v.organization and m.id = v.voter
    where v.organization = a.organization and v.environment = a.environment and v.approval_id = a.id), '[]') as votes`;
export const knownJoins = `left join members r on r.organization = a.organization and r.id = a.requester
  left join members d on d.organization = a.organization and d.id = a.decided_by`;

const approvalById = defineLoader<KnownApproval>(
  "approval by id",
  `select a.id as loader_key, ${knownColumns} from approvals a ${knownJoins}
   where a.organization = $1 and a.environment = $2 and a.id = any($3::text[])`,
);
const approvalByTask = defineLoader<KnownApproval>(
  "approval by task",
  `select t.id as loader_key, ${knownColumns}
   from tasks t join approvals a on a.organization = t.organization and a.environment = t.environment and a.id = t.approval_id ${knownJoins}
   where t.organization = $1 and t.environment = $2 and t.id = any($3::text[])`,
);

/** An approval of the call's environment, by its own id or as the latest of a task. */
export async function findApproval(ctx: ReadContext | WriteContext, id: string): Promise<KnownApproval | undefined> {
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

/** All votes on an approval, oldest first. */
export async function listVotes(ctx: WriteContext, approvalId: string): Promise<{ voter: string; vote: VoteWord; created_at: Date }[]> {
  return ctx.db.query(
    `select voter, vote, created_at from approval_votes
     where organization = $1 and environment = $2 and approval_id = $3 order by created_at, voter`,
    [ctx.scope.organization, ctx.scope.environment, approvalId],
  );
}

/** Stores the caller's vote. */
export async function insertVote(
  ctx: WriteContext,
  vote: { approvalId: string; vote: VoteWord; digest: string; reason: string | null },
): Promise<void> {
  await ctx.db.query(
    `insert into approval_votes (organization, environment, approval_id, voter, vote, action_digest, reason) values ($1, $2, $3, $4, $5, $6, $7)`,
    [ctx.scope.organization, ctx.scope.environment, vote.approvalId, ctx.principal.id, vote.vote, vote.digest, vote.reason],
  );
}

/** Ends a pending approval by the caller's decision; undefined where it is no longer pending. */
export async function decideApproval(
  ctx: WriteContext,
  decision: { id: string; status: "approved" | "rejected"; reason: string | null },
): Promise<{ decided_at: Date } | undefined> {
  const rows = await ctx.db.query<{ decided_at: Date }>(
    `update approvals set status = $4, reason = $5, decided_by = $6, decided_at = now(), revision = revision + 1
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
