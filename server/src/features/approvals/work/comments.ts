import { all, insert, newestFirst, type Row, select } from "../../../db/scoped.ts";
import { isoTime } from "../../../kernel/clock.ts";
import type { ReadContext, WriteContext } from "../../../kernel/context.ts";
import { type Fault, refuse } from "../../../kernel/errors.ts";
import type { InboxSource } from "../../../kernel/inbox.ts";
import type { PageRequest } from "../../../kernel/listing.ts";
import { conflict, invalidBody } from "../../../kernel/problems.ts";
import { membersNamed } from "../../admin/public.ts";
import { eventOf } from "../decisions/delegate.ts";
import type { LoadedApproval } from "../decisions/load.ts";
import { party } from "../party.ts";
import { lockApproval } from "../requests/store.ts";
import { approvalCommented } from "./events.ts";
import { mentionsIn } from "./rules.ts";
import type { ApprovalComment } from "./schemas.ts";
import { countComments, readersAmong } from "./store.ts";

// What people write to each other about an approval. No agent reads it: who wants the agent to do otherwise sends the call back.

const mostComments = 200;
const mostMentions = 20;

type CommentRow = Row<"approval_comments">;

export async function comment(
  ctx: WriteContext,
  { approval, task }: LoadedApproval,
  text: string,
): Promise<ApprovalComment> {
  await lockApproval(ctx, approval.id);
  if ((await countComments(ctx, task.id)) >= mostComments)
    throw refuse(conflict, `Its task has ${mostComments} comments, which is the most; decide, or ask elsewhere.`);
  const mentions = mentionsIn(text);
  const fault = await mentionFault(ctx, mentions);
  if (fault) throw refuse(invalidBody, `/text: ${fault.detail}.`, { errors: [fault] });
  const row = {
    id: ctx.newId("apc"),
    approval_id: approval.id,
    task_id: task.id,
    author: ctx.principal.id,
    text,
    mentions,
    created_at: new Date(ctx.now),
  };
  await all(ctx, insert(ctx, "approval_comments", row));
  ctx.emit(approvalCommented, { ...eventOf(ctx, approval), comment_id: row.id, by: row.author, mentions });
  const [shown] = await shownComments(ctx, [row]);
  return shown as ApprovalComment;
}

async function mentionFault(ctx: WriteContext, mentions: readonly string[]): Promise<Fault | undefined> {
  if (mentions.length > mostMentions) {
    const detail = `mentions ${mentions.length} persons; mention at most ${mostMentions}`;
    return { pointer: "/text", code: "too_many_mentions", detail };
  }
  const readers = await readersAmong(ctx, mentions);
  const unknown = mentions.find((id) => !readers.has(id));
  if (unknown === undefined) return undefined;
  const detail = `mentions ${unknown}, who is no person with a role in ${ctx.scope.environment}; take the mention out or name another one`;
  return { pointer: "/text", code: "unknown_member", detail };
}

export const listComments = (ctx: ReadContext, task: string, page: PageRequest): Promise<CommentRow[]> =>
  all(ctx, newestFirst(select(ctx, "approval_comments", "c").selectAll().where("c.task_id", "=", task), "c.id", page));

type Shown = Pick<CommentRow, "id" | "approval_id" | "author" | "text" | "mentions" | "created_at">;

export async function shownComments(
  ctx: ReadContext | WriteContext,
  rows: readonly Shown[],
): Promise<ApprovalComment[]> {
  const known = await membersNamed(
    ctx,
    rows.flatMap(({ author, mentions }) => [author, ...mentions]),
  );
  const who = (id: string) => known.get(id) ?? party(id, null, null);
  return rows.map(({ id, approval_id, author, text, mentions, created_at }) => ({
    comment_id: id,
    approval_id,
    author: who(author),
    text,
    mentions: mentions.map(who),
    created_at: isoTime(created_at),
  }));
}

/** Comments that mention the caller on what waits still, until they comment or vote on it themselves. */
export const mentionsOfCaller: InboxSource = {
  kind: "mention",
  reads: "approvals:read",
  acts: "approvals:comment",
  sql: `select c.id, coalesce(a.title, a.summary), c.text, a.agent, a.risk_level, c.created_at, null::timestamptz, a.task_id, null::text, null::text,
      $4::text, true, '/approvals/' || a.task_id
    from approval_comments c join approvals a on a.organization = c.organization and a.environment = c.environment and a.id = c.approval_id
    where c.organization = $1 and c.environment = $2 and a.status = 'pending' and c.mentions @> array[$4::text] and c.author <> $4
      and ($3::text[] is null or a.agent = any($3))
      and not exists (select from approval_comments own where own.organization = c.organization and own.environment = c.environment
        and own.task_id = c.task_id and own.author = $4 and own.id > c.id)
      and not exists (select from approval_votes v where v.organization = a.organization and v.environment = a.environment
        and v.approval_id = a.id and v.voter = $4 and v.created_at > c.created_at)`,
};
