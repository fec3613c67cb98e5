import { eventPositionRows } from "../../../audit-log/shared-rows.ts";
import { all, insert, select, sql, update } from "../../../db/scoped.ts";
import type { CallContext, ReadContext, WriteContext } from "../../../kernel/context.ts";
import type { QueryContext } from "../../../kernel/db.ts";
import { isId } from "../../../kernel/ids.ts";
import type { PageRequest } from "../../../kernel/listing.ts";
import type { Statements } from "../../../kernel/machines.ts";
import { host, participantOf, type Scope } from "../../../kernel/principal.ts";
import { surelyMayGoOnSql } from "../../admin/public.ts";
import type { DependentSource } from "../../agents/public.ts";
import { type SealedTask, sealedColumns } from "../../tasks/public.ts";
import { taskRows } from "../../tasks/shared-rows.ts";

const here = ({ scope }: Pick<CallContext, "scope">): [string, string] => [scope.organization, scope.environment];

/** Persons behind the credential. On a laptop all calls come from the host, which distinguishes nobody. */
export const personsBehind = ({ principal }: Pick<CallContext, "principal">): string[] =>
  participantOf(principal).accountable.filter((id) => id !== host);

/** A monitor draws from later events. */
export const newestSequence = (ctx: WriteContext) =>
  sql<number>`${select(ctx, eventPositionRows, "p").select(sql<number>`coalesce(max(p.sequence), 0)`.as("newest"))}`;

export interface ReviewRow extends SealedTask {
  review_id: string;
  verdicts_required: number;
  open: boolean;
  sampled_at: Date;
  subject: string;
  verdicts: {
    reviewer: string;
    accountable: string[];
    accepted: boolean;
    comment: string | null;
    submitted_at: string;
  }[];
}

const reviews = `
  select r.id as review_id, r.verdicts_required, r.open, r.sampled_at, t.subject, ${sealedColumns("t")}, coalesce(v.verdicts, '[]') as verdicts
  from task_reviews r
  join ${taskRows} t on t.organization = r.organization and t.environment = r.environment and t.id = r.task_id
  cross join lateral (
    select json_agg(json_build_object('reviewer', reviewer, 'accountable', accountable, 'accepted', accepted, 'comment', comment, 'submitted_at', submitted_at)
      order by submitted_at, reviewer) as verdicts
    from task_review_verdicts v where v.organization = r.organization and v.environment = r.environment and v.review_id = r.id) v`;

interface ReviewFilter {
  readonly agent?: string;
  readonly state?: "open" | "judged";
}

/** Oldest first; of open ones those that the caller has not judged. A narrowed key sees its agents' only. */
export async function listReviews(
  ctx: ReadContext,
  { agent, state }: ReviewFilter,
  { after, take }: PageRequest,
): Promise<ReviewRow[]> {
  return ctx.db.query<ReviewRow>(
    `${reviews} where r.organization = $1 and r.environment = $2 and ($3::text[] is null or r.agent = any($3)) and ($4::text is null or r.agent = $4)
       and ($5::boolean is null or r.open = $5) and ($6::text is null or r.id > $6)
       and not (r.open and exists (select 1 from task_review_verdicts o where o.organization = r.organization and o.environment = r.environment
         and o.review_id = r.id and (o.reviewer = $7 or o.accountable && $8::text[])))
     order by r.id limit $9`,
    [
      ...here(ctx),
      ctx.principal.agents,
      agent ?? null,
      state === undefined ? null : state === "open",
      after?.id ?? null,
      ctx.principal.id,
      personsBehind(ctx),
      take,
    ],
  );
}

export async function findReview(ctx: QueryContext, id: string): Promise<ReviewRow | undefined> {
  if (!isId(id, "rev")) return undefined;
  const rows = await ctx.db.query<ReviewRow>(
    `${reviews} where r.organization = $1 and r.environment = $2 and r.id = $3`,
    [...here(ctx), id],
  );
  return rows[0];
}

/** Verdicts on a review come one after the other. */
export async function lockReview(ctx: WriteContext, id: string): Promise<void> {
  await all(ctx, select(ctx, "task_reviews", "r").select("r.id").where("r.id", "=", id).forUpdate());
}

