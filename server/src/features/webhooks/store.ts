import { type EndpointSight, roleNow } from "../../db/endpoint-sight.ts";
import { all, first, insert, newestFirst, type Row, rowsOf, select, sql, update } from "../../db/scoped.ts";
import { drawSecret } from "../../db/webhook-secrets.ts";
import { type Actor, actorOfCall, storable } from "../../kernel/actor.ts";
import type { ReadContext, WriteContext } from "../../kernel/context.ts";
import { defineFacts } from "../../kernel/facts.ts";
import { isId } from "../../kernel/ids.ts";
import type { PageRequest } from "../../kernel/listing.ts";
import type { RiskLevel } from "../../kernel/risk.ts";
import { newestSequence } from "./event-log.ts";
import type { WebhookState } from "./schemas.ts";

/** Keeps nothing in memory: raising the topic makes the delivery workers read the endpoints again. */
export const webhookFacts = defineFacts({ topic: "webhooks", load: async () => null });

/** Endpoints that an environment has at most. */
export const mostWebhooks = 1_000;

/** What people set of an endpoint. */
export type WebhookSettings = Pick<
  Row<"webhooks">,
  "url" | "description" | "events" | "agents" | "format" | "rate_per_second" | "withheld" | "sight" | "sight_of"
> & { risks: RiskLevel[] | null };

/** An endpoint as it is stored, without its secrets, and with its health. */
export type WebhookRow = WebhookSettings &
  Pick<Row<"webhooks">, "id" | "state" | "state_since" | "disabled_reason" | "missed_since" | "previous_untils"> &
  Pick<Row<"webhooks">, "actor" | "stopped_reason" | "stopped_at" | "created_by" | "created_at" | "updated_at"> &
  Pick<Row<"webhook_health">, "last_success_at" | "failing_since" | "last_failure_at" | "last_status" | "last_error"> &
  Pick<EndpointSight, "role_now"> &
  Readonly<{ recovering: boolean; pending: number; next_at: Date | null }>;

/** At most so many pending deliveries are counted. */
const counted = 10_000;

/** Endpoints of the environment with their health and what waits for them. */
const endpoints = (ctx: ReadContext | WriteContext) =>
  select(ctx, "webhooks", "w")
    .leftJoin(rowsOf(ctx, "webhook_health", "h"), "h.webhook_id", "w.id")
    .innerJoinLateral(
      (of) =>
        of
          .selectFrom(
            of
              .selectFrom(rowsOf(ctx, "deliveries", "d"))
              .select("d.next_at")
              .whereRef("d.webhook_id", "=", "w.id")
              .where("d.state", "=", "pending")
              .orderBy("d.next_at")
              .limit(counted)
              .as("waiting"),
          )
          .select([sql<number>`count(*)::int`.as("pending"), sql<Date | null>`min(next_at)`.as("next_at")])
          .as("q"),
      (join) => join.onTrue(),
    )
    .where("w.removed_at", "is", null)
    .select(["w.id", "w.url", "w.description", "w.events", "w.agents", "w.risks", "w.format", "w.rate_per_second"])
    .select([
      "w.withheld",
      "w.sight",
      "w.sight_of",
      "w.state",
      "w.state_since",
      "w.disabled_reason",
      "w.missed_since",
      "w.previous_untils",
      "w.actor",
      "w.stopped_reason",
      "w.stopped_at",
    ])
    .select(["w.created_by", "w.created_at", "w.updated_at", "q.pending", "q.next_at"])
    .select(["h.last_success_at", "h.failing_since", "h.last_failure_at", "h.last_status", "h.last_error"])
    .select(sql<EndpointSight["role_now"]>`${sql.raw(roleNow("w"))}`.as("role_now"))
    .select(sql<boolean>`w.recover_after is not null`.as("recovering"))
    .$castTo<WebhookRow>();

export async function findWebhook(ctx: ReadContext | WriteContext, id: string): Promise<WebhookRow | undefined> {
  return isId(id, "whk") ? first(ctx, endpoints(ctx).where("w.id", "=", id)) : undefined;
}

export async function lockWebhook(ctx: WriteContext, id: string): Promise<WebhookRow | undefined> {
  const locked = select(ctx, "webhooks", "w").select("w.id").where("w.id", "=", id).where("w.removed_at", "is", null);
  return (await first(ctx, locked.forUpdate())) && findWebhook(ctx, id);
}

/** A page of endpoints, newest first. A key that is narrowed to agents sees those that are bound to no others. */
export async function listWebhookRows(
  ctx: ReadContext,
  states: readonly WebhookState[] | undefined,
  page: PageRequest,
): Promise<WebhookRow[]> {
  const { agents } = ctx.principal;
  const query = endpoints(ctx)
    .$if(states !== undefined, (q) => q.where("w.state", "in", states ?? []))
    .$if(agents !== null, (q) => q.where("w.agents", "<@", sql<string[]>`${agents}::text[]`));
  return all(ctx, newestFirst(query, "w.id", page));
}

