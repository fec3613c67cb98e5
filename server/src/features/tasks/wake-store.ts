import type { WriteContext } from "../../kernel/context.ts";
import { type Environment, environments } from "../../kernel/principal.ts";
import { runTask } from "./wake-up.ts";

/** Wake-ups of one call at most: the sweeper wakes workers for the rest, a few hundred a second. */
const most = 1_000;

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
    [organization, everywhere ? environments : [environment], agent, most],
  );
  for (const row of rows) ctx.enqueue(runTask({ organization, environment: row.environment }, row.id, row.priority));
}
