import { all, first, insert, type Row, select } from "../../db/scoped.ts";
import type { ReadContext, WriteContext } from "../../kernel/context.ts";
import type { Statements } from "../../kernel/machines.ts";
import { minuteMs, timeOfSource } from "./families.ts";

export type RebuildRow = Row<"analytics_rebuilds">;

/** The last one that was asked for. */
export const findRebuild = (ctx: ReadContext | WriteContext): Promise<RebuildRow | undefined> =>
  first(ctx, select(ctx, "analytics_rebuilds", "r").selectAll());

/** Notes what is to be counted anew, in the place of an earlier one that is finished. Returns undefined where one is not. */
export async function storeRebuild(
  ctx: WriteContext,
  { starts, ends }: Pick<RebuildRow, "starts" | "ends">,
): Promise<RebuildRow | undefined> {
  const row = {
    ...{ starts, ends, done: starts, sources: 0, finished_at: null },
    ...{ requested_by: ctx.principal.id, requested_at: new Date(ctx.now) },
  };
  const query = insert(ctx, "analytics_rebuilds", row)
    .onConflict((on) =>
      on
        .columns(["organization", "environment"])
        .doUpdateSet(row)
        .where("analytics_rebuilds.finished_at", "is not", null),
    )
    .returningAll();
  return (await all(ctx, query))[0] as RebuildRow | undefined;
}

/** The minute of the oldest thing that rollups count; null: there is none. */
export async function oldestMinute(
  db: Statements,
  { organization, environment }: ReadContext["scope"],
): Promise<number | null> {
  const oldest = (table: string) =>
    `(select min(id) from ${table} where organization = $1 and environment = $2 ${table === "deliveries" ? "and webhook_id = w.id" : ""})`;
  const [row] = await db.query<{ task: string | null; violation: string | null; delivery: string | null }>(
    `select ${oldest("tasks")} as task, ${oldest("violations")} as violation,
       (select min(d.id) from webhooks w cross join lateral ${oldest("deliveries")} as d(id) where w.organization = $1 and w.environment = $2) as delivery`,
    [organization, environment],
  );
  const ids = Object.values(row ?? {}).filter((id) => id !== null);
  return ids.length === 0 ? null : Math.floor(Math.min(...ids.map(timeOfSource)) / minuteMs);
}
