import { Type } from "typebox";
import { defineRead, governs } from "../../../../kernel/operation.ts";
import { agentsOf } from "../../endpoints/load.ts";
import { permitEvent } from "../../endpoints/rules.ts";
import { exampleEvent } from "../../example.ts";
import { Event, EventId } from "../../schemas.ts";
import { eventView } from "../../view.ts";
import { findReadableEvent } from "../store.ts";

/** The path has a last word: without it a linter takes it for `/v1/webhooks/{webhook}/deliveries`. */
export const readEvent = defineRead({
  id: "webhooks.readEvent",
  path: "/v1/webhooks/events/{event}/content",
  summary: "Read an event",
  description:
    "One event of the log, such as that of a delivery's `webhook-id`. It is readable once it has its sequence, moments after it happened. An event of a base or document that the caller may not read is not found.",
  params: Type.Object({ event: EventId }),
  output: Event,
  example: { params: { event: exampleEvent.event_id }, output: exampleEvent },
  permission: "webhooks:read",
  async load(ctx, { event }) {
    const found = await findReadableEvent(ctx, event);
    if (!found) return undefined;
    permitEvent(ctx, found.type);
    return { ...found, agents: agentsOf(found) };
  },
  compliance: governs("event.read"),
  audit: ({ params, loaded }) => ({ object: `event:${params.event}`, task: loaded?.task_id ?? null }),
  handle: (_ctx, { loaded }) => eventView(loaded),
});
