import { Type } from "typebox";
import { permissionToRead } from "../../../../kernel/event-filter.ts";
import { eventCatalogue } from "../../../../kernel/events.ts";
import { openToAll } from "../../../../kernel/narrowing.ts";
import { defineRead, exempt, governs } from "../../../../kernel/operation.ts";
import { plainJson } from "../../../../kernel/stored-json.ts";
import { exampleEvent } from "../../example.ts";
import { EventTypeView } from "../../schemas.ts";
import { sampleOf } from "../sample.ts";

/** Samples have a fixed time. */
const sampleTime = "2026-11-20T09:30:00.000Z";

export const listEventTypes = defineRead({
  id: "webhooks.listEventTypes",
  path: "/v1/webhooks/event-types",
  summary: "List the kinds of events",
  description:
    "Every event that can be subscribed to, with the JSON Schema of its flat body and a sample. All of them, in one answer, by name.",
  output: Type.Object({ data: Type.Array(EventTypeView) }),
  example: {
    output: {
      data: [
        {
          event: "task.approval_required",
          summary: "A task waits for approval.",
          permission: null,
          schema: { type: "object", required: ["event", "task_id"] },
          example: exampleEvent.data,
        },
      ],
    },
  },
  permission: "webhooks:read",
  load: exempt("names no object; the catalogue is the same for all"),
  narrowing: openToAll("the catalogue is the same for all"),
  compliance: governs("event.read"),
  audit: "event-types",
  handle: () => ({
    data: eventCatalogue().map((event) => ({
      event: event.type,
      summary: event.summary,
      permission: permissionToRead(event.type),
      schema: plainJson(event.schema),
      example: sampleOf(event, sampleTime),
    })),
  }),
});
