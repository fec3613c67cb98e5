import { Type } from "typebox";
import { auditLogRows, eventPositionRows } from "../../../audit-log/shared-rows.ts";
import {
  admits,
  readersOfEvent,
  type StoredEvent,
  storedEventColumns,
  storedEventJoins,
} from "../../../db/stored-events.ts";
import type { ReadContext, WriteContext } from "../../../kernel/context.ts";
import { withheldFrom } from "../../../kernel/event-filter.ts";
import { isId } from "../../../kernel/ids.ts";
import type { PageRequest } from "../../../kernel/listing.ts";
import type { Statements } from "../../../kernel/machines.ts";
import { type CreatedRange, createdWithin } from "../../../kernel/moment.ts";
import type { Position } from "../../../kernel/page.ts";
import type { Scope } from "../../../kernel/principal.ts";
import { maySee, readerTokens } from "../../../kernel/readers.ts";
import { commaList } from "../../../kernel/schema-words.ts";
import { AgentName } from "../../agents/schemas.ts";
import { knownEvents, namesOf } from "../endpoints/rules.ts";

/** Filters of the event log and its stream. */
export const logFilters = {
  event: commaList(Type.String(), "Events, by name or group (`task.*`)"),
  agent: commaList(AgentName, "Agents that they concern"),
  after: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description: "Only events whose sequence is above this.",
    }),
  ),
};

export interface LogQuery extends CreatedRange {
  readonly event?: string[];
  readonly agent?: string[];
  readonly after?: number;
  readonly task?: string;
}

/** `agentOfBody` in SQL: the agent as JSON text. */
const agentOfBody = `coalesce((e.body::json -> 'agent')::text, regexp_replace((e.body::json -> 'scope')::text, '^"agent:', '"'))`;

/** SQL: whether an event `e` concerns one of the agents of a parameter, which are `quoted`. */
export const concernsAgents = (p: string): string =>
  `(${agentOfBody} = any(${p}::text[]) or ((e.body::json -> 'kind')::text = '"agent"' and (e.body::json -> 'target')::text = any(${p}::text[])))`;

export const quoted = (names: readonly string[]): string[] => names.map((name) => JSON.stringify(name));

/** The conditions of a list over a table, by its alias; $1 and $2 are the scope. `and` adds one unless its value is undefined. */
export function conditionsOf({ scope, principal }: ReadContext, alias: string) {
  const values: unknown[] = [scope.organization, scope.environment];
  const where = [`${alias}.organization = $1`, `${alias}.environment = $2`];
  const and = (condition: (parameter: string) => string, value: unknown): void => {
    if (value === undefined) return;
    values.push(value);
    where.push(condition(`$${values.length}`));
  };
  const withheld = withheldFrom(principal);
  if (withheld.length > 0) {
    const patterns = withheld.map((start) => `${start}%`);
    and((p) => `not ${alias}.type like any(${p}::text[])`, patterns);
  }
  return { and, values, where };
}

/** SQL: whether the caller may read the object that an event `e` is about. */
export const readableEvent = ({ principal }: ReadContext, values: unknown[]): string =>
  admits(readersOfEvent(), [readerTokens(principal)], (value) => `$${values.push(value)}`);

/** A page of the event log by sequence, without what the caller may not read. */
export async function readLog(
  ctx: ReadContext,
  { event, agent, task, after, ...range }: LogQuery,
  page: PageRequest,
  sort: "sequence" | "-sequence",
): Promise<StoredEvent[]> {
  const [order, behind] = sort === "sequence" ? ["asc", ">"] : ["desc", "<"];
  const { and, values, where } = conditionsOf(ctx, "p");
  and((p) => `p.type = any(${p}::text[])`, event && namesOf(knownEvents(event)));
  and((p) => `p.task_id = ${p}`, task);
  and((p) => `p.sequence > ${p}`, after);
  createdWithin(and, ["evt", "p.event_id"], range);
  and(concernsAgents, agent && quoted(agent));
  and(concernsAgents, ctx.principal.agents ? quoted(ctx.principal.agents) : undefined);
  and((p) => `p.sequence ${behind} ${p}`, page.after && Number(page.after.keys[0]));
  where.push(readableEvent(ctx, values));
  values.push(page.take);
  return ctx.db.query<StoredEvent>(
    `select ${storedEventColumns()} from ${eventPositionRows} p ${storedEventJoins}
     where ${where.join(" and ")} order by p.sequence ${order} limit $${values.length}`,
    values,
  );
}

export const logPosition = ({ sequence, event_id }: StoredEvent): Position => ({ keys: [sequence], id: event_id });

/** An event by id, where the caller may read what it is about; undefined if there is none, or it has no sequence yet. */
export async function findReadableEvent(ctx: ReadContext, id: string): Promise<StoredEvent | undefined> {
  const event = await findEvent(ctx, id);
  return event && maySee([readerTokens(ctx.principal)], ...(event.readers ?? [])) ? event : undefined;
}

/** An event by id, whoever may read it; undefined if there is none, or it has no sequence yet. */
export async function findEvent(ctx: ReadContext, id: string): Promise<StoredEvent | undefined> {
  if (!isId(id, "evt")) return undefined;
  const rows = await ctx.db.query<StoredEvent>(
    `select ${storedEventColumns()} from ${eventPositionRows} p ${storedEventJoins} where p.organization = $1 and p.environment = $2 and p.event_id = $3`,
    [ctx.scope.organization, ctx.scope.environment, id],
  );
  return rows[0];
}

/** The sequence of the newest event of an environment; 0 if there is none. */
export async function newestSequence(ctx: ReadContext | WriteContext): Promise<number> {
  const rows = await ctx.db.query<{ newest: number }>(
    `select event_sequence as newest from ${auditLogRows} audit_logs where organization = $1 and environment = $2`,
    [ctx.scope.organization, ctx.scope.environment],
  );
  return rows[0]?.newest ?? 0;
}

/** How far a follower has read. */
export interface Place {
  readonly scope: Scope;
  readonly after: number;
}

/** The next events after each of these places, by its index, at most so many each, in one statement. */
export async function readNext(
  db: Statements,
  places: readonly Place[],
  most: number,
): Promise<(StoredEvent & { place: number })[]> {
  const scopes = places.map(({ scope }) => scope);
  const [organizations, environments] = [scopes.map((at) => at.organization), scopes.map((at) => at.environment)];
  return db.query<StoredEvent & { place: number }>(
    `select f.place::int - 1 as place, n.* from unnest($1::text[], $2::text[], $3::bigint[]) with ordinality as f(organization, environment, after, place)
     cross join lateral (
       select ${storedEventColumns()} from ${eventPositionRows} p ${storedEventJoins}
       where p.organization = f.organization and p.environment = f.environment and p.sequence > f.after order by p.sequence limit $4) n
     order by f.place, n.sequence`,
    [organizations, environments, places.map(({ after }) => after), most],
  );
}
