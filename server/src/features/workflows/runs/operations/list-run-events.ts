import { Type } from "typebox";
import { refuse } from "../../../../kernel/errors.ts";
import { sequenceOf, tellEvents } from "../../../../kernel/event-stream.ts";
import { defineList } from "../../../../kernel/listing.ts";
import { governs } from "../../../../kernel/operation.ts";
import { invalidParameter } from "../../../../kernel/problems.ts";
import { runEventsPort } from "../../ports.ts";
import { WorkflowRunEvent } from "../../schemas.ts";
import { readRunNews } from "../event-store.ts";
import { exampleRun, exampleRunEvent } from "../example.ts";
import { aboutRun, loadRun, RunParams } from "../stages.ts";

const largest = Number.MAX_SAFE_INTEGER;

const filters = {
  after: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: largest,
      description: "Those whose sequence is above this. Of a stream: where it begins, unless `Last-Event-ID` says so.",
    }),
  ),
};

/** A run's timeline, in pages or as a stream. */
export const listRunEvents = defineList({
  id: "workflows.listRunEvents",
  path: "/v1/workflows/{workflow}/runs/{run}/events",
  summary: "Read or follow what happens in a run",
  description:
    "Each change of a step and of the run, in the order in which they happened; a step that changed twice is sent once, in its present state. With `Accept: text/event-stream` they come as " +
    "they happen: `id` is the sequence, so that a client that comes back with `Last-Event-ID` loses none, whichever process answers it. The stream begins with what " +
    "happened before, says `: ping` when nothing else was said for 15 s, and when the run is over and every event was sent, it says `event: end` and ends. It also ends within seconds " +
    "when the key may no longer read the run, and after an hour.",
  params: RunParams,
  filters,
  item: WorkflowRunEvent,
  example: { params: { workflow: exampleRun.workflow, run: exampleRun.run_id }, item: exampleRunEvent },
  permission: "workflows:read",
  load: loadRun,
  compliance: governs("workflow.read"),
  audit: aboutRun,
  sort: "sequence",
  read: async (ctx, filter, { after, take }, { run }) => {
    const from = Number(after?.keys[0] ?? filter.after ?? 0);
    return [...((await readRunNews(ctx, run.id, { after: from, take }))?.events ?? [])];
  },
  position: ({ sequence }) => ({ keys: [sequence], id: String(sequence) }),
  view: (event) => event,
  streams: {
    "text/event-stream": (ctx, { loaded: { run }, query }) => {
      if (query.cursor !== undefined) throw ofPages();
      const from = ctx.lastEventId === null ? (query.after ?? 0) : sequenceOf(ctx.lastEventId, largest);
      return tellEvents(ctx, (signal) => ctx.port(runEventsPort).follow(ctx.scope, run.id, from, signal), {
        id: ({ sequence }) => sequence,
        name: ({ type }) => type,
        data: ({ data }) => data,
      });
    },
  },
});

function ofPages(): Error {
  const detail = "belongs to pages; a stream begins at `after` or Last-Event-ID";
  return refuse(invalidParameter, `cursor: ${detail}`, {
    errors: [{ parameter: "cursor", code: "not_of_streams", detail }],
  });
}
