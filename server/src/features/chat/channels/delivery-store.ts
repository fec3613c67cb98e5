import { all, first, insert, type Row, select, sql, update } from "../../../db/scoped.ts";
import type { JobSpec } from "../../../kernel/append.ts";
import type { WriteContext } from "../../../kernel/context.ts";
import type { QueryContext } from "../../../kernel/db.ts";
import { leaseEnd } from "../../../kernel/lease.ts";
import type { Statements } from "../../../kernel/machines.ts";
import type { Scope } from "../../../kernel/principal.ts";
import type { ChannelKind } from "./schemas.ts";

export type DeliveryRow = Row<"chat_deliveries">;

export const deliveryJob = "deliver_chat_reply";

const sending: readonly ChannelKind[] = ["email", "slack"];

/** An attempt without a sign of life until then counts as failed. */
const untilLapsed = sql<Date>`${sql.raw(leaseEnd)}`;
/** A reply is given up after this time (milliseconds). */
export const givenUpAfter = 86_400_000;
const firstPause = 15_000;
const longestPause = 3_600_000;

/** Doubles with each failed attempt (milliseconds). */
export const pauseAfter = (attempts: number): number => Math.min(longestPause, firstPause * 2 ** (attempts - 1));

export const wakeDelivery = ({ organization, environment }: Scope, message: string, runAt?: Date): JobSpec => ({
  task: deliveryJob,
  payload: { organization, environment, message },
  key: `chat reply ${message}`,
  ...(runAt && { runAt }),
});

interface InChannel {
  readonly id: string;
  readonly channel: string;
}

/** Queues a completed or waiting message for the channel of its conversation, in the caller's transaction. Repeated, it sends what was added since. */
export async function deliverReply(
  ctx: WriteContext,
  { id: conversation, channel }: InChannel,
  { id: message }: { readonly id: string },
): Promise<void> {
  if (channel === "api") return;
  const known = select(ctx, "chat_channels", "c").select("c.kind").where("c.name", "=", channel);
  const row = await first(ctx, known.where("c.kind", "in", sending));
  if (!row) return;
  const now = new Date(ctx.now);
  // While an attempt is under way nobody makes another one; who makes it looks once more at its end.
  const [waits, d] = [sql`chat_deliveries.state = 'waiting'`, sql.table("chat_deliveries")];
  const again = {
    state: "waiting" as const,
    last_error: null,
    created_at: now,
    asked: sql<number>`${d}.asked + 1`,
    next_at: sql<Date>`case when ${waits} and ${d}.attempts > 0 then ${d}.next_at else now() end`,
    attempts: sql<number>`case when ${waits} then ${d}.attempts else 0 end`,
  };
  const next_at = sql<Date>`now()` as unknown as Date; // rows are claimed by the database's clock
  const query = insert(ctx, "chat_deliveries", { conversation, message, channel, next_at, created_at: now });
  await all(
    ctx,
    query.onConflict((on) => on.columns(["organization", "environment", "message"]).doUpdateSet(again)),
  );
  ctx.enqueue(wakeDelivery(ctx.scope, message));
}

export async function claimDelivery(ctx: QueryContext, message: string): Promise<DeliveryRow | undefined> {
  const query = update(ctx, "chat_deliveries")
    .set({ attempts: sql<number>`attempts + 1`, next_at: untilLapsed })
    .where("message", "=", message)
    .where("state", "=", "waiting")
    .where("next_at", "<=", sql<Date>`now()`);
  return first(ctx, query.returningAll());
}

export type Claim = Pick<DeliveryRow, "message" | "attempts" | "sent_at">;

/** Only while no later attempt was begun or booked. */
const held = (ctx: QueryContext, { message, attempts, sent_at }: Claim) =>
  update(ctx, "chat_deliveries")
    .where("message", "=", message)
    .where("state", "=", "waiting")
    .where("attempts", "=", attempts)
    .where(sql`date_trunc('milliseconds', sent_at)`, "is not distinct from", sent_at);

/** False: a later attempt has begun. */
export async function renewDelivery(ctx: QueryContext, claim: Claim): Promise<boolean> {
  return (await all(ctx, held(ctx, claim).set({ next_at: untilLapsed }).returning("message"))).length > 0;
}

type Outcome =
  | { readonly state: "sent"; readonly told: readonly string[] }
  | { readonly state: "waiting"; readonly error: string; readonly pauseMs: number }
  | { readonly state: "failed"; readonly error: string };

/**
 * Returns when the next attempt is due. Undefined: the reply was queued again meanwhile and is due at once, or a
 * later attempt has begun, and only what this one sent is kept.
 */
export async function noteDelivery(
  ctx: QueryContext,
  row: Claim & Pick<DeliveryRow, "asked">,
  outcome: Outcome,
  now: Date,
): Promise<Pick<DeliveryRow, "next_at"> | undefined> {
  const isSent = outcome.state === "sent";
  const told = isSent ? { told: withTold(outcome.told) } : {};
  const changes = {
    ...told,
    state: outcome.state,
    last_error: isSent ? null : outcome.error,
    ...(isSent && { sent_at: now }),
    ...(outcome.state === "waiting" && { next_at: pausedFor(outcome.pauseMs) }),
  };
  const booked = await first(ctx, held(ctx, row).set(changes).where("asked", "=", row.asked).returning("next_at"));
  if (booked) return booked;
  const again = held(ctx, row).set({ ...told, next_at: sql<Date>`now()` });
  if ((await all(ctx, again.returning("message"))).length > 0 || !isSent) return undefined;
  await all(ctx, update(ctx, "chat_deliveries").set(told).where("message", "=", row.message).returning("message"));
  return undefined;
}

const withTold = (digests: readonly string[]) =>
  sql<
    string[]
  >`told || array(select one from unnest(${digests}::text[]) with ordinality as n(one, place) where one <> all(told) order by place)`;

/** Whole milliseconds, as wake-ups have them. */
const pausedFor = (ms: number) => sql<Date>`date_trunc('milliseconds', now()) + ${ms} * interval '1 millisecond'`;

export interface DeliveryPlace extends Scope {
  readonly message: string;
}

export const listDueDeliveries = (db: Statements, most: number): Promise<DeliveryPlace[]> =>
  db.query(
    "select organization, environment, message from chat_deliveries where state = 'waiting' and next_at <= now() order by next_at limit $1",
    [most],
  );
