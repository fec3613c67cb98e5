import { all, select, sql, update } from "../../../db/scoped.ts";
import type { JobSpec } from "../../../kernel/append.ts";
import type { WriteContext } from "../../../kernel/context.ts";
import { type Environment, environments, type Scope } from "../../../kernel/principal.ts";
import { pinnedSkill } from "../dispatch/deciders.ts";
import { taskJson } from "./row.ts";

/**
 * The job that wakes a worker for a task. What is to be done stands in the task's row; the payload says at which priority it comes (none: 0), so that one
 * that was put back since does not run ahead of its turn: whoever put it back has sent another wake-up.
 */
export const runTaskJob = "run_task";

/** Wakes a worker for a queued task, a higher priority first. `notBefore`: its earliest start. */
export function runTask(scope: Scope, taskId: string, priority: number, notBefore: Date | null = null): JobSpec {
  const { organization, environment } = scope;
  const address = { organization, environment, task: taskId };
  const job = { task: runTaskJob, payload: priority === 0 ? address : { ...address, priority }, priority: -priority };
  return notBefore === null ? job : { ...job, runAt: notBefore };
}

/** Wake-ups of one call at most: the sweeper wakes workers for the rest, a few hundred a second. */
const mostWoken = 1_000;

/**
 * Wakes workers for tasks that are queued, the most urgent first: those of one agent, or of all, in the call's environment or in every one. For who
 * takes away what kept them waiting.
 */
export async function wakeQueuedTasks(
  ctx: WriteContext,
  { agent, everywhere }: { readonly agent: string | null; readonly everywhere: boolean },
): Promise<void> {
  const { organization, environment } = ctx.scope;
  const rows = await ctx.db.query<{ id: string; environment: Environment; priority: number }>(
    `select id, environment, priority from tasks
     where organization = $1 and environment = any($2::text[]) and ($3::text is null or agent = $3) and status = 'queued'
       and (not_before is null or not_before <= now()) and (deadline is null or deadline > now())
     order by priority desc, id limit $4`,
    [organization, everywhere ? environments : [environment], agent, mostWoken],
  );
  for (const row of rows) ctx.enqueue(runTask({ organization, environment: row.environment }, row.id, row.priority));
}

/** Tasks that one call moves or counts at most. */
const mostMoved = 10_000;

/** Ids of versions; `move` false: tasks are only counted. */
interface Move {
  readonly agent: string;
  readonly from: string;
  readonly to: { readonly id: string; readonly number: number };
  readonly move: boolean;
}

/**
 * Gives queued tasks to another version of their agent: those that nobody approved (an approval is of one version), that no run has begun (its steps are of
 * one version), whose skill it has and whose input it takes. All others stay with the version they were given, and so do those that a worker is just starting.
 */
export async function moveQueuedTasks(
  ctx: WriteContext,
  { agent, from, to, move }: Move,
): Promise<{ moved: number; kept: number }> {
  const ofVersion = select(ctx, "tasks", "t")
    .where("agent", "=", agent)
    .where("status", "=", "queued")
    .where("version_id", "=", from);
  const queued = (await all(ctx, ofVersion.select("t.id").limit(mostMoved))).length;
  if (!move || queued === 0) return { moved: 0, kept: queued };
  const open = ofVersion.where("approval_id", "is", null).where("started_at", "is", null);
  const rows = await all(
    ctx,
    open.select(["t.id", "skill", "input", "conversation"]).orderBy("t.id").limit(mostMoved).forUpdate().skipLocked(),
  );
  const skills = new Map<string, Awaited<ReturnType<typeof pinnedSkill>>>();
  for (const row of rows)
    if (!skills.has(skillKey(row)))
      skills.set(skillKey(row), await pinnedSkill(ctx, { ...row, agent, version_id: to.id }));
  const fitting = rows
    .filter((row) => skills.get(skillKey(row))?.validate(taskJson(row, "input")).length === 0)
    .map(({ id }) => id);
  const changes = { version_id: to.id, version_number: to.number, experiment: null, updated_at: new Date(ctx.now) };
  if (fitting.length > 0)
    await all(ctx, update(ctx, "tasks").set(changes).where("id", "=", sql<string>`any(${fitting}::text[])`));
  return { moved: fitting.length, kept: queued - fitting.length };
}

/** Turns of conversations have a skill of their own, whatever other skills are called. */
const skillKey = ({ skill, conversation }: { readonly skill: string; readonly conversation: string | null }): string =>
  conversation === null ? skill : `${skill} of conversations`;
