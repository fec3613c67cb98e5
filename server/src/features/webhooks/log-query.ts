import { Type } from "typebox";
import type { StoredEvent } from "../../db/stored-events.ts";
import type { ReadContext } from "../../kernel/context.ts";
import type { PageRequest } from "../../kernel/listing.ts";
import type { CreatedRange } from "../../kernel/moment.ts";
import type { Position } from "../../kernel/page.ts";
import { commaList } from "../../kernel/schema-words.ts";
import { AgentName } from "../agents/schemas.ts";
import { listLog } from "./event-log-store.ts";
import { knownEvents, namesOf } from "./model.ts";

/** What the event log and its stream can be narrowed to. */
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

/** What a page of the log is asked for by. */
export interface LogQuery extends CreatedRange {
  readonly event?: string[];
  readonly agent?: string[];
  readonly after?: number;
  readonly task?: string;
}

/** Rows of a page of the log, in either order. */
export function readLog(
  ctx: ReadContext,
  { event, agent, ...rest }: LogQuery,
  { after, take }: PageRequest,
  sort: "sequence" | "-sequence",
): Promise<StoredEvent[]> {
  const filter = { ...rest, ...(event && { types: namesOf(knownEvents(event)) }), ...(agent && { agents: agent }) };
  const order = sort === "sequence" ? "asc" : "desc";
  return listLog(ctx, filter, order, { after: after && Number(after.keys[0]), take });
}

export const logPosition = ({ sequence, event_id }: StoredEvent): Position => ({ keys: [sequence], id: event_id });
