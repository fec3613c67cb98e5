import { first, select, sql } from "../../db/scoped.ts";
import type { WriteContext } from "../../kernel/context.ts";
import { type ProblemType, refuse } from "../../kernel/errors.ts";

/** Alerts, and reports, that an environment may have. */
export const mostWatched = 100;

/** Refuses one more of them where there are as many as there may be. Until the transaction ends, no other call adds one. */
export async function refuseBeyond(ctx: WriteContext, what: "alerts" | "reports", problem: ProblemType): Promise<void> {
  const { organization, environment } = ctx.scope;
  await ctx.db.query("select pg_advisory_xact_lock(hashtextextended($1, 0))", [
    `analytics ${what} ${organization} ${environment}`,
  ]);
  const count = sql<number>`count(*)::int`.as("count");
  const table = what === "alerts" ? "analytics_alerts" : "analytics_reports";
  const there = await first(ctx, select(ctx, table, "t").select(count));
  if (there && there.count >= mostWatched)
    throw refuse(
      problem,
      `There are ${mostWatched} ${what} in ${environment}, the most it may have; remove one first.`,
    );
}
