import type { Pool } from "pg";
import type { Environment, Scope } from "../kernel/principal.ts";
import type { Claimed, Outcome } from "./types.ts";

/** How an endpoint stands after outcomes were written. */
export interface Health {
  readonly organization: string;
  readonly environment: Environment;
  readonly webhook_id: string;
  /** The first failure since the last success; null: the last attempt went well. */
  readonly failing_since: Date | null;
}

const columns = [
  ["organization", "text"],
  ["environment", "text"],
  ["webhook_id", "text"],
  ["delivery_id", "text"],
  ["number", "int"],
  ["started_at", "timestamptz"],
  ["latency_ms", "int"],
  ["url", "text"],
  ["format", "text"],
  ["signature", "text"],
  ["status", "int"],
  ["error", "text"],
  ["detail", "text"],
  ["excerpt", "text"],
  ["state", "text"],
  ["next_at", "timestamptz"],
  ["step", "smallint"],
] as const;
const names = columns.map(([name]) => name).join(", ");
const attemptColumns =
  "organization, environment, delivery_id, number, started_at, latency_ms, url, format, signature, status, error, detail, excerpt";
const replaced = ["started_at", "latency_ms", "url", "format", "signature", "status", "error", "detail", "excerpt"]
  .map((name) => `${name} = excluded.${name}`)
  .join(", ");

/**
 * Writes outcomes: the attempts, what becomes of their deliveries, and the health of their endpoints; in one statement. A success counts whoever reports it; a
 * failure only where the claim still holds. An attempt that was noted as lost and comes back in the end takes the place of that note.
 */
export async function writeOutcomes(
  pool: Pool,
  by: string,
  now: number,
  outcomes: readonly Outcome[],
): Promise<Health[]> {
  const { rows } = await pool.query<Health>({
    name: "delivery_outcomes",
    text: `with r as materialized (select * from unnest(${columns.map(([, type], i) => `$${i + 3}::${type}[]`).join(", ")}) as r(${names})),
      attempts as (
        insert into delivery_attempts (${attemptColumns}) select ${attemptColumns} from r
        on conflict (organization, environment, delivery_id, number) do update set ${replaced} where delivery_attempts.error = 'interrupted'),
      fates as (
        update deliveries d set state = r.state, next_at = r.next_at, step = r.step, last_status = r.status, last_error = r.error, claimed_by = null,
          finished_at = case when r.state = 'pending' then null else $2::timestamptz end
        from r where r.state is not null and d.organization = r.organization and d.environment = r.environment and d.webhook_id = r.webhook_id
          and d.id = r.delivery_id
          and d.state = 'pending' and (r.state = 'delivered' or (d.claimed_by = $1 and d.attempts = r.number))),
      told as (
        select organization, environment, webhook_id, max(started_at) filter (where error is null) as success_at, max(started_at) filter (where error is not null) as failure_at,
          min(started_at) filter (where error is not null) as first_failure_at,
          (array_agg(status order by started_at desc) filter (where error is not null))[1] as status,
          (array_agg(error order by started_at desc) filter (where error is not null))[1] as error
        from r where state is not null and error is distinct from 'interrupted' group by 1, 2, 3 order by 1, 2, 3)
      insert into webhook_health as h (organization, environment, webhook_id, last_success_at, failing_since, last_failure_at, last_status, last_error)
      select organization, environment, webhook_id, success_at, case when success_at is null or failure_at > success_at then first_failure_at end,
        failure_at, status, error from told
      on conflict (organization, environment, webhook_id) do update set
        last_success_at = greatest(h.last_success_at, excluded.last_success_at),
        failing_since = case
          when excluded.last_success_at is null and coalesce(h.last_success_at < excluded.failing_since, true) then coalesce(h.failing_since, excluded.failing_since)
          when excluded.last_success_at is null then h.failing_since
          else excluded.failing_since end,
        last_failure_at = greatest(h.last_failure_at, excluded.last_failure_at),
        last_status = case when excluded.last_failure_at is null then h.last_status else excluded.last_status end,
        last_error = coalesce(excluded.last_error, h.last_error)
      returning organization, environment, webhook_id, failing_since`,
    values: [by, new Date(now), ...valuesOf(outcomes)],
  });
  return rows;
}

/** Ends deliveries that were claimed and are not sent, because their endpoints do not get such events any more: where the claims still hold. */
export async function endFiltered(
  pool: Pool,
  by: string,
  now: number,
  scope: Scope,
  claimed: readonly Claimed[],
): Promise<void> {
  await pool.query({
    name: "delivery_filtered",
    text: `update deliveries d set state = 'cancelled', last_error = 'filtered', attempts = d.attempts - 1, finished_at = $3, claimed_by = null
      from unnest($5::text[], $6::text[], $7::int[]) as c(webhook_id, id, number)
      where d.organization = $1 and d.environment = $2 and d.webhook_id = c.webhook_id and d.id = c.id and d.state = 'pending' and d.claimed_by = $4
        and d.attempts = c.number`,
    values: [
      scope.organization,
      scope.environment,
      new Date(now),
      by,
      claimed.map(({ webhook }) => webhook),
      claimed.map(({ id }) => id),
      claimed.map(({ number }) => number),
    ],
  });
}

function valuesOf(outcomes: readonly Outcome[]): unknown[] {
  const rows = outcomes.map(({ claimed, fate, ...one }) => ({
    ...{
      organization: claimed.scope.organization,
      environment: claimed.scope.environment,
      webhook_id: claimed.webhook,
      delivery_id: claimed.id,
    },
    ...{
      number: claimed.number,
      started_at: new Date(one.startedAt),
      latency_ms: one.latencyMs,
      url: one.url,
      format: one.format,
    },
    signature: one.signature,
    status: one.status,
    error: one.error,
    detail: one.detail,
    excerpt: one.excerpt,
    state: fate?.state ?? null,
    next_at: fate && new Date(fate.nextAt),
    step: fate?.step ?? null,
  }));
  return columns.map(([name]) => rows.map((row) => row[name]));
}