/** The `last` required one closes the review. */
export async function insertVerdict(
  ctx: WriteContext,
  { last, ...verdict }: { review_id: string; accepted: boolean; comment: string | null; last: boolean },
): Promise<ReviewRow["verdicts"][number]> {
  const reviewer = { reviewer: ctx.principal.id, accountable: personsBehind(ctx) };
  const submitted_at = new Date(ctx.now);
  await all(ctx, insert(ctx, "task_review_verdicts", { ...verdict, ...reviewer, submitted_at }));
  await all(ctx, update(ctx, "task_reviews").set({ open: !last }).where("id", "=", verdict.review_id));
  const { accepted, comment } = verdict;
  return { ...reviewer, accepted, comment, submitted_at: submitted_at.toISOString() };
}

/** Events that one pass over a monitor reads. */
const window = 1_000;

/** Drawn from the tasks that completed since the last pass. */
export interface Draw extends Scope {
  readonly monitor: string;
  readonly agent: string;
  readonly actor: unknown;
  /** Its owner certainly may continue. */
  readonly sure: boolean;
  /** Sequence number of the last event read. */
  readonly upto: string;
  readonly tasks: readonly {
    readonly task: string;
    readonly agent: string;
    readonly skill: string;
    readonly verdicts_required: number;
  }[];
}

/** Draws at random, for each monitor that has not read the newest events. Writes nothing. */
export async function drawTasks(db: Statements): Promise<Draw[]> {
  return db.query<Draw>(
    `select w.organization, w.environment, w.id as monitor, w.agent, w.actor, ${surelyMayGoOnSql("w", "evaluations:write", "now()")} as sure, u.upto::text as upto, coalesce(d.tasks, '[]') as tasks from review_monitors w
     cross join lateral (
       select max(sequence) as newest, least(max(sequence), w.drawn_to + ${window}) as upto from ${eventPositionRows} event_positions
       where organization = w.organization and environment = w.environment and sequence > w.drawn_to) u
     cross join lateral (
       select json_agg(json_build_object('task', t.id, 'agent', t.agent, 'skill', t.skill, 'verdicts_required', case when random() < w.double_review_share then 2 else 1 end)) as tasks
       from ${eventPositionRows} p
       join ${taskRows} t on t.organization = p.organization and t.environment = p.environment and t.id = p.task_id
       where p.organization = w.organization and p.environment = w.environment and p.sequence > w.drawn_to and p.sequence <= u.upto
         and p.type = 'task.completed' and t.status = 'completed' and t.agent = w.agent and (w.skill is null or t.skill = w.skill) and random() < w.share) d
     where u.newest is not null and w.stopped_at is null`,
    [],
  );
}

/** Moves the monitor's position. */
export async function noteLook(
  db: Statements,
  { monitor, upto, ...scope }: Scope & Pick<Draw, "monitor" | "upto">,
): Promise<void> {
  const looked = update({ scope }, "review_monitors").set({ drawn_to: sql<number>`${upto}::bigint` });
  await all({ db }, looked.where("id", "=", monitor));
}

/** Tasks already queued stay as they are. */
export async function insertReviews(ctx: WriteContext, monitor_id: string, tasks: Draw["tasks"]): Promise<void> {
  const rows = tasks.map(({ task, ...row }) => ({ ...row, id: ctx.newId("rev"), monitor_id, task_id: task }));
  await all(
    ctx,
    insert(ctx, "task_reviews", rows).onConflict((on) => on.doNothing()),
  );
}

/** Monitors of an agent. They draw nothing once it has no tasks. */
export const dependentMonitors: DependentSource = {
  kind: "monitor",
  permission: "evaluations:read",
  async find({ scope, db }, agent, _within, take) {
    const rows = await db.query<{ id: string; skill: string | null; share: number; stopped: boolean }>(
      "select id, skill, share, stopped_at is not null as stopped from review_monitors where organization = $1 and environment = $2 and agent = $3 order by id limit $4",
      [scope.organization, scope.environment, agent, take],
    );
    return rows.map(({ id, skill, share, stopped }) => {
      const name = `${Math.round(share * 1000) / 10} % of ${skill ?? "all skills"}`;
      return { id, name, state: stopped ? "stopped" : "drawing", active: false, path: "/v1/evaluations/monitors" };
    });
  },
};
