import { first, sql, update } from "../../db/scoped.ts";
import type { WriteContext } from "../../kernel/context.ts";

/** Ends the archiving, and in every environment the pause that came with it: both bear the same time. */
export async function setRestored(ctx: WriteContext, name: string, archivedAt: Date): Promise<void> {
  const restored = { archived_at: null, archived_by: null, updated_at: new Date(ctx.now) };
  await first(
    ctx,
    update(ctx, "agents")
      .where("name", "=", name)
      .set({ ...restored, revision: sql<number>`revision + 1` }),
  );
  await ctx.db.query("delete from agent_pauses where organization = $1 and agent = $2 and created_at = $3", [
    ctx.scope.organization,
    name,
    archivedAt,
  ]);
}

/** Gives an agent to another member. */
export async function setOwner(ctx: WriteContext, name: string, owner: string): Promise<void> {
  const changed = { owner, updated_at: new Date(ctx.now), revision: sql<number>`revision + 1` };
  await first(ctx, update(ctx, "agents").where("name", "=", name).set(changed));
}
