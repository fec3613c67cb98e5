import { readersOfEvent } from "../../db/stored-events.ts";
import type { WriteContext } from "../../kernel/context.ts";
import { lowestId, timeOfId } from "../../kernel/ids.ts";
import type { Statements } from "../../kernel/machines.ts";
import type { Scope } from "../../kernel/principal.ts";
import type { Readers } from "../../kernel/readers.ts";
import { hookReceived, runSignalled } from "./hook-events.ts";
import type { LoggedEvent } from "./match.ts";
import type { Looking } from "./plans.ts";

// Up to which event of an environment triggers and waits have been looked at.

/** Events that one look reads. */
export const eventsAtOnce = 500;

/** Where the head of an environment stands, locked until the transaction ends. An environment without one begins at its newest event. */
export async function lockHead(ctx: WriteContext): Promise<number> {
  await ensureHead(ctx);
  const { scope, db } = ctx;
  const at = [scope.organization, scope.environment];
  const rows = await db.query<{ sequence: number }>(
    "select sequence from workflow_event_heads where organization = $1 and environment = $2 for update",
    at,
  );
  return Number(rows[0]?.sequence ?? 0);
}

/** From now on the environment's events are looked at. */
export async function ensureHead({ scope, db }: WriteContext): Promise<void> {
  await db.query(
    `insert into workflow_event_heads (organization, environment, sequence)
     select $1, $2, coalesce((select event_sequence from audit_logs where organization = $1 and environment = $2), 0) on conflict do nothing`,
    [scope.organization, scope.environment],
  );
}

export async function moveHead({ scope, db }: Looking, from: number, to: number): Promise<void> {
  await db.query(
    "update workflow_event_heads set sequence = $4 where organization = $1 and environment = $2 and sequence = $3",
    [scope.organization, scope.environment, from, to],
  );
}

/** An environment in which there is something to look at: new events, or waits that have just begun. */
export interface Environs {
  readonly scope: Scope;
  /** Null: there is none yet. */
  readonly head: number | null;
  readonly newest: number;
  readonly waits: boolean;
}

/** Environments whose triggers or waits may have something to hear. */
export async function listEnvirons(db: Statements): Promise<Environs[]> {
  const rows = await db.query<Scope & { head: number | null; newest: number; waits: boolean }>(
    `select l.organization, l.environment, h.sequence as head, l.event_sequence as newest, b.waits
     from audit_logs l
     left join workflow_event_heads h on h.organization = l.organization and h.environment = l.environment
     cross join lateral (select exists (select from workflow_waits w
       where w.organization = l.organization and w.environment = l.environment and w.behind) as waits) b
     where l.environment in ('development', 'staging', 'production') and (h.sequence is null or h.sequence < l.event_sequence or b.waits)
       and (h.sequence is not null or b.waits or exists (select from workflow_triggers t
         where t.organization = l.organization and t.environment = l.environment and t.kind <> 'schedule'))`,
  );
  return rows.map(({ organization, environment, head, newest, waits }) => ({
    ...{ scope: { organization, environment }, head, newest, waits },
  }));
}

/** The last of the next events, and whether a trigger or a wait may hear one of them. */
export async function lookAhead(
  { scope, db }: Looking,
  after: number,
): Promise<{ readonly upTo: number; readonly heard: boolean }> {
  const rows = await db.query<{ up_to: number | null; heard: boolean | null }>(
    `select max(p.sequence) as up_to, bool_or(p.type = any($5::text[])
       or exists (select from workflow_triggers t where t.organization = $1 and t.environment = $2 and t.event_type = p.type)
       or exists (select from workflow_waits w where w.organization = $1 and w.environment = $2 and w.event_type = p.type)) as heard
     from (select sequence, type from event_positions where organization = $1 and environment = $2 and sequence > $3 order by sequence limit $4) p`,
    [scope.organization, scope.environment, after, eventsAtOnce, published],
  );
  const { up_to, heard } = rows[0] ?? { up_to: null, heard: null };
  return { upTo: Number(up_to ?? after), heard: heard === true };
}

/** Events with which others are published. */
const published = [hookReceived.type, runSignalled.type];

interface Row {
  readonly sequence: number;
  readonly event_id: string;
  readonly type: string;
  readonly body: string;
  readonly source: string | null;
  readonly readers: readonly Readers[] | null;
}

export interface Span {
  readonly after: number;
  readonly upTo: number;
  /** Null: of all types. */
  readonly types: readonly string[] | null;
  /** Milliseconds since the epoch: only events since then. */
  readonly since?: number;
}

/** The next events of a span, the oldest first, at most {@link eventsAtOnce}. */
export async function readEvents({ scope, db }: Looking, { after, upTo, types, since }: Span): Promise<LoggedEvent[]> {
  const rows = await db.query<Row>(
    `select p.sequence, p.event_id, p.type, e.body, r.workflow as source, ${readersOfEvent()} as readers
     from event_positions p
     join events e on e.organization = p.organization and e.environment = p.environment and e.id = p.event_id
     left join tasks t on t.organization = p.organization and t.environment = p.environment and t.id = p.task_id
     left join workflow_runs r on r.organization = t.organization and r.environment = t.environment and r.id = t.run_id
     where p.organization = $1 and p.environment = $2 and p.sequence > $3 and p.sequence <= $4 and ($5::text[] is null or p.type = any($5))
       and ($6::text is null or p.event_id >= $6)
     order by p.sequence limit $7`,
    [
      ...[scope.organization, scope.environment, after, upTo, types],
      since === undefined ? null : lowestId("evt", since),
      eventsAtOnce,
    ],
  );
  return rows.map(({ sequence, event_id, type, body, source, readers }) => {
    const members = JSON.parse(body) as Record<string, unknown>;
    const own = type.startsWith("workflow.run.") && typeof members.workflow === "string" ? members.workflow : null;
    return {
      sequence: Number(sequence),
      type,
      time: timeOfId(event_id) as number,
      body: members,
      source: source ?? own,
      readers,
    };
  });
}

/** A sequence below that of every event since a moment; null: there is none. */
export async function sequenceBefore({ scope, db }: Looking, since: number): Promise<number | null> {
  const rows = await db.query<{ sequence: number }>(
    `select sequence from event_positions where organization = $1 and environment = $2 and event_id >= $3 order by event_id limit 1`,
    [scope.organization, scope.environment, lowestId("evt", since)],
  );
  // Calls that overlap commit in another order than they began in.
  return rows[0] ? Math.max(0, rows[0].sequence - 1_000) : null;
}
