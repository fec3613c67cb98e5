import { all, first, insert, type Row, select, sql, update } from "../../db/scoped.ts";
import type { JobSpec } from "../../kernel/append.ts";
import type { WriteContext } from "../../kernel/context.ts";
import type { Statements } from "../../kernel/machines.ts";
import type { Scope } from "../../kernel/principal.ts";
import type { ChannelKind } from "./channel-schemas.ts";

export type DeliveryRow = Row<"chat_deliveries">;
type Looking = { readonly scope: Scope; readonly db: Statements };

/** The job that sends a reply by its channel: whether there is something to send says its row. */
export const deliveryJob = "deliver_chat_reply";

/** Kinds of channels to which replies are sent; others fetch them. */
const sending: readonly ChannelKind[] = ["email", "slack"];

/** An attempt that was not heard of again counts as failed after so long (milliseconds). */
export const attemptMs = 120_000;
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
  const next = sql<Date>`case when chat_deliveries.state = 'waiting' and chat_deliveries.attempts > 0 then chat_deliveries.next_at else ${now} end`;
  const again = { state: "waiting" as const, next_at: next, attempts: 0, last_error: null, created_at: now };
  const query = insert(ctx, "chat_deliveries", { conversation, message, channel, next_at: now, created_at: now });
  await all(
    ctx,
    query.onConflict((on) => on.columns(["organization", "environment", "message"]).doUpdateSet(again)),
  );
  ctx.enqueue(wakeDelivery(ctx.scope, message));
}

/** Takes up a reply that is due, so that nobody else sends it at the same time. */
export async function claimDelivery(ctx: Looking, message: string, now: number): Promise<DeliveryRow | undefined> {
  const query = update(ctx, "chat_deliveries")
    .set({ attempts: sql<number>`attempts + 1`, next_at: new Date(now + attemptMs) })
    .where("message", "=", message)
    .where("state", "=", "waiting")
    .where("next_at", "<=", new Date(now));
  return first(ctx, query.returningAll());
}

type Outcome =
  | { readonly state: "sent"; readonly told: readonly string[] }
  | { readonly state: "waiting"; readonly error: string; readonly nextAt: Date }
  | { readonly state: "failed"; readonly error: string };

/** Books an attempt. False: the reply has more to say by now and was queued again meanwhile; it is due at once. */
export async function noteDelivery(
  ctx: Looking,
  row: Pick<DeliveryRow, "message" | "created_at" | "told">,
  outcome: Outcome,
  now: Date,
): Promise<boolean> {
  const isSent = outcome.state === "sent";
  const told = isSent ? { told: [...new Set([...row.told, ...outcome.told])] } : {};
  const mine = update(ctx, "chat_deliveries").where("message", "=", row.message);
  const changes = {
    ...{ ...told, state: outcome.state, last_error: isSent ? null : outcome.error },
    ...(isSent && { sent_at: now }),
    ...(outcome.state === "waiting" && { next_at: outcome.nextAt }),
  };
  const booked = mine.set(changes).where("created_at", "=", row.created_at).returning("message");
  if ((await all(ctx, booked)).length > 0) return true;
  await all(ctx, mine.set({ ...told, next_at: now }));
  return false;
}

export interface DeliveryPlace extends Scope {
  readonly message: string;
}

/** Replies that nobody has sent in time, over all scopes. */
export const listDueDeliveries = (db: Statements, now: Date, most: number): Promise<DeliveryPlace[]> =>
  db.query(
    "select organization, environment, message from chat_deliveries where state = 'waiting' and next_at <= $1 order by next_at limit $2",
    [now, most],
  );
