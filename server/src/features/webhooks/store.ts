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

const columns = `w.id, w.url, w.description, w.events, w.agents, w.risks, w.format, w.rate_per_second, w.withheld, w.state, w.state_since, w.disabled_reason,
  w.missed_since, w.recover_after is not null as recovering, w.previous_untils, w.created_by, w.created_at, w.updated_at,
  h.last_success_at, h.failing_since, h.last_failure_at, h.last_status, h.last_error, q.pending, q.next_at`;
const joins = `left join webhook_health h on h.organization = w.organization and h.environment = w.environment and h.webhook_id = w.id
  cross join lateral (select count(*)::int as pending, min(next_at) as next_at from (
    select next_at from deliveries d where d.organization = w.organization and d.environment = w.environment and d.webhook_id = w.id and d.state = 'pending'
    order by next_at limit ${counted}) waiting) q`;

/** One endpoint of the call's environment; undefined where there is none, or no more. */
export async function findWebhook(ctx: ReadContext | WriteContext, id: string): Promise<WebhookRow | undefined> {
  if (!isId(id, "whk")) return undefined;
  const rows = await ctx.db.query<WebhookRow>(
    `select ${columns} from webhooks w ${joins} where w.organization = $1 and w.environment = $2 and w.id = $3 and w.removed_at is null`,
    [ctx.scope.organization, ctx.scope.environment, id],
  );
  return rows[0];
}

/** Locks an endpoint until the transaction ends; undefined: it is gone. */
export async function lockWebhook(ctx: WriteContext, id: string): Promise<WebhookRow | undefined> {
  const rows = await ctx.db.query(
    "select from webhooks where organization = $1 and environment = $2 and id = $3 and removed_at is null for update",
    [ctx.scope.organization, ctx.scope.environment, id],
  );
  return rows.length === 0 ? undefined : findWebhook(ctx, id);
}

/** A page of endpoints, newest first. A key that is narrowed to agents sees those that are bound to no others. */
export async function listWebhookRows(
  ctx: ReadContext,
  states: readonly WebhookState[] | undefined,
  page: PageRequest,
): Promise<WebhookRow[]> {
  return ctx.db.query<WebhookRow>(
    `select ${columns} from webhooks w ${joins}
     where w.organization = $1 and w.environment = $2 and w.removed_at is null and ($3::text[] is null or w.state = any($3))
       and ($4::text[] is null or w.agents <@ $4) and ($5::text is null or w.id < $5 collate "C")
     order by w.id desc limit $6`,
    [
      ctx.scope.organization,
      ctx.scope.environment,
      states ?? null,
      ctx.principal.agents,
      page.after?.id ?? null,
      page.take,
    ],
  );
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
  await ctx.db.query(
    `update webhooks set url = $4, description = $5, events = $6, agents = $7, risks = $8, format = $9, rate_per_second = $10, withheld = $11, updated_at = $12
     where organization = $1 and environment = $2 and id = $3`,
    [
      ctx.scope.organization,
      ctx.scope.environment,
      id,
      settings.url,
      settings.description,
      settings.events,
      settings.agents,
      settings.risks,
      settings.format,
      settings.rate_per_second,
      settings.withheld,
      new Date(ctx.now),
    ],
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
  const at = [ctx.scope.organization, ctx.scope.environment, id];
  await ctx.db.query(
    "update webhook_health set failing_since = null where organization = $1 and environment = $2 and webhook_id = $3",
    at,
  );
}

/** Takes an endpoint away, its secrets at once. What waits is cancelled behind the call. */
export async function endWebhook(ctx: WriteContext, id: string): Promise<void> {
  await ctx.db.query(
    `update webhooks set removed_at = $4, secret = '', previous_secrets = '{}', previous_untils = '{}', recover_after = null, recover_to = null
     where organization = $1 and environment = $2 and id = $3`,
    [ctx.scope.organization, ctx.scope.environment, id, new Date(ctx.now)],
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
