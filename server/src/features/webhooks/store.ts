import { all, first, newestFirst, rowsOf, select, sql, update } from "../../db/scoped.ts";
import { drawSecret } from "../../db/webhook-secrets.ts";
import type { ReadContext, WriteContext } from "../../kernel/context.ts";
import type { PayloadFormat } from "../../kernel/event-format.ts";
import { defineFacts } from "../../kernel/facts.ts";
import { isId } from "../../kernel/ids.ts";
import type { PageRequest } from "../../kernel/listing.ts";
import type { RiskLevel } from "../../kernel/risk.ts";
import type { disabledReasons, WebhookState } from "./schemas.ts";

/** Nothing is kept of them in memory: raising the topic tells the machines that deliver to read them again. */
export const webhookFacts = defineFacts({ topic: "webhooks", load: async () => null });

/** What people set of an endpoint. */
export interface WebhookSettings {
  readonly url: string;
  readonly description: string;
  readonly events: readonly string[];
  readonly agents: readonly string[] | null;
  readonly risks: readonly RiskLevel[] | null;
  readonly format: PayloadFormat;
  readonly rate_per_second: number | null;
  readonly withheld: readonly string[];
}

/** An endpoint as it is stored, without its secrets, and with its health. */
export interface WebhookRow extends WebhookSettings {
  readonly id: string;
  readonly state: WebhookState;
  readonly state_since: Date;
  readonly disabled_reason: (typeof disabledReasons)[number] | null;
  readonly missed_since: Date | null;
  readonly recovering: boolean;
  /** Until when earlier secrets sign as well. */
  readonly previous_untils: readonly Date[];
  readonly created_by: string;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly last_success_at: Date | null;
  readonly failing_since: Date | null;
  readonly last_failure_at: Date | null;
  readonly last_status: number | null;
  readonly last_error: string | null;
  readonly pending: number;
  readonly next_at: Date | null;
}

/** Deliveries that are counted at most. */
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
    .select(["w.withheld", "w.state", "w.state_since", "w.disabled_reason", "w.missed_since", "w.previous_untils"])
    .select(["w.created_by", "w.created_at", "w.updated_at", "q.pending", "q.next_at"])
    .select(["h.last_success_at", "h.failing_since", "h.last_failure_at", "h.last_status", "h.last_error"])
    .select(sql<boolean>`w.recover_after is not null`.as("recovering"))
    .$castTo<WebhookRow>();

/** One endpoint of the call's environment; undefined where there is none, or no more. */
export async function findWebhook(ctx: ReadContext | WriteContext, id: string): Promise<WebhookRow | undefined> {
  return isId(id, "whk") ? first(ctx, endpoints(ctx).where("w.id", "=", id)) : undefined;
}

/** Locks an endpoint until the transaction ends; undefined: it is gone. */
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

/** Adds an endpoint and answers its secret; undefined: there are as many as there may be. It gets what happens from now on. */
export async function insertWebhook(
  ctx: WriteContext,
  id: string,
  settings: WebhookSettings,
  key: Buffer,
  most: number,
): Promise<string | undefined> {
  const { organization, environment } = ctx.scope;
  await ctx.db.query("select pg_advisory_xact_lock(hashtextextended($1, 0))", [
    `webhooks ${organization} ${environment}`,
  ]);
  const { secret, sealed } = drawSecret(key, ctx.scope, id);
  const rows = await ctx.db.query(
    `insert into webhooks (organization, environment, id, url, description, events, agents, risks, format, rate_per_second, withheld, secret,
       created_by, created_at, updated_at, state_since, starts_after)
     select $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $14, $14,
       coalesce((select event_sequence from audit_logs where organization = $1 and environment = $2), 0)
     where (select count(*) from webhooks where organization = $1 and environment = $2 and removed_at is null) < $15 returning id`,
    [
      organization,
      environment,
      id,
      settings.url,
      settings.description,
      settings.events,
      settings.agents,
      settings.risks,
      settings.format,
      settings.rate_per_second,
      settings.withheld,
      sealed,
      ctx.principal.id,
      new Date(ctx.now),
      most,
    ],
  );
  return rows.length === 0 ? undefined : secret;
}

