import { Type } from "typebox";
import { defineList } from "../../../../kernel/listing.ts";
import { limitedTo } from "../../../../kernel/narrowing.ts";
import { governs } from "../../../../kernel/operation.ts";
import { createdRange } from "../../../../kernel/schema-words.ts";
import { exampleEvent } from "../../example.ts";
import { Event } from "../../schemas.ts";
import { eventView } from "../../view.ts";
import { logFilters, logPosition, readLog } from "../store.ts";

const filters = {
  ...logFilters,
  task: Type.Optional(Type.String({ description: "Events of this task, `tsk_…`." })),
  ...createdRange,
  sort: Type.Optional(
    Type.Enum(["-sequence", "sequence"] as const, {
      description: "`-sequence`: newest first, which is the default. `sequence`: oldest first.",
    }),
  ),
};

export const listEvents = defineList({
  id: "webhooks.listEvents",
  path: "/v1/webhooks/events",
  summary: "Read the event log",
  description:
    "All events of the environment, whether an endpoint received them or not. With `sort=sequence` and `after` set to the last sequence that you have, each call returns what came since, without gaps or duplicates. " +
    "A key that is narrowed to agents sees only their events. `permission` in `GET /v1/webhooks/event-types` says what an event requires besides; events of a base or document with readers are shown to those.",
  filters,
  item: Event,
  example: { item: exampleEvent },
  permission: "webhooks:read",
  narrowing: limitedTo("lists events of the key's agents"),
  compliance: governs("event.read"),
  audit: "events",
  sort: "sequence",
  read: (ctx, { sort = "-sequence", ...filter }, page) => readLog(ctx, filter, page, sort),
  position: logPosition,
  view: eventView,
});
