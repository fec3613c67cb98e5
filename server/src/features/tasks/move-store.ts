import type { WriteContext } from "../../kernel/context.ts";
import { pinnedSkill } from "./pinned.ts";

/** Tasks that one call moves or counts at most. */
const most = 10_000;

interface Queued {
  id: string;
  skill: string;
  input: string;
}

/** From which version of an agent to which, by their ids; `move` false: they are only counted. */
export interface Move {
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
  const scope = [ctx.scope.organization, ctx.scope.environment];
  const [all] = await ctx.db.query<{ n: number }>(
    `select count(*)::int as n from (select from tasks where organization = $1 and environment = $2 and agent = $3 and status = 'queued'
       and version_id = $4 limit ${most}) t`,
    [...scope, agent, from],
  );
  const queued = all?.n ?? 0;
  if (!move || queued === 0) return { moved: 0, kept: queued };
  const rows = await ctx.db.query<Queued>(
    `select id, skill, input from tasks where organization = $1 and environment = $2 and agent = $3 and status = 'queued' and version_id = $4
       and approval_id is null and started_at is null order by id limit ${most} for update skip locked`,
    [...scope, agent, from],
  );
  const skills = new Map<string, Awaited<ReturnType<typeof pinnedSkill>>>();
  for (const name of new Set(rows.map(({ skill }) => skill)))
    skills.set(name, await pinnedSkill(ctx, { agent, version_id: to.id, skill: name }));
  const fitting = rows
    .filter(({ skill, input }) => skills.get(skill)?.validate(JSON.parse(input)).length === 0)
    .map(({ id }) => id);
  await ctx.db.query(
    "update tasks set version_id = $4, version_number = $5, updated_at = $6 where organization = $1 and environment = $2 and id = any($3::text[])",
    [...scope, fitting, to.id, to.number, new Date(ctx.now)],
  );
  return { moved: fitting.length, kept: queued - fitting.length };
}