/** Adds an endpoint and returns its secret, or undefined if there are too many. It gets what happens from now on. */
export async function insertWebhook(
  ctx: WriteContext,
  id: string,
  settings: WebhookSettings,
  key: Buffer,
): Promise<string | undefined> {
  const { organization, environment } = ctx.scope;
  await ctx.db.query("select pg_advisory_xact_lock(hashtextextended($1, 0))", [
    `webhooks ${organization} ${environment}`,
  ]);
  const count = sql<number>`count(*)::int`.as("count");
  const there = await first(ctx, select(ctx, "webhooks", "w").select(count).where("w.removed_at", "is", null));
  if (there && there.count >= mostWebhooks) return undefined;
  const { secret, sealed } = drawSecret(key, ctx.scope, id);
  const now = new Date(ctx.now);
  const times = { created_at: now, updated_at: now, state_since: now, starts_after: await newestSequence(ctx) };
  const made = { created_by: ctx.principal.id, actor: storable(actorOfCall(ctx)) };
  await all(ctx, insert(ctx, "webhooks", { ...settings, ...times, ...made, id, secret: sealed }));
  return secret;
}

export async function updateWebhook(ctx: WriteContext, id: string, settings: WebhookSettings): Promise<void> {
  const { url, description, events, agents, risks, format, rate_per_second, withheld, sight, sight_of } = settings;
  const set = { url, description, events, agents, risks, format, rate_per_second, withheld, sight, sight_of };
  await all(
    ctx,
    update(ctx, "webhooks")
      .set({ ...set, updated_at: new Date(ctx.now) })
      .where("id", "=", id),
  );
}

/** Gives an endpoint another owner, whose sight it has from then on. */
export async function giveWebhook(
  ctx: WriteContext,
  id: string,
  actor: Actor,
  sight: Pick<WebhookSettings, "withheld" | "sight" | "sight_of">,
): Promise<void> {
  const acts = { ...sight, actor: storable(actor), stopped_reason: null, stopped_at: null };
  await all(ctx, update(ctx, "webhooks").set(acts).where("id", "=", id));
}

/** Disables an endpoint whose owner may not go on. */
export async function stopWebhook(
  ctx: WriteContext,
  id: string,
  stopped: { readonly stopped_reason: string; readonly stopped_at: Date },
): Promise<void> {
  await all(ctx, update(ctx, "webhooks").set(stopped).where("id", "=", id));
  await setState(ctx, id, "disabled", "stopped");
}

/**
 * Enables, pauses or disables an endpoint. Returns since when it misses events: since the first failure after its last success, or from now. What was given up
 * before that is kept as a delivery, where recovery finds it. Enabling forgets earlier failures.
 */
export async function setState(
  ctx: WriteContext,
  id: string,
  state: WebhookState,
  reason: WebhookRow["disabled_reason"],
): Promise<Date | null> {
  const now = new Date(ctx.now);
  const failing = select(ctx, "webhook_health", "h").select("h.failing_since").where("h.webhook_id", "=", id);
  const missed_since = sql<Date>`coalesce(missed_since, ${failing}, ${now})`;
  const row = await first(
    ctx,
    update(ctx, "webhooks")
      .set({ state, disabled_reason: reason, state_since: now, updated_at: now })
      .$if(state !== "enabled", (query) => query.set({ missed_since }))
      .where("id", "=", id)
      .returning("missed_since"),
  );
  if (state === "enabled") await forgetFailures(ctx, id);
  return row?.missed_since ?? null;
}

export async function forgetFailures(ctx: WriteContext, id: string): Promise<void> {
  await all(ctx, update(ctx, "webhook_health").set({ failing_since: null }).where("webhook_id", "=", id));
}

/** Removes an endpoint with its secrets. Its pending deliveries are cancelled by a sweep. */
export async function endWebhook(ctx: WriteContext, id: string): Promise<void> {
  const secrets = { secret: Buffer.alloc(0), previous_secrets: [], previous_untils: [] };
  const removed = { ...secrets, recover_after: null, recover_to: null, removed_at: new Date(ctx.now) };
  await all(ctx, update(ctx, "webhooks").set(removed).where("id", "=", id));
}

/**
 * Replaces the secret and returns the new one. The old one goes on signing beside it for so long (milliseconds), as earlier ones do until they end, because
 * nobody knows which of them a receiver has. With 0 only the new one signs.
 */
export async function replaceSecret(ctx: WriteContext, id: string, key: Buffer, overlapMs: number): Promise<string> {
  const { secret, sealed } = drawSecret(key, ctx.scope, id);
  const end = overlapMs === 0 ? null : new Date(ctx.now + overlapMs);
  await ctx.db.query(
    `update webhooks w set secret = $4, updated_at = $5, previous_secrets = p.secrets, previous_untils = p.untils
     from (
       select coalesce(array_agg(k.secret order by k.until), '{}') as secrets, coalesce(array_agg(k.until order by k.until), '{}') as untils
       from webhooks o cross join lateral (
         select * from unnest(o.previous_secrets, o.previous_untils) as earlier(secret, until) where until > $5 union all select o.secret, $6) k
       where o.organization = $1 and o.environment = $2 and o.id = $3 and $6::timestamptz is not null) p
     where w.organization = $1 and w.environment = $2 and w.id = $3`,
    [ctx.scope.organization, ctx.scope.environment, id, sealed, new Date(ctx.now), end],
  );
  return secret;
}
