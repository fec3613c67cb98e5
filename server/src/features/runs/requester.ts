import type { WriteContext } from "../../kernel/context.ts";
import type { Actor } from "../../kernel/principal.ts";
import { actorWithKey } from "../admin/public.ts";
import type { TaskRow } from "../tasks/public.ts";

/** Who asks for a task and its calls: whoever dispatched it. Accountable as well are those who answered questions of its present run, since answers steer what it does. */
export async function requesterOf(ctx: WriteContext, { id, principal, key_id }: TaskRow): Promise<Actor> {
  const dispatcher = await actorWithKey(ctx, principal, key_id);
  const answers = await ctx.db.query<{ accountable: string }>(
    `select distinct unnest(s.answered_accountable) as accountable
     from tasks t join steps s on s.organization = t.organization and s.environment = t.environment and s.task_id = t.id and s.started_at >= t.started_at
     where t.organization = $1 and t.environment = $2 and t.id = $3`,
    [ctx.scope.organization, ctx.scope.environment, id],
  );
  return {
    id: dispatcher.id,
    accountable: [...new Set([...dispatcher.accountable, ...answers.map(({ accountable }) => accountable)])],
  };
}
