import { all, first, insert, type Row, remove, select, sql, update } from "../../db/scoped.ts";
import { type Actor, storable } from "../../kernel/actor.ts";
import type { CallContext, ReadContext, WriteContext } from "../../kernel/context.ts";
import { isId } from "../../kernel/ids.ts";
import type { PageRequest } from "../../kernel/listing.ts";
import type { Statements } from "../../kernel/machines.ts";
import { host, participantOf, type Scope } from "../../kernel/principal.ts";
import { surelyMayGoOnSql } from "../admin/public.ts";
import { type SealedTask, sealedColumns } from "../tasks/public.ts";
import type { Here } from "./dataset-store.ts";

const here = ({ scope }: Pick<CallContext, "scope">): [string, string] => [scope.organization, scope.environment];

/** The persons behind the caller's credential. Everything on a laptop comes from its host, which tells nobody apart. */
export const personsBehind = ({ principal }: Pick<CallContext, "principal">): string[] =>
  participantOf(principal).accountable.filter((id) => id !== host);

/** A monitor with what came of it. `both`: pairs of verdicts that both accept; `neither`: that both reject. */
export interface MonitorTally extends Omit<Row<"review_monitors">, "drawn_to"> {
  sampled: number;
  open: number;
  judged: number;
  accepted: number;
  both: number;
  neither: number;
  pairs: number;
  first_accepts: number;
  second_accepts: number;
}

const tallied = `
  select m.id, m.agent, m.skill, m.share, m.double_review_share, m.author, m.created_at, m.actor, m.stopped_reason, m.stopped_at, t.* from review_monitors m
  cross join lateral (
    select count(*)::int as sampled, (count(*) filter (where open))::int as open, count(first)::int as judged,
      (count(*) filter (where first))::int as accepted, count(second)::int as pairs,
      (count(*) filter (where first and second))::int as both, (count(*) filter (where not first and not second))::int as neither,
      (count(*) filter (where second is not null and first))::int as first_accepts, (count(*) filter (where second))::int as second_accepts
    from (
      select r.open, v.given[1] as first, v.given[2] as second from task_reviews r
      cross join lateral (
        select array_agg(accepted order by submitted_at, reviewer) as given from task_review_verdicts v
        where v.organization = r.organization and v.environment = r.environment and v.review_id = r.id) v
      where r.organization = m.organization and r.environment = m.environment and r.monitor_id = m.id) r) t`;

/** A page of monitors, newest first. A key that is narrowed to agents sees theirs. */
export async function listMonitors(
  ctx: ReadContext,
  filter: { agent?: string },
  { after, take }: PageRequest,
): Promise<MonitorTally[]> {
  return ctx.db.query<MonitorTally>(
    `${tallied} where m.organization = $1 and m.environment = $2 and ($3::text[] is null or m.agent = any($3)) and ($4::text is null or m.agent = $4)
       and ($5::text is null or m.id < $5) order by m.id desc limit $6`,
    [...here(ctx), ctx.principal.agents, filter.agent ?? null, after?.id ?? null, take],
  );
}

export async function findMonitor(ctx: Here, id: string): Promise<MonitorTally | undefined> {
  if (!isId(id, "mon")) return undefined;
  const rows = await ctx.db.query<MonitorTally>(
    `${tallied} where m.organization = $1 and m.environment = $2 and m.id = $3`,
    [...here(ctx), id],
  );
  return rows[0];
}

/** The newest event: a monitor draws from what comes after it. */
const newest = (ctx: WriteContext) =>
  select(ctx, "event_positions", "p").select(sql<number>`coalesce(max(p.sequence), 0)`.as("newest"));

/** Gives a monitor another owner. One that had stopped draws from now on. */
export async function giveMonitor(ctx: WriteContext, id: string, actor: Actor): Promise<void> {
  const drawn_to = sql<number>`case when stopped_at is null then drawn_to else ${newest(ctx)} end`;
  const acts = { actor: storable(actor), stopped_reason: null, stopped_at: null, drawn_to };
  await all(ctx, update(ctx, "review_monitors").set(acts).where("id", "=", id));
}

/** Ends what a monitor draws until somebody takes it over. */
export async function stopMonitor(
  ctx: WriteContext,
  id: string,
  stopped: { readonly stopped_reason: string; readonly stopped_at: Date },
): Promise<void> {
  await all(ctx, update(ctx, "review_monitors").set(stopped).where("id", "=", id));
}

/** The monitor, locked until the transaction ends; undefined: it was removed. */
export const lockMonitor = (ctx: WriteContext, id: string) =>
  first(
    ctx,
    select(ctx, "review_monitors", "m")
      .select(["m.id", "m.agent", "m.actor", "m.stopped_reason"])
      .where("m.id", "=", id)
      .forUpdate(),
  );

/** Adds a monitor that draws from now on; false if the agent, or the skill of it, has one. */
export async function insertMonitor(
  ctx: WriteContext,
  row: Pick<MonitorTally, "id" | "agent" | "skill" | "share" | "double_review_share" | "author" | "created_at">,
  actor: Actor,
): Promise<boolean> {
  const added = insert(ctx, "review_monitors", { ...row, actor: storable(actor), drawn_to: newest(ctx) } as never);
  return (await all(ctx, added.onConflict((on) => on.doNothing()).returning("id"))).length > 0;
}

