import { auditLeafRows } from "../../../audit-log/shared-rows.ts";
import { timestamp } from "../../../kernel/clock.ts";
import type { ReadContext } from "../../../kernel/context.ts";
import { timeOfId } from "../../../kernel/ids.ts";
import { membersNamed } from "../../admin/public.ts";
import type { LoadedApproval } from "../decisions/load.ts";
import { type Party, party } from "../party.ts";
import type { ApprovalHistory, HistoryEntry } from "./schemas.ts";

const most = 500;
/** Milliseconds within which reads of one person are one view. */
const hour = 3_600_000;

type Kind = HistoryEntry["kind"];

interface Entry {
  readonly at: Date;
  readonly kind: Kind;
  readonly actor: string;
  readonly behalf: string | null;
  readonly to_member: string | null;
  readonly approval_id: string;
  readonly round: number;
  readonly text: string | null;
  readonly until: Date | null;
  readonly times: number;
}

/** The approval and its earlier rounds, as `c`. */
const chain = `with recursive c as (
    select * from approvals where organization = $1 and environment = $2 and id = $3
    union all
    select a.* from c join approvals a on a.organization = $1 and a.environment = $2 and a.id = c.previous_id)`;
const of = (alias: string): string =>
  `${alias} on ${alias}.organization = c.organization and ${alias}.environment = c.environment and ${alias}.approval_id = c.id`;
const none = "null::text";

/** Everything but views, of the slice's own tables. */
const done = (ctx: ReadContext, id: string): Promise<Entry[]> =>
  ctx.db.query<Entry>(
    `${chain}
     select c.created_at as at, case when c.edited_by is null then 'requested' else 'edited' end as kind, coalesce(c.edited_by, c.requester) as actor,
       ${none} as behalf, ${none} as to_member, c.id as approval_id, c.round, case when c.edited_by is null then c.summary end as text, null::timestamptz as until, 1 as times from c
     union all select v.created_at, case v.vote when 'approve' then 'approved' else 'rejected' end, v.voter, v.on_behalf_of, ${none}, c.id, c.round, v.reason, null, 1
       from c join approval_votes ${of("v")}
     union all select g.created_at, 'handed_over', g.from_member, ${none}, g.to_member, c.id, c.round, g.reason, null, 1 from c join approval_delegations ${of("g")}
     union all select c.escalated_at, 'escalated', c.escalated_by, ${none}, ${none}, c.id, c.round, ${none}, null, 1 from c
       where c.escalated_at is not null and c.escalated_at >= c.created_at
     union all select x.created_at, x.kind, x.member, ${none}, ${none}, c.id, c.round, x.reason, x.until, 1 from c join approval_activity ${of("x")}
     union all select m.created_at, 'commented', m.author, ${none}, ${none}, c.id, c.round, m.text, null, 1 from c join approval_comments ${of("m")}
     union all select c.decided_at, 'ended', coalesce(c.decided_by, 'system'), ${none}, ${none}, c.id, c.round, concat_ws(': ', c.status, c.reason), null, 1 from c
       where c.decided_at is not null
     order by 1 desc limit ${most + 1}`,
    [ctx.scope.organization, ctx.scope.environment, id],
  );

interface Read {
  readonly record_id: string;
  readonly principal: string;
  readonly approval_id: string;
  readonly round: number;
}

/** Reads of it, from the audit log: the newest of a few seconds ago may not be there yet. */
const reads = (ctx: ReadContext, { approval, task }: LoadedApproval): Promise<Read[]> =>
  ctx.db.query<Read>(
    `${chain}
     select l.record_id, l.principal, c.id as approval_id, c.round from c join ${auditLeafRows} l on l.organization = c.organization
       and l.environment = c.environment and l.task_id = $4 and l.approval_id = c.id
     where l.operation = 'approvals.readApproval' and l.decision = 'allowed' order by l.record_id desc limit 5000`,
    [ctx.scope.organization, ctx.scope.environment, approval.id, task.id],
  );

/** Reads of one person within an hour as one view, at the time of the first of them. */
function viewsOf(found: readonly Read[]): Entry[] {
  const views = new Map<string, Entry & { times: number; at: Date }>();
  for (const { record_id, principal, approval_id, round } of found) {
    const at = new Date(timeOfId(record_id) ?? 0);
    const name = `${principal} ${approval_id} ${Math.floor(at.getTime() / hour)}`;
    const view = views.get(name);
    const about = { kind: "viewed", actor: principal, behalf: null, to_member: null, approval_id, round } as const;
    views.set(name, { ...about, at, text: null, until: null, times: (view?.times ?? 0) + 1 });
  }
  return [...views.values()];
}

export async function historyOf(ctx: ReadContext, loaded: LoadedApproval): Promise<ApprovalHistory> {
  const [own, seen] = await Promise.all([done(ctx, loaded.approval.id), reads(ctx, loaded)]);
  const entries = [...own, ...viewsOf(seen)].sort((a, b) => b.at.getTime() - a.at.getTime());
  const kept = entries.slice(0, most);
  const named = kept.flatMap(({ actor, behalf, to_member }) => [actor, behalf, to_member]);
  const known = await membersNamed(
    ctx,
    named.filter((id) => id !== null),
  );
  const who = (id: string): Party => known.get(id) ?? party(id, null, null);
  return {
    approval_id: loaded.approval.id,
    entries: kept.map(({ at, actor, behalf, to_member, until, ...rest }) => ({
      at: timestamp(at.getTime()),
      kind: rest.kind,
      actor: who(actor),
      on_behalf_of: behalf === null ? null : who(behalf),
      to: to_member === null ? null : who(to_member),
      approval_id: rest.approval_id,
      round: rest.round,
      text: rest.text,
      until: until === null ? null : timestamp(until.getTime()),
      times: rest.times,
    })),
    more: entries.length > most,
  };
}
