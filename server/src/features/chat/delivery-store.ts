import { all, first, insert, type Row, select, sql, update } from "../../db/scoped.ts";
import type { JobSpec } from "../../kernel/append.ts";
import type { WriteContext } from "../../kernel/context.ts";
import { leaseEnd } from "../../kernel/lease.ts";
import type { Statements } from "../../kernel/machines.ts";
import type { Scope } from "../../kernel/principal.ts";
import type { ChannelKind } from "./channel-schemas.ts";

export type DeliveryRow = Row<"chat_deliveries">;
type Looking = { readonly scope: Scope; readonly db: Statements };

/** The job that sends a reply by its channel: whether there is something to send says its row. */
export const deliveryJob = "deliver_chat_reply";

/** Kinds of channels to which replies are sent; others fetch them. */
const sending: readonly ChannelKind[] = ["email", "slack"];

/** SQL: an attempt that was not heard of until then counts as failed. */
const untilLapsed = sql<Date>`${sql.raw(leaseEnd)}`;
/** A reply that was not taken for so long is given up (milliseconds). */
export const givenUpAfter = 86_400_000;
const firstPause = 15_000;
const longestPause = 3_600_000;

/** The pause after so many attempts that failed, doubled each time (milliseconds). */
export const pauseAfter = (attempts: number): number => Math.min(longestPause, firstPause * 2 ** (attempts - 1));

export const wakeDelivery = ({ organization, environment }: Scope, message: string, runAt?: Date): JobSpec => ({
  ...{ task: deliveryJob, payload: { organization, environment, message }, key: `chat reply ${message}` },
  ...(runAt && { runAt }),
});

interface InChannel {
  readonly id: string;
  readonly channel: string;
}

/**
 * Has a message of an agent or a person sent by the channel of its conversation, in the caller's transaction: once it is completed, and whenever it waits for people, who
 * read what was added. Nothing where the channel sends none. Repeated for a message, it sends what was not sent before.
 */
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
    ...{ state: "waiting" as const, last_error: null, created_at: now, asked: sql<number>`${d}.asked + 1` },
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

/** Takes up a reply that is due, so that nobody else sends it at the same time. */
export async function claimDelivery(ctx: Looking, message: string): Promise<DeliveryRow | undefined> {
  const query = update(ctx, "chat_deliveries")
    .set({ attempts: sql<number>`attempts + 1`, next_at: untilLapsed })
    .where("message", "=", message)
    .where("state", "=", "waiting")
    .where("next_at", "<=", sql<Date>`now()`);
  return first(ctx, query.returningAll());
}

/** An attempt that was begun. What was asked for meanwhile does not take the reply from it. */
export type Claim = Pick<DeliveryRow, "message" | "attempts" | "sent_at">;

/** Changes a reply that an attempt still holds: nobody has begun another one, or booked one, since. */
const held = (ctx: Looking, { message, attempts, sent_at }: Claim) =>
  update(ctx, "chat_deliveries")
    .where("message", "=", message)
    .where("state", "=", "waiting")
    .where("attempts", "=", attempts)
    .where(sql`date_trunc('milliseconds', sent_at)`, "is not distinct from", sent_at);

/** Says that an attempt goes on. False: another one was begun meanwhile. */
export async function renewDelivery(ctx: Looking, claim: Claim): Promise<boolean> {
  return (await all(ctx, held(ctx, claim).set({ next_at: untilLapsed }).returning("message"))).length > 0;
}

type Outcome =
  | { readonly state: "sent"; readonly told: readonly string[] }
  | { readonly state: "waiting"; readonly error: string; readonly pauseMs: number }
  | { readonly state: "failed"; readonly error: string };

/**
 * Books an attempt that still holds the reply, and returns when the next one is due. Undefined: the reply has more to say by now and was queued again meanwhile, and
 * is due at once; or another attempt was begun, and of this one no more is kept than what it told.
 */
export async function noteDelivery(
  ctx: Looking,
  row: Claim & Pick<DeliveryRow, "asked">,
  outcome: Outcome,
  now: Date,
): Promise<Pick<DeliveryRow, "next_at"> | undefined> {
  const isSent = outcome.state === "sent";
  const told = isSent ? { told: withTold(outcome.told) } : {};
  const changes = {
    ...{ ...told, state: outcome.state, last_error: isSent ? null : outcome.error },
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

/** Digests of what was told, each once, with those that are stored by now. */
const withTold = (digests: readonly string[]) =>
  sql<
    string[]
  >`told || array(select one from unnest(${digests}::text[]) with ordinality as n(one, place) where one <> all(told) order by place)`;

/** Whole milliseconds, as a wake-up at the same moment has them. */
const pausedFor = (ms: number) => sql<Date>`date_trunc('milliseconds', now()) + ${ms} * interval '1 millisecond'`;

export interface DeliveryPlace extends Scope {
  readonly message: string;
}

/** Replies that nobody has sent in time, over all scopes. */
export const listDueDeliveries = (db: Statements, most: number): Promise<DeliveryPlace[]> =>
  db.query(
    "select organization, environment, message from chat_deliveries where state = 'waiting' and next_at <= now() order by next_at limit $1",
    [most],
  );