export async function deleteMonitor(ctx: WriteContext, id: string): Promise<void> {
  await all(ctx, remove(ctx, "review_monitors").where("id", "=", id));
}

/** A review with the task that it is about. */
export interface ReviewRow extends SealedTask {
  review_id: string;
  verdicts_required: number;
  open: boolean;
  sampled_at: Date;
  /** Of the task: whose data it is, and its agent. */
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
  join tasks t on t.organization = r.organization and t.environment = r.environment and t.id = r.task_id
  cross join lateral (
    select json_agg(json_build_object('reviewer', reviewer, 'accountable', accountable, 'accepted', accepted, 'comment', comment, 'submitted_at', submitted_at)
      order by submitted_at, reviewer) as verdicts
    from task_review_verdicts v where v.organization = r.organization and v.environment = r.environment and v.review_id = r.id) v`;

export interface ReviewFilter {
  readonly agent?: string;
  readonly state?: "open" | "judged";
}

/** A page of reviews, oldest first: of open ones those that the caller has not judged yet. A key that is narrowed to agents sees theirs. */
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

export async function findReview(ctx: Here, id: string): Promise<ReviewRow | undefined> {
  if (!isId(id, "rev")) return undefined;
  const rows = await ctx.db.query<ReviewRow>(
    `${reviews} where r.organization = $1 and r.environment = $2 and r.id = $3`,
    [...here(ctx), id],
  );
  return rows[0];
}

/** Locks a review until the transaction ends, so that verdicts on it come one after the other. */
export async function lockReview(ctx: WriteContext, id: string): Promise<void> {
  await all(ctx, select(ctx, "task_reviews", "r").select("r.id").where("r.id", "=", id).forUpdate());
}

/** Adds the caller's verdict; the `last` one that is required closes the review. */
export async function insertVerdict(
  ctx: WriteContext,
  { last, ...verdict }: { review_id: string; accepted: boolean; comment: string | null; last: boolean },
): Promise<void> {
  const reviewer = { reviewer: ctx.principal.id, accountable: personsBehind(ctx) };
  await all(ctx, insert(ctx, "task_review_verdicts", { ...verdict, ...reviewer, submitted_at: new Date(ctx.now) }));
  await all(ctx, update(ctx, "task_reviews").set({ open: !last }).where("id", "=", verdict.review_id));
}

/** Events that one look at a monitor reads. */
const window = 1_000;

/** What a monitor has drawn from the tasks that completed since its last look. */
export interface Draw extends Scope {
  readonly monitor: string;
  readonly agent: string;
  readonly actor: unknown;
  /** Nothing is known against its owner. */
  readonly sure: boolean;
  /** Up to which event it has looked. */
  readonly upto: string;
  readonly tasks: readonly {
    readonly task: string;
    readonly agent: string;
    readonly skill: string;
    readonly verdicts_required: number;
  }[];
}

/** Draws by chance from what completed since the last look, for each monitor that has not seen the newest events. Writes nothing. */
export async function drawTasks(db: Statements): Promise<Draw[]> {
  return db.query<Draw>(
    `select w.organization, w.environment, w.id as monitor, w.agent, w.actor, ${surelyMayGoOnSql("w", "evaluations:write", "now()")} as sure, u.upto::text as upto, coalesce(d.tasks, '[]') as tasks from review_monitors w
     cross join lateral (
       select max(sequence) as newest, least(max(sequence), w.drawn_to + ${window}) as upto from event_positions
       where organization = w.organization and environment = w.environment and sequence > w.drawn_to) u
     cross join lateral (
       select json_agg(json_build_object('task', t.id, 'agent', t.agent, 'skill', t.skill, 'verdicts_required', case when random() < w.double_review_share then 2 else 1 end)) as tasks
       from event_positions p
       join tasks t on t.organization = p.organization and t.environment = p.environment and t.id = p.task_id
       where p.organization = w.organization and p.environment = w.environment and p.sequence > w.drawn_to and p.sequence <= u.upto
         and p.type = 'task.completed' and t.status = 'completed' and t.agent = w.agent and (w.skill is null or t.skill = w.skill) and random() < w.share) d
     where u.newest is not null and w.stopped_at is null`,
    [],
  );
}

/** Notes up to which event a monitor has looked. */
export async function noteLook(
  db: Statements,
  { monitor, upto, ...scope }: Scope & Pick<Draw, "monitor" | "upto">,
): Promise<void> {
  const looked = update({ scope }, "review_monitors").set({ drawn_to: sql<number>`${upto}::bigint` });
  await all({ db }, looked.where("id", "=", monitor));
}

/** Adds drawn tasks to the queue; those that are in it stay as they are. */
export async function insertReviews(ctx: WriteContext, monitor_id: string, tasks: Draw["tasks"]): Promise<void> {
  const rows = tasks.map(({ task, ...row }) => ({ ...row, id: ctx.newId("rev"), monitor_id, task_id: task }));
  await all(
    ctx,
    insert(ctx, "task_reviews", rows).onConflict((on) => on.doNothing()),
  );
}
