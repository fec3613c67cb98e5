import { Type } from "typebox";
import { refuse } from "../../../../kernel/errors.ts";
import { sequenceOf, tellEvents } from "../../../../kernel/event-stream.ts";
import { defineList } from "../../../../kernel/listing.ts";
import { limitedTo } from "../../../../kernel/narrowing.ts";
import { governs } from "../../../../kernel/operation.ts";
import { invalidParameter } from "../../../../kernel/problems.ts";
import { commaList } from "../../../../kernel/schema-words.ts";
import { exampleEvent } from "../../example.ts";
import { AuditEvent, Decision } from "../../schemas.ts";
import { listBehind, newestLeaf } from "../store.ts";
import { followLog } from "../tail.ts";
import { eventView, withSaltFaults } from "../view.ts";

const largest = Number.MAX_SAFE_INTEGER;

export const streamLog = defineList({
  id: "audit.streamLog",
  path: "/v1/audit/stream",
  summary: "Follow the audit log",
  description:
    "With `Accept: text/event-stream`: records of the environment's log in its order as they come, from now on or behind the place `after`; for a SIEM. `id` is the place, so that a " +
    "client that reconnects with `Last-Event-ID` misses and repeats none. `event` is `record`, `data` the record as `GET /v1/audit/events` lists it. Sends `: ping` after 15 s of silence; " +
    "ends after an hour, or when the key may no longer read. Without that header it returns pages of the log, oldest first.",
  filters: {
    actor: Type.Optional(Type.String({ description: "Who called: `mbr_…`, `system:<job>` or `anonymous`." })),
    action: Type.Optional(Type.String({ description: "The operation, such as `agents.dispatchTask`." })),
    object: Type.Optional(Type.String({ description: "What was acted on, `<type>:<id>`, such as `agent:sales`." })),
    decision: commaList(Decision, "What the calls came to"),
    after: Type.Optional(
      Type.Integer({
        minimum: -1,
        maximum: largest,
        description: "Records behind this place; -1 begins with the first.",
      }),
    ),
  },
  item: AuditEvent,
  example: { item: exampleEvent },
  permission: "audit:read",
  narrowing: limitedTo("tells records that concern the key's agents alone, and those of its own calls"),
  compliance: governs("audit.read"),
  audit: "audit",
  sort: "leaf_index",
  async read(ctx, { after = -1, ...filter }, page) {
    const from = Number(page.after?.keys[0] ?? after);
    return withSaltFaults(ctx, ctx.scope, await listBehind(ctx, filter, from, page.take));
  },
  position: (row) => ({ keys: [row.leaf_index], id: row.id }),
  view: eventView,
  streams: {
    "text/event-stream": async (ctx, { query: { cursor, after, limit: _limit, ...filter } }) => {
      if (cursor !== undefined) throw ofPages("cursor");
      const from = ctx.lastEventId === null ? (after ?? (await newestLeaf(ctx))) : sequenceOf(ctx.lastEventId, largest);
      return tellEvents(ctx, (signal) => followLog(ctx, filter, from, signal), {
        id: ({ leaf_index }) => leaf_index,
        name: () => "record",
        data: eventView,
        ...(from >= 0 && { from }),
      });
    },
  },
});

function ofPages(parameter: string): Error {
  const detail = "belongs to pages; a stream begins at `after` or Last-Event-ID";
  return refuse(invalidParameter, `${parameter}: ${detail}`, {
    errors: [{ parameter, code: "not_of_streams", detail }],
  });
}
