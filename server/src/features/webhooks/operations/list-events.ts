import { Type } from "typebox";
import type { ReadContext } from "../../../kernel/context.ts";
import { listPage, listQuery, pageSchema } from "../../../kernel/listing.ts";
import { limitedTo } from "../../../kernel/narrowing.ts";
import { defineRead, exempt, governs } from "../../../kernel/operation.ts";
import { listLog } from "../event-log-store.ts";
import { exampleEvent } from "../example.ts";
import { type LogQuery, logFilters } from "../log-query.ts";
import { knownEvents, namesOf } from "../model.ts";
import { Event } from "../schemas.ts";
import { eventView } from "../view.ts";

const Filters = {
  ...logFilters,
  task: Type.Optional(Type.String({ description: "Events of this task, `tsk_…`." })),
  created_after: Type.Optional(Type.String({ format: "date-time", description: "Made at this time or later." })),
  created_before: Type.Optional(Type.String({ format: "date-time", description: "Made before this time." })),
  sort: Type.Optional(
    Type.Enum(["-sequence", "sequence"] as const, {
      description: "`-sequence`: newest first, which is the default. `sequence`: oldest first.",
    }),
  ),
};

export const listEvents = defineRead({
  id: "webhooks.listEvents",
  path: "/v1/webhooks/events",
  summary: "Read the event log",
  description:
    "Pull instead of push: what happened in the environment, whether any endpoint received it or not. With `sort=sequence` and `after` set to the last sequence that you have, each call answers what came since, without gap or repetition. " +
    "A key that is narrowed to agents sees their events only; `key.*` and `audit.*` take `admin:read` and `audit:read`.",
  query: listQuery(Filters),
  output: pageSchema(Event),
  example: { output: { data: [exampleEvent], has_more: false, next_cursor: null } },
  permission: "webhooks:read",
  load: exempt("names no object; the log is that of the environment"),
  narrowing: limitedTo("lists events of the key's agents"),
  compliance: governs("event.read"),
  audit: "events",
  handle: (ctx, { query }) => logPage(ctx, query, query.sort ?? "-sequence"),
});

/** A page of the log. */
export function logPage(ctx: ReadContext, query: LogQuery, sort: "sequence" | "-sequence") {
  const { limit: _limit, cursor: _cursor, sort: _sort, event, agent, ...rest } = query;
  const filter = { ...rest, ...(event && { types: namesOf(knownEvents(event)) }), ...(agent && { agents: agent }) };
  return listPage(ctx, query, filter, {
    sort,
    read: ({ after, take }) =>
      listLog(ctx, filter, sort === "sequence" ? "asc" : "desc", { after: after && Number(after.keys[0]), take }),
    positionOf: ({ sequence, event_id }) => ({ keys: [sequence], id: event_id }),
    item: eventView,
  });
}
