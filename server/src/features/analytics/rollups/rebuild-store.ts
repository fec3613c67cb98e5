import { all, first, insert, type Row, select } from "../../../db/scoped.ts";
import { isoTime, timestamp } from "../../../kernel/clock.ts";
import type { ReadContext, WriteContext } from "../../../kernel/context.ts";
import type { Statements } from "../../../kernel/machines.ts";
import { webhookRows } from "../../webhooks/shared-rows.ts";
import { minuteMs, timeOfSource } from "./families.ts";
import type { Rebuild } from "./rebuild-schemas.ts";

export type RebuildRow = Row<"analytics_rebuilds">;

export const findRebuild = (ctx: ReadContext | WriteContext): Promise<RebuildRow | undefined> =>
  first(ctx, select(ctx, "analytics_rebuilds", "r").selectAll());

/** Stores a recount in the place of a finished one; undefined while one is running. */
export async function storeRebuild(
  ctx: WriteContext,
  { starts, ends }: Pick<RebuildRow, "starts" | "ends">,
): Promise<RebuildRow | undefined> {
  const row = {
    starts,
    ends,
    done: starts,
    sources: 0,
    finished_at: null,
    requested_by: ctx.principal.id,
    requested_at: new Date(ctx.now),
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
       (select min(d.id) from ${webhookRows} w cross join lateral ${oldest("deliveries")} as d(id) where w.organization = $1 and w.environment = $2) as delivery`,
    [organization, environment],
  );
  const ids = Object.values(row ?? {}).filter((id) => id !== null);
  return ids.length === 0 ? null : Math.floor(Math.min(...ids.map(timeOfSource)) / minuteMs);
}

export function rebuildView(row: RebuildRow): Rebuild {
  const { starts, ends, done } = row;
  return {
    state: row.finished_at === null ? "running" : "finished",
    from: timestamp(starts * minuteMs),
    to: timestamp(ends * minuteMs),
    done_until: timestamp(done * minuteMs),
    share: ends === starts ? 1 : (done - starts) / (ends - starts),
    counted: Number(row.sources),
    requested_by: row.requested_by,
    requested_at: isoTime(row.requested_at),
    finished_at: isoTime(row.finished_at),
  };
}

export const exampleRebuild: Rebuild = {
  state: "running",
  from: "2026-10-01T07:12:00.000Z",
  to: "2026-11-02T09:30:00.000Z",
  done_until: "2026-10-17T07:12:00.000Z",
  share: 0.5,
  counted: 48_210,
  requested_by: "mbr_01jd8x0000000000000000000e",
  requested_at: "2026-11-02T09:29:41.000Z",
  finished_at: null,
};
