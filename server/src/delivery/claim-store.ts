import type { Pool, PoolClient } from "pg";
import { readersOfEvent } from "../db/stored-events.ts";
import type { Scope } from "../kernel/principal.ts";
import type { Readers } from "../kernel/readers.ts";
import type { Claims } from "./fan-out-store.ts";
import type { Claimed } from "./types.ts";

/** An endpoint for which deliveries are claimed, with how many at most. */
export interface Wanted {
  readonly webhook: string;
  readonly most: number;
}

/** A claimed delivery, and whether an attempt before it was lost. */
export interface ClaimedRow extends Claimed {
  readonly lost: boolean;
}

interface Row {
  webhook_id: string;
  id: string;
  attempts: number;
  step: number;
  gone: boolean;
  event_id: string;
  type: string;
  sequence: number | null;
  audit_id: string | null;
  task_id: string | null;
  body: string | null;
  risk: string | null;
  readers: readonly Readers[] | null;
  checkpoint: string | null;
  lost: boolean;
}

/**
 * Claims what is due: of each endpoint the longest due first, of none more than it wants, and at most so many in all. Nobody else claims it before the claim counts as lost. Endpoints are looked at one
 * by one, so that one with a long queue hides no other.
 */
export async function claimDue(
  db: Pool | PoolClient,
  scope: Scope,
  wanted: readonly Wanted[],
  most: number,
  claims: Claims,
): Promise<ClaimedRow[]> {
  const { rows } = await db.query<Row>({
    name: "delivery_claim",
    text: `with due as materialized (
        select d.webhook_id, d.id, d.claimed_by is not null as lost from unnest($3::text[], $4::int[]) as w(webhook_id, most)
        cross join lateral (
          select webhook_id, id, claimed_by from deliveries
          where organization = $1 and environment = $2 and webhook_id = w.webhook_id and state = 'pending' and next_at <= $5
          order by next_at limit w.most for update skip locked) d limit $8),
      claimed as (
        update deliveries d set claimed_by = $6, next_at = $7, attempts = d.attempts + 1 from due
        where d.organization = $1 and d.environment = $2 and d.webhook_id = due.webhook_id and d.id = due.id
        returning d.webhook_id, d.id, d.attempts, d.step, d.last_error is not distinct from 'gone' as gone, d.event_id, d.type, d.sequence, d.audit_id, d.body, due.lost)
      select c.webhook_id, c.id, c.attempts, c.step, c.gone, c.event_id, c.type, c.sequence, c.audit_id, p.task_id, coalesce(c.body, e.body) as body,
        t.risk_level as risk, ${readersOfEvent()} as readers, cosigned_checkpoint($1, $2, nullif(l.checkpoint, '')) as checkpoint, c.lost
      from claimed c
      left join events e on c.sequence is not null and e.organization = $1 and e.environment = $2 and e.id = c.event_id
      left join event_positions p on p.organization = $1 and p.environment = $2 and p.sequence = c.sequence and p.event_id = c.event_id
      left join tasks t on t.organization = $1 and t.environment = $2 and t.id = p.task_id
      left join audit_logs l on l.organization = $1 and l.environment = $2
        and not exists (select from audit_stops s where s.organization = $1 and s.environment = $2)`,
    values: [
      scope.organization,
      scope.environment,
      wanted.map(({ webhook }) => webhook),
      wanted.map(({ most }) => most),
      new Date(claims.now),
      claims.by,
      new Date(claims.until),
      most,
    ],
  });
  return rows.flatMap((row) => (row.body === null ? [] : [claimedOf(scope, row, row.body)]));
}

function claimedOf(scope: Scope, row: Row, body: string): ClaimedRow {
  return {
    scope,
    webhook: row.webhook_id,
    id: row.id,
    number: row.attempts,
    step: row.step,
    gone: row.gone,
    eventId: row.event_id,
    type: row.type,
    sequence: row.sequence,
    auditId: row.audit_id,
    taskId: row.task_id,
    body,
    risk: row.risk,
    readers: row.readers,
    checkpoint: row.checkpoint,
    lost: row.lost,
  };
}

/** How much of its rate an endpoint that was idle may use at once (milliseconds). */
const burstMs = 1_000;

/**
 * Claims what is due for endpoints with a rate, no more than that allows over all processes: when the next may go out is noted with the claims, under a lock.
 * Whoever else writes of such an endpoint at this moment, another process that claims or one statement of outcomes, is awaited: an endpoint that was passed over
 * would lose its turn, and nothing would tell when to look again.
 */
export async function claimPaced(
  pool: Pool,
  scope: Scope,
  wanted: readonly (Wanted & { readonly rate: number })[],
  claims: Claims,
): Promise<ClaimedRow[]> {
  const { organization, environment } = scope;
  const names = wanted.map(({ webhook }) => webhook);
  const client = await pool.connect();
  try {
    // Rows are made before the transaction and taken in order, as outcomes take them, so that two never wait for each other.
    await client.query(
      "insert into webhook_health (organization, environment, webhook_id) select $1, $2, * from unnest($3::text[]) order by 3 on conflict do nothing",
      [organization, environment, names],
    );
    await client.query("begin");
    const { rows } = await client.query<{ webhook_id: string; paced_until: Date | null }>(
      "select webhook_id, paced_until from webhook_health where organization = $1 and environment = $2 and webhook_id = any($3) order by webhook_id for update",
      [organization, environment, names],
    );
    const from = new Map(
      rows.map((row) => [row.webhook_id, Math.max(row.paced_until?.getTime() ?? 0, claims.now - burstMs)]),
    );
    const allowed = wanted.flatMap(({ webhook, most, rate }) => {
      const room = Math.min(most, Math.floor(((claims.now - (from.get(webhook) ?? claims.now)) * rate) / 1000));
      return room > 0 ? [{ webhook, most: room, rate }] : [];
    });
    const claimed =
      allowed.length === 0
        ? []
        : await claimDue(
            client,
            scope,
            allowed,
            allowed.reduce((sum, { most }) => sum + most, 0),
            claims,
          );
    const used = Map.groupBy(claimed, ({ webhook }) => webhook);
    const moved = allowed.filter(({ webhook }) => used.has(webhook));
    await client.query(
      `update webhook_health h set paced_until = n.until from unnest($3::text[], $4::timestamptz[]) as n(webhook_id, until)
       where h.organization = $1 and h.environment = $2 and h.webhook_id = n.webhook_id`,
      [
        organization,
        environment,
        moved.map(({ webhook }) => webhook),
        moved.map(
          ({ webhook, rate }) =>
            new Date((from.get(webhook) as number) + ((used.get(webhook) ?? []).length * 1000) / rate),
        ),
      ],
    );
    await client.query("commit");
    client.release();
    return claimed;
  } catch (error) {
    await client.query("rollback").catch(() => undefined);
    client.release(true);
    throw error;
  }
}
