import type { StreamContext } from "../../../../kernel/context.ts";
import { refuse } from "../../../../kernel/errors.ts";
import { type EventFilter, withheldFrom } from "../../../../kernel/event-filter.ts";
import { sequenceOf, tellEvents } from "../../../../kernel/event-stream.ts";
import { defineList } from "../../../../kernel/listing.ts";
import { limitedTo } from "../../../../kernel/narrowing.ts";
import { governs } from "../../../../kernel/operation.ts";
import { invalidParameter } from "../../../../kernel/problems.ts";
import { readerTokens } from "../../../../kernel/readers.ts";
import { knownEvents } from "../../endpoints/rules.ts";
import { exampleEvent } from "../../example.ts";
import { eventFeedPort } from "../../ports.ts";
import { Event } from "../../schemas.ts";
import { eventView } from "../../view.ts";
import { type LogQuery, logFilters, logPosition, newestSequence, readLog } from "../store.ts";

/** The largest sequence that an event can have (PostgreSQL's `bigint`, as far as JSON carries it). */
const largest = Number.MAX_SAFE_INTEGER;

export const streamEvents = defineList({
  id: "webhooks.streamEvents",
  path: "/v1/webhooks/stream",
  summary: "Follow all events",
  description:
    "With `Accept: text/event-stream`: events as they happen, from now on or above the sequence `after`. `id` is the event's sequence: a client that reconnects with `Last-Event-ID` misses and repeats none. `event` is its name, " +
    "`data` the event as in the log. Sends `: ping` after 15 s of silence; ends after an hour, or when the key may no longer read. " +
    "Without that header it returns pages of the log, oldest first.",
  filters: logFilters,
  item: Event,
  example: { item: exampleEvent },
  permission: "webhooks:read",
  narrowing: limitedTo("tells events of the key's agents"),
  compliance: governs("event.read"),
  audit: "events",
  sort: "sequence",
  read: (ctx, filter, page) => readLog(ctx, filter, page, "sequence"),
  position: logPosition,
  view: eventView,
  streams: {
    "text/event-stream": async (ctx, { query }) => {
      if (query.cursor !== undefined) throw ofPages("cursor");
      return stream(ctx, query);
    },
  },
});

async function stream(ctx: StreamContext, { event, agent, after }: LogQuery): Promise<AsyncIterable<string>> {
  const from = ctx.lastEventId === null ? (after ?? (await newestSequence(ctx))) : sequenceOf(ctx.lastEventId, largest);
  const own = ctx.principal.agents;
  const agents = own === null ? (agent ?? null) : agent ? agent.filter((name) => own.includes(name)) : own;
  const { principal } = ctx;
  const sight = [readerTokens(principal)];
  const filter: EventFilter = { sight, events: knownEvents(event) ?? null, agents, withheld: withheldFrom(principal) };
  return tellEvents(ctx, (signal) => ctx.port(eventFeedPort).follow(ctx.scope, from, filter, signal), {
    id: ({ sequence }) => sequence,
    name: ({ type }) => type,
    data: (told) => told,
    from,
  });
}

function ofPages(parameter: string): Error {
  const detail = "belongs to pages; a stream begins at `after` or Last-Event-ID";
  return refuse(invalidParameter, `${parameter}: ${detail}`, {
    errors: [{ parameter, code: "not_of_streams", detail }],
  });
}