/** Writes what people set of an endpoint. */
export async function updateWebhook(ctx: WriteContext, id: string, settings: WebhookSettings): Promise<void> {
  const { url, description, events, agents, risks, format, rate_per_second, withheld } = settings;
  const set = { url, description, format, rate_per_second, updated_at: new Date(ctx.now) };
  const lists = {
    events: [...events],
    agents: agents && [...agents],
    risks: risks && [...risks],
    withheld: [...withheld],
  };
  await all(
    ctx,
    update(ctx, "webhooks")
      .set({ ...set, ...lists })
      .where("id", "=", id),
  );
}

/**
 * Enables, pauses or disables an endpoint, and answers since when it misses events: from the first failure since its last success, or from now. What was given up
 * before that is kept as a delivery, and recovery finds it there. Enabled, it begins anew: what failed before counts no more.
 */
export async function setState(
  ctx: WriteContext,
  id: string,
  state: WebhookState,
  reason: WebhookRow["disabled_reason"],
): Promise<Date | null> {
  const at = [ctx.scope.organization, ctx.scope.environment, id];
  const rows = await ctx.db.query<Pick<WebhookRow, "missed_since">>(
    `update webhooks set state = $4, disabled_reason = $5, state_since = $6, updated_at = $6,
       missed_since = case when $4 = 'enabled' then missed_since else coalesce(missed_since,
         (select failing_since from webhook_health where organization = $1 and environment = $2 and webhook_id = $3), $6) end
     where organization = $1 and environment = $2 and id = $3 returning missed_since`,
    [...at, state, reason, new Date(ctx.now)],
  );
  if (state === "enabled") await forgetFailures(ctx, id);
  return rows[0]?.missed_since ?? null;
}

/** What failed before counts no more: the endpoint begins anew. */
export async function forgetFailures(ctx: WriteContext, id: string): Promise<void> {
  await all(ctx, update(ctx, "webhook_health").set({ failing_since: null }).where("webhook_id", "=", id));
}

/** Takes an endpoint away, its secrets at once. What waits is cancelled behind the call. */
export async function endWebhook(ctx: WriteContext, id: string): Promise<void> {
  const nothing = {
    secret: Buffer.alloc(0),
    previous_secrets: [],
    previous_untils: [],
    recover_after: null,
    recover_to: null,
  };
  await all(
    ctx,
    update(ctx, "webhooks")
      .set({ ...nothing, removed_at: new Date(ctx.now) })
      .where("id", "=", id),
  );
}

/**
 * Puts a new secret in the place of the present one, which goes on signing beside it for so long (milliseconds), as earlier ones do until their ends: nobody knows
 * which of them a receiver has. With 0 none of them signs any more. Answers the new one.
 */
export async function replaceSecret(ctx: WriteContext, id: string, key: Buffer, overlapMs: number): Promise<string> {
  const { secret, sealed } = drawSecret(key, ctx.scope, id);
  await ctx.db.query(
    `update webhooks w set secret = $4, updated_at = $5, previous_secrets = p.secrets, previous_untils = p.untils
     from (
       select coalesce(array_agg(k.secret order by k.until), '{}') as secrets, coalesce(array_agg(k.until order by k.until), '{}') as untils
       from webhooks o cross join lateral (
         select * from unnest(o.previous_secrets, o.previous_untils) as earlier(secret, until) where until > $5 union all select o.secret, $6) k
       where o.organization = $1 and o.environment = $2 and o.id = $3 and $6::timestamptz is not null) p
     where w.organization = $1 and w.environment = $2 and w.id = $3`,
    [
      ctx.scope.organization,
      ctx.scope.environment,
      id,
      sealed,
      new Date(ctx.now),
      overlapMs === 0 ? null : new Date(ctx.now + overlapMs),
    ],
  );
  return secret;
}
