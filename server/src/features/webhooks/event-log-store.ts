import { type StoredEvent, storedEventColumns, storedEventJoins } from "../../db/stored-events.ts";
import type { ReadContext } from "../../kernel/context.ts";
import { withheldFrom } from "../../kernel/event-filter.ts";
import type { Statements } from "../../kernel/machines.ts";
import { type CreatedRange, createdWithin } from "../../kernel/moment.ts";
import type { Scope } from "../../kernel/principal.ts";
import { likePatterns } from "./delivery-store.ts";
import { concernsAgents, quoted } from "./event-agents.ts";

export interface LogFilter extends CreatedRange {
  /** Names of events. */
  readonly types?: readonly string[];
  readonly agents?: readonly string[];
  readonly task?: string;
  /** Above this sequence. */
  readonly after?: number;
}

/** A page of the event log by sequence; what the caller may not read is left out. */
export async function listLog(
  ctx: ReadContext,
  filter: LogFilter,
  order: "asc" | "desc",
  page: { readonly after: number | undefined; readonly take: number },
): Promise<StoredEvent[]> {
  const values: unknown[] = [ctx.scope.organization, ctx.scope.environment];
  const where = ["p.organization = $1", "p.environment = $2"];
  const and = (condition: (parameter: string) => string, value: unknown): void => {
    if (value === undefined) return;
    values.push(value);
    where.push(condition(`$${values.length}`));
  };
  and((p) => `p.type = any(${p}::text[])`, filter.types);
  and((p) => `not p.type like any(${p}::text[])`, likePatterns(withheldFrom(ctx.principal)));
  and((p) => `p.task_id = ${p}`, filter.task);
  and((p) => `p.sequence > ${p}`, filter.after);
  createdWithin(and, ["evt", "p.event_id"], filter);
  and(concernsAgents, filter.agents && quoted(filter.agents));
  and(concernsAgents, ctx.principal.agents ? quoted(ctx.principal.agents) : undefined);
  and((p) => `p.sequence ${order === "asc" ? ">" : "<"} ${p}`, page.after);
  values.push(page.take);
  return ctx.db.query<StoredEvent>(
    `select ${storedEventColumns} from event_positions p ${storedEventJoins}
     where ${where.join(" and ")} order by p.sequence ${order} limit $${values.length}`,
    values,
  );
}

/** The sequence of the newest event of an environment; 0: none happened. */
export async function newestSequence(ctx: ReadContext): Promise<number> {
  const rows = await ctx.db.query<{ newest: number }>(
    "select event_sequence as newest from audit_logs where organization = $1 and environment = $2",
    [ctx.scope.organization, ctx.scope.environment],
  );
  return rows[0]?.newest ?? 0;
}

/** Where somebody who follows has got to. */
export interface Place {
  readonly scope: Scope;
  readonly after: number;
}

/** The next events of each of these places, by its index, at most so many each: one statement for all. */
export async function readNext(
  db: Statements,
  places: readonly Place[],
  most: number,
): Promise<(StoredEvent & { place: number })[]> {
  return db.query<StoredEvent & { place: number }>(
    `select f.place::int - 1 as place, n.* from unnest($1::text[], $2::text[], $3::bigint[]) with ordinality as f(organization, environment, after, place)
     cross join lateral (
       select ${storedEventColumns} from event_positions p ${storedEventJoins}
       where p.organization = f.organization and p.environment = f.environment and p.sequence > f.after order by p.sequence limit $4) n
     order by f.place, n.sequence`,
    [
      places.map(({ scope }) => scope.organization),
      places.map(({ scope }) => scope.environment),
      places.map(({ after }) => after),
      most,
    ],
  );
}
