import type { ReadContext } from "../../../kernel/context.ts";
import { type InboxKind, type InboxSource, inboxColumns } from "../../../kernel/inbox.ts";
import type { PageRequest } from "../../../kernel/listing.ts";
import type { Position } from "../../../kernel/page.ts";
import { definePort } from "../../../kernel/port.ts";
import { type RiskLevel, riskLevels } from "../../../kernel/risk.ts";
import { principalHolds } from "../../../kernel/role-permissions.ts";
import { taskRows } from "../../tasks/shared-rows.ts";
import { holdsDecidePermission } from "../decisions/rules.ts";
import { decidable, deciderOf, deciderText } from "../decisions/store.ts";
import type { Party } from "../party.ts";
import { decidePermission } from "../requests/persons.ts";
import type { InboxCounts, InboxItem } from "../schemas.ts";
import { mentionsOfCaller } from "../work/comments.ts";

// The one list of what waits for people. Every source is a statement of the slice that owns the table; they are ranked and paged as one.

/** Pending approvals; `may` is what `may_decide` says. */
const approvals: InboxSource = {
  kind: "approval",
  reads: "approvals:read",
  acts: decidePermission,
  actors: (caller) => caller.kind === "member" && holdsDecidePermission(caller),
  sql: `select a.id, coalesce(a.title, a.summary), a.summary, a.agent, a.risk_level, a.created_at, a.expires_at, a.task_id, o.run_id, o.run_workflow,
      null::text, ${decidable("$5")}, '/approvals/' || a.task_id
    from approvals a join ${taskRows} o on o.organization = a.organization and o.environment = a.environment and o.id = a.task_id
    where a.organization = $1 and a.environment = $2 and a.status = 'pending' and ($3::text[] is null or a.agent = any($3))`,
};

export interface InboxFilter {
  readonly kind?: readonly InboxKind[];
  readonly agent?: readonly string[];
  readonly mine?: boolean;
}

interface InboxRow {
  readonly kind: InboxKind;
  readonly acts: string;
  readonly id: string;
  readonly title: string;
  readonly text: string;
  readonly agent: string | null;
  readonly risk: RiskLevel | null;
  readonly since: Date;
  readonly due: Date | null;
  readonly task: string | null;
  readonly run: string | null;
  readonly workflow: string | null;
  readonly member: string | null;
  readonly may: boolean;
  readonly page: string;
  /** The keys of the rank: exact, which a `Date` is not. */
  readonly due_key: string;
  readonly since_key: string;
  readonly weight: number;
}

/** By how much risk comes first; what has no level counts as low. */
const weight = `case risk ${riskLevels.map((level, at) => `when '${level}' then ${at}`).join(" ")} else 0 end`;

function waiting(ctx: ReadContext): string | undefined {
  const { principal } = ctx;
  const seen = [approvals, mentionsOfCaller, ...ctx.port(inboxSources)].filter(
    ({ reads, narrowed = true }) => principalHolds(principal, reads) && (narrowed || principal.agents === null),
  );
  const columns = inboxColumns.join(", ");
  const parts = seen.map(({ kind, acts, actors = () => true, sql }) => {
    const able = principalHolds(principal, acts) && actors(principal);
    return `select '${kind}'::text as kind, '${acts}'::text as acts, ${columns.replace("may", `${able} and may as may`)} from (${sql}) as s(${columns})`;
  });
  return parts.length === 0 ? undefined : parts.join(" union all ");
}

async function given(ctx: ReadContext): Promise<unknown[]> {
  const { id, agents } = ctx.principal;
  const caller = deciderText(ctx, await deciderOf(ctx));
  return [ctx.scope.organization, ctx.scope.environment, agents, id, caller];
}

/**
 * A page of what waits for people: what is due soonest first, what has no end behind it; then by risk, then what waits longest. Equal ones by kind and id, so that
 * pages neither lose nor repeat any.
 */
export async function listInbox(ctx: ReadContext, filter: InboxFilter, page: PageRequest): Promise<InboxRow[]> {
  const relation = waiting(ctx);
  if (relation === undefined) return [];
  const values = await given(ctx);
  const where: string[] = [];
  const and = (condition: (parameter: string) => string, value: unknown): void => {
    if (value === undefined || value === null) return;
    values.push(value);
    where.push(condition(`$${values.length}`));
  };
  and((p) => `kind = any(${p}::text[])`, filter.kind);
  and((p) => `agent = any(${p}::text[])`, filter.agent);
  if (filter.mine) where.push("may");
  and((p) => `(due_at, -weight, since, kind || ' ' || id) > ${rowOf(p)}`, page.after && JSON.stringify(page.after));
  values.push(page.take);
  return ctx.db.query<InboxRow>(
    `select w.*, w.due_at::text as due_key, w.since::text as since_key from (
       select x.*, coalesce(x.due, 'infinity') as due_at, ${weight} as weight from (${relation}) x) w
     ${where.length > 0 ? `where ${where.join(" and ")}` : ""}
     order by due_at, -weight, since, (kind || ' ' || id) limit $${values.length}`,
    values,
  );
}

const rowOf = (position: string): string => {
  const key = (at: number): string => `(${position}::jsonb -> 'keys' ->> ${at})`;
  return `(${key(0)}::timestamptz, -${key(1)}::int, ${key(2)}::timestamptz, ${position}::jsonb ->> 'id')`;
};

export const positionOf = ({ due_key, weight, since_key, kind, id }: InboxRow): Position => ({
  keys: [due_key, weight, since_key],
  id: `${kind} ${id}`,
});

/** How many wait, by kind, among all that the caller sees, and how many of them they may act on. */
export async function countInbox(ctx: ReadContext): Promise<InboxCounts> {
  const counts: InboxCounts = { approval: 0, question: 0, handoff: 0, dead_letter: 0, mention: 0, total: 0, mine: 0 };
  const relation = waiting(ctx);
  if (relation === undefined) return counts;
  const rows = await ctx.db.query<{ kind: InboxKind; waiting: number; mine: number }>(
    `select kind, count(*)::int as waiting, (count(*) filter (where may))::int as mine from (${relation}) x group by kind`,
    await given(ctx),
  );
  for (const { kind, waiting, mine } of rows) {
    counts[kind] += waiting;
    counts.total += waiting;
    counts.mine += mine;
  }
  return counts;
}

export function inboxView(
  row: InboxRow,
  { appUrl, now }: Pick<ReadContext, "appUrl" | "now">,
  standingInFor: Party | null,
): InboxItem {
  const { kind, id, title, text, agent, risk, since, due, task, run, workflow, acts, member, may, page } = row;
  return {
    kind,
    id,
    title,
    text,
    agent,
    risk,
    since: since.toISOString(),
    due_at: due?.toISOString() ?? null,
    overdue: due !== null && due.getTime() <= now,
    who_may_act: { permission: acts, member },
    may_act: may,
    standing_in_for: standingInFor,
    task_id: task,
    run: run === null || workflow === null ? null : { run_id: run, workflow },
    url: `${appUrl}${page}`,
  };
}

export const inboxSources = definePort<readonly InboxSource[]>("what waits for people");
