import { Type } from "typebox";
import { refuse } from "../../../../kernel/errors.ts";
import { defineList } from "../../../../kernel/listing.ts";
import { governs } from "../../../../kernel/operation.ts";
import { invalidParameter } from "../../../../kernel/problems.ts";
import { exampleEvent, exampleTask } from "../../example.ts";
import { TaskId, TimelineEvent } from "../../schemas.ts";
import { aboutTask, taskRead } from "../../tasks/stages.ts";
import { findTask, type TaskRow } from "../../tasks/store.ts";
import { listTaskEvents as readPage } from "../store.ts";
import { sequenceOf, streamEvents } from "../stream.ts";

const filters = {
  after: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 2_147_483_647,
      description: "Those whose sequence is above this. Of a stream: where it begins, unless `Last-Event-ID` says so.",
    }),
  ),
};

export const listTaskEvents = defineList({
  id: "tasks.listTaskEvents",
  path: "/v1/tasks/{task}/events",
  listed: true,
  summary: "Read or follow what happened to a task",
  description:
    "Oldest first. With `Accept: text/event-stream` the events come as they happen: `id` is the event's sequence, so that a client that comes back with " +
    "`Last-Event-ID` loses and doubles none, whichever process answers it. The stream begins with all that happened before, says `: ping` when nothing " +
    "else was said for 15 s, and when the task has ended and every event was sent, it says `event: end` and ends: a client need not come back. " +
    "It also ends within seconds when the key may no longer read the task, and after an hour. A client that leaves stops nothing.",
  params: Type.Object({ task: TaskId }),
  filters,
  item: TimelineEvent,
  example: { params: { task: exampleTask.task_id }, item: exampleEvent },
  permission: "tasks:read",
  load: (ctx, { task }) => findTask(ctx, task),
  compliance: governs("task.read", (ctx, { loaded }: { loaded: TaskRow }) => taskRead(ctx, loaded)),
  audit: aboutTask,
  sort: "sequence",
  read: (ctx, filter, { after, take }, { id }) => readPage(ctx, id, Number(after?.keys[0] ?? filter.after ?? 0), take),
  position: ({ sequence, event_id }) => ({ keys: [sequence], id: event_id }),
  view: (event) => ({ ...event, data: { ...event.data } }),
  streams: {
    "text/event-stream": (ctx, { loaded, query }) => {
      if (query.cursor !== undefined)
        throw refuse(invalidParameter, "cursor: belongs to pages; a stream begins at after or Last-Event-ID", noCursor);
      return streamEvents(ctx, loaded.id, ctx.lastEventId === null ? (query.after ?? 0) : sequenceOf(ctx.lastEventId));
    },
  },
});

const noCursor = {
  errors: [{ parameter: "cursor", code: "not_of_streams", detail: "belongs to pages; give after or Last-Event-ID" }],
};
