import { auditLogRows, eventPositionRows, eventRows } from "../../../audit-log/shared-rows.ts";
import { readersOfEvent } from "../../../db/stored-events.ts";
import { storedActor } from "../../../kernel/actor.ts";
import type { WriteContext } from "../../../kernel/context.ts";
import type { QueryContext } from "../../../kernel/db.ts";
import { withheldFrom } from "../../../kernel/event-filter.ts";
import { lowestId, timeOfId } from "../../../kernel/ids.ts";
import type { Statements } from "../../../kernel/machines.ts";
import type { Role, Scope } from "../../../kernel/principal.ts";
import { maySee, type Readers, type ReaderTokens, readerTokens } from "../../../kernel/readers.ts";
import { storedJson } from "../../../kernel/stored-json.ts";
import { taskRows } from "../../tasks/shared-rows.ts";
import { hookReceived, runSignalled } from "../hooks/events.ts";
import { roleOf } from "./actor.ts";
import type { LoggedEvent, SeenEvent } from "./matching.ts";

// The last event of an environment that triggers and waits have seen.

export const eventsAtOnce = 500;

/** The position of an environment, locked. An environment without one begins at its newest event. */
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

export async function ensureHead({ scope, db }: WriteContext): Promise<void> {
  await db.query(
    `insert into workflow_event_heads (organization, environment, sequence)
     select $1, $2, coalesce((select event_sequence from ${auditLogRows} audit_logs where organization = $1 and environment = $2), 0) on conflict do nothing`,
    [scope.organization, scope.environment],
  );
}

export async function moveHead({ scope, db }: QueryContext, from: number, to: number): Promise<void> {
  await db.query(
    "update workflow_event_heads set sequence = $4 where organization = $1 and environment = $2 and sequence = $3",
    [scope.organization, scope.environment, from, to],
  );
}

/** An environment with new events, or waits that have just begun. */
export interface Environs {
  readonly scope: Scope;
  /** Null: none yet. */
  readonly head: number | null;
  readonly newest: number;
  readonly waits: boolean;
}

/** Environments whose triggers or waits may have new events. */
export async function listEnvirons(db: Statements): Promise<Environs[]> {
  const rows = await db.query<Scope & { head: number | null; newest: number; waits: boolean }>(
    `select l.organization, l.environment, h.sequence as head, l.event_sequence as newest, b.waits
     from ${auditLogRows} l
     left join workflow_event_heads h on h.organization = l.organization and h.environment = l.environment
     cross join lateral (select exists (select from workflow_waits w
       where w.organization = l.organization and w.environment = l.environment and w.behind) as waits) b
     where l.environment in ('development', 'staging', 'production') and (h.sequence is null or h.sequence < l.event_sequence or b.waits)
       and (h.sequence is not null or b.waits or exists (select from workflow_triggers t
         where t.organization = l.organization and t.environment = l.environment and t.kind <> 'schedule'))`,
  );
  return rows.map(({ organization, environment, head, newest, waits }) => ({
    scope: { organization, environment },
    head,
    newest,
    waits,
  }));
}

/** The last of the next events, and whether a trigger or a wait listens to one of them. */
export async function lookAhead(
  { scope, db }: QueryContext,
  after: number,
): Promise<{ readonly upTo: number; readonly heard: boolean }> {
  const rows = await db.query<{ up_to: number | null; heard: boolean | null }>(
    `select max(p.sequence) as up_to, bool_or(p.type = any($5::text[])
       or exists (select from workflow_triggers t where t.organization = $1 and t.environment = $2 and t.event_type = p.type)
       or exists (select from workflow_waits w where w.organization = $1 and w.environment = $2 and w.event_type = p.type)) as heard
     from (select sequence, type from ${eventPositionRows} event_positions where organization = $1 and environment = $2 and sequence > $3 order by sequence limit $4) p`,
    [scope.organization, scope.environment, after, eventsAtOnce, published],
  );
  const { up_to, heard } = rows[0] ?? { up_to: null, heard: null };
  return { upTo: Number(up_to ?? after), heard: heard === true };
}

/** Events that publish others. */
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
  /** Null: all types. */
  readonly types: readonly string[] | null;
  /** Milliseconds since the epoch. */
  readonly since?: number;
}

const loggedJson = storedJson<{ body: Record<string, unknown> }>();

/** The next events of a span, the oldest first, at most {@link eventsAtOnce}. */
export async function readEvents(
  { scope, db }: QueryContext,
  { after, upTo, types, since }: Span,
): Promise<LoggedEvent[]> {
  const rows = await db.query<Row>(
    `select p.sequence, p.event_id, p.type, e.body, r.workflow as source, ${readersOfEvent()} as readers
     from ${eventPositionRows} p
     join ${eventRows} e on e.organization = p.organization and e.environment = p.environment and e.id = p.event_id
     left join ${taskRows} t on t.organization = p.organization and t.environment = p.environment and t.id = p.task_id
     left join workflow_runs r on r.organization = t.organization and r.environment = t.environment and r.id = t.run_id
     where p.organization = $1 and p.environment = $2 and p.sequence > $3 and p.sequence <= $4 and ($5::text[] is null or p.type = any($5))
       and ($6::text is null or p.event_id >= $6)
     order by p.sequence limit $7`,
    [
      scope.organization,
      scope.environment,
      after,
      upTo,
      types,
      since === undefined ? null : lowestId("evt", since),
      eventsAtOnce,
    ],
  );
  return rows.map(({ sequence, event_id, type, body, source, readers }) => {
    const members = loggedJson({ body }, "body");
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
export async function sequenceBefore({ scope, db }: QueryContext, since: number): Promise<number | null> {
  const rows = await db.query<{ sequence: number }>(
    `select sequence from ${eventPositionRows} event_positions where organization = $1 and environment = $2 and event_id >= $3 order by event_id limit 1`,
    [scope.organization, scope.environment, lowestId("evt", since)],
  );
  // Overlapping calls may commit in another order than they began in.
  return rows[0] ? Math.max(0, rows[0].sequence - 1_000) : null;
}

/** A trigger, or a wait of a run. */
interface Acting {
  readonly principal: string;
  readonly actor: unknown;
}

interface Reading {
  readonly withheld: readonly string[];
  readonly tokens: ReaderTokens;
}

/** Whether the actor of a trigger or wait may read an event: with its owner's present role, and with what its credential allowed. */
export async function eventReaders<A extends Acting>(
  ctx: QueryContext,
  acting: readonly A[],
): Promise<(one: A, event: Pick<SeenEvent, "types" | "readers">) => boolean> {
  const roles = new Map<string, Role | null>();
  for (const { principal: id } of acting) if (!roles.has(id)) roles.set(id, (await roleOf(ctx, id)) ?? null);
  const readings = new Map(acting.map((one) => [one, readingsOf(one, roles.get(one.principal) ?? null)]));
  return (one, { types, readers }) =>
    (readings.get(one) ?? []).every(
      ({ withheld, tokens }) =>
        !withheld.some((start) => [...types].some((type) => type.startsWith(start))) &&
        maySee([tokens], ...(readers ?? [])),
    );
}

function readingsOf({ principal: id, actor }: Acting, now: Role | null): Reading[] {
  const { role, scopes } = storedActor(actor).bounds;
  return [reading(id, now, null), reading(id, role ?? now, scopes)];
}

function reading(id: string, role: Role | null, scopes: readonly string[] | null): Reading {
  const owner = { kind: "member", id, role, scopes } as const;
  return { withheld: withheldFrom(owner), tokens: role === null ? [] : readerTokens(owner) };
}
