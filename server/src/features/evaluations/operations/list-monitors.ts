import { Type } from "typebox";
import { listPage, listQuery, pageSchema } from "../../../kernel/listing.ts";
import { limitedTo } from "../../../kernel/narrowing.ts";
import { defineRead, exempt, governs } from "../../../kernel/operation.ts";
import { exampleMonitor } from "../reviews/example.ts";
import { listMonitors as readPage } from "../reviews/store.ts";
import { monitorView } from "../reviews/view.ts";
import { Monitor } from "../schemas.ts";

export const listMonitors = defineRead({
  id: "evaluations.listMonitors",
  path: "/v1/evaluations/monitors",
  summary: "List monitors",
  description: "What draws live tasks for review, with how far the queue is worked off and how far reviewers agree.",
  query: listQuery({ agent: Type.Optional(Type.String({ description: "Monitors of this agent." })) }),
  output: pageSchema(Monitor),
  example: { output: { data: [exampleMonitor], has_more: false, next_cursor: null } },
  permission: "evaluations:read",
  load: exempt("names no object; the list holds what the key may see"),
  narrowing: limitedTo("lists monitors of the key's agents"),
  compliance: governs("review.read"),
  audit: "monitors",
  handle(ctx, { query: { agent, ...query } }) {
    return listPage(
      ctx,
      query,
      { agent },
      {
        sort: "-created_at",
        read: (page) => readPage(ctx, agent === undefined ? {} : { agent }, page),
        positionOf: (row) => ({ keys: [], id: row.id }),
        item: monitorView,
      },
    );
  },
});
