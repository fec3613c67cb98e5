import { all, first, insert, remove, select } from "../../../db/scoped.ts";
import { timestamp } from "../../../kernel/clock.ts";
import type { ReadContext } from "../../../kernel/context.ts";
import type { QueryContext } from "../../../kernel/db.ts";
import type { Alert, AlertTransition } from "./schemas.ts";
import type { AlertEvaluation } from "./states.ts";
import { type AlertRow, alertSummary } from "./view.ts";

const mostShown = 100;
const mostKept = 1_000;

export async function addChange(
  ctx: QueryContext,
  alert: string,
  { standing, event, value, n }: AlertEvaluation,
): Promise<void> {
  const at = new Date(standing.lookedAt ?? standing.since);
  await all(ctx, insert(ctx, "analytics_alert_changes", { alert, at, state: standing.state, event, value, n }));
  const kept = select(ctx, "analytics_alert_changes", "c").where("c.alert", "=", alert).orderBy("c.number", "desc");
  const oldest = await first(ctx, kept.select("c.number").offset(mostKept).limit(1));
  if (oldest)
    await all(
      ctx,
      remove(ctx, "analytics_alert_changes").where("alert", "=", alert).where("number", "<=", oldest.number),
    );
}

const listChanges = (ctx: QueryContext, alert: string, most: number) =>
  all(
    ctx,
    select(ctx, "analytics_alert_changes", "c")
      .select(["c.at", "c.state", "c.event", "c.value", "c.n"])
      .where("c.alert", "=", alert)
      .orderBy("c.number", "desc")
      .limit(most),
  );

export async function alertView(ctx: Pick<ReadContext, "scope" | "db" | "now">, row: AlertRow): Promise<Alert> {
  const changes = await listChanges(ctx, row.id, mostShown);
  const history = changes.map(({ at, n, ...change }) => ({
    ...change,
    at: timestamp(at.getTime()),
    n: Number(n),
  })) as AlertTransition[];
  return { ...alertSummary(row, ctx.now), history };
}
