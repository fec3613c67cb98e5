import type { StoredEvent } from "../db/stored-events.ts";
import { filteredEvent, passesFilter } from "../kernel/event-filter.ts";
import type { NewId } from "../kernel/ids.ts";
import type { NewDelivery } from "./fan-out-store.ts";
import type { Lanes } from "./lanes.ts";
import type { Claimed, Endpoint } from "./types.ts";

/** Deliveries that one statement makes; events of one more endpoint each are always taken. */
const mostRows = 2_000;

/** What comes of events: the deliveries to make, and up to which event they go. */
export interface Planned {
  readonly deliveries: readonly NewDelivery[];
  readonly upTo: number;
}

/**
 * Holds events against endpoints, in order, until there is enough for one statement. A delivery's first attempt begins as soon as it is stored where its endpoint and the
 * process have room for it and nothing older waits; the others are claimed like everything that is due.
 */
export function planFanOut(
  events: readonly StoredEvent[],
  endpoints: readonly Endpoint[],
  lanes: Lanes,
  newId: NewId,
): Planned {
  const deliveries: NewDelivery[] = [];
  const begun = new Map<string, number>();
  let room = lanes.room();
  let upTo = 0;
  for (const event of events) {
    if (deliveries.length > 0 && deliveries.length + endpoints.length > mostRows) break;
    const about = filteredEvent(event);
    for (const { id: webhook, filter, startsAfter, rate } of endpoints) {
      if (event.sequence <= startsAfter || !passesFilter(filter, about)) continue;
      const lane = lanes.of(webhook);
      const own = begun.get(webhook) ?? 0;
      const claimed = rate === null && room > 0 && !lane.backlog && lanes.roomOf(lane) > own;
      if (claimed) {
        begun.set(webhook, own + 1);
        room--;
      } else lane.backlog = true;
      deliveries.push({ webhook, id: newId("dlv"), event, claimed });
    }
    upTo = event.sequence;
  }
  return { deliveries, upTo };
}

/** The deliveries of what one endpoint wants of events, none of them begun. */
export function planRecovery(
  events: readonly StoredEvent[],
  { id: webhook, filter }: Endpoint,
  newId: NewId,
): NewDelivery[] {
  return events.flatMap((event) =>
    passesFilter(filter, filteredEvent(event)) ? [{ webhook, id: newId("dlv"), event, claimed: false }] : [],
  );
}

/** A delivery whose first attempt begins as soon as it is stored. */
export function firstAttempt(
  { webhook, id, event }: NewDelivery,
  scope: Claimed["scope"],
  checkpoint: string | null,
): Claimed {
  return {
    scope,
    webhook,
    id,
    number: 1,
    step: 0,
    gone: false,
    eventId: event.event_id,
    type: event.type,
    sequence: event.sequence,
    auditId: event.audit_id,
    taskId: event.task_id,
    body: event.body,
    risk: event.risk,
    readers: event.readers,
    checkpoint,
  };
}
