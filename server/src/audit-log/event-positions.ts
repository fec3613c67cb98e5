import { encodeArray } from "./binary-array.ts";
import type { CommitPosition } from "./log-state.ts";
import type { LogScope } from "./scope.ts";
import type { Queryable } from "./tile-store.ts";

/** An event as calls append it. */
export interface EventRow {
  readonly id: string;
  readonly xid: string;
  readonly n: number;
  readonly type: string;
  readonly task_id: string | null;
  readonly audit_id: string | null;
}

/** The next events below a transaction id, in commit order. */
export async function readEvents(
  db: Queryable,
  { scope, events }: { readonly scope: LogScope; readonly events: CommitPosition },
  below: string,
  most: number,
): Promise<EventRow[]> {
  const { rows } = await db.query<EventRow>({
    name: "audit_events_next",
    text: `select id, xid::text as xid, n, type, task_id, audit_id from events
      where organization = $1 and environment = $2 and (events.xid, n) > ($3::xid8, $4::int) and events.xid < $5::xid8
      order by events.xid, n fetch first (${most}) rows with ties`,
    values: [scope.organization, scope.environment, events.xid, events.n, below],
  });
  return rows;
}

/** Numbers events from `last` on. */
export async function writePositions(
  db: Queryable,
  scope: LogScope,
  last: number,
  events: readonly EventRow[],
): Promise<void> {
  if (events.length === 0) return;
  await db.query({
    name: "event_positions_write",
    text: `insert into event_positions (organization, environment, event_id, sequence, type, task_id, audit_id)
      select $1, $2, event_id, sequence, type, task_id, audit_id
      from (select unnest($3::bigint[]) as sequence, unnest($4::text[]) as event_id, unnest($5::text[]) as type,
        unnest($6::text[]) as task_id, unnest($7::text[]) as audit_id) event`,
    values: [
      scope.organization,
      scope.environment,
      encodeArray(
        "bigint",
        events.map((_, i) => last + 1 + i),
      ),
      ...(["id", "type", "task_id", "audit_id"] as const).map((name) =>
        encodeArray(
          "text",
          events.map((event) => event[name]),
        ),
      ),
    ],
  });
}

/**
 * Numbers the next events of a log that is not signed: webhooks and streams go on, although their records have no place in the log yet. Whatever became of the
 * head, no event is numbered twice. Returns the last number; null where none waited.
 */
export async function numberEvents(
  db: Queryable,
  scope: LogScope,
  horizon: string,
  most: number,
  now: Date,
): Promise<number | null> {
  const at = [scope.organization, scope.environment];
  await db.query("begin");
  try {
    await db.query({ name: "audit_head_placeholder", text: placeholder, values: [...at, now] });
    const { rows } = await db.query<EventRow & { sequence: string }>({
      name: "audit_events_unplaced",
      text: `select e.id, e.xid::text as xid, e.n, e.type, e.task_id, e.audit_id, l.sequence from events e,
          (select event_xid, event_n, greatest(event_sequence, (select max(sequence) from event_positions where organization = $1 and environment = $2)) as sequence
            from audit_logs where organization = $1 and environment = $2 for update) l
        where e.organization = $1 and e.environment = $2 and (e.xid, e.n) > (l.event_xid, l.event_n) and e.xid < $3::xid8
          and not exists (select from event_positions p where p.organization = $1 and p.environment = $2 and p.event_id = e.id)
        order by e.xid, e.n limit ${most}`,
      values: [...at, horizon],
    });
    const last = rows.at(-1);
    if (last) {
      await writePositions(db, scope, Number(last.sequence), rows);
      await db.query({
        name: "audit_head_events",
        text: "update audit_logs set event_sequence = $3, event_xid = $4, event_n = $5 where organization = $1 and environment = $2",
        values: [...at, Number(last.sequence) + rows.length, last.xid, last.n],
      });
    }
    await db.query("commit");
    return last ? Number(last.sequence) + rows.length : null;
  } catch (error) {
    await db.query("rollback").catch(() => undefined);
    throw error;
  }
}

/** Where a head is missing, a row that only counts events. Its empty checkpoint says that it is no head. */
const placeholder = `insert into audit_logs (organization, environment, origin, tree_size, root, checkpoint, last_xid, last_n, event_sequence, event_xid, event_n, updated_at)
  values ($1, $2, '', 0, '', '', '0', -1, 0, '0', -1, $3) on conflict do nothing`;
