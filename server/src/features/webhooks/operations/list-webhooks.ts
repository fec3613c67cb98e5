import { Type } from "typebox";
import { listPage, listQuery, pageSchema } from "../../../kernel/listing.ts";
import { limitedTo } from "../../../kernel/narrowing.ts";
import { defineRead, exempt, governs } from "../../../kernel/operation.ts";
import { exampleWebhook } from "../example.ts";
import { Webhook, webhookStates } from "../schemas.ts";
import { listWebhookRows } from "../store.ts";
import { webhookView } from "../view.ts";

const Filters = {
  state: Type.Optional(Type.Array(Type.Enum(webhookStates), { description: "States, separated by commas." })),
};

export const listWebhooks = defineRead({
  id: "webhooks.listWebhooks",
  path: "/v1/webhooks",
  listed: true,
  summary: "List endpoints",
  description:
    "The endpoints of this environment, newest first, with their health. A key that is narrowed to agents sees those that are bound to no others.",
  query: listQuery(Filters),
  output: pageSchema(Webhook),
  example: { output: { data: [exampleWebhook], has_more: false, next_cursor: null } },
  permission: "webhooks:read",
  load: exempt("names no object; the list holds the endpoints of the environment"),
  narrowing: limitedTo("lists endpoints that are bound to the key's agents"),
  compliance: governs("webhook.read"),
  audit: "webhooks",
  handle(ctx, { query }) {
    const filter = { state: query.state };
    return listPage(ctx, query, filter, {
      sort: "-created_at",
      read: (page) => listWebhookRows(ctx, filter.state, page),
      positionOf: ({ id }) => ({ keys: [], id }),
      item: (row) => webhookView(row, ctx.now),
    });
  },
});
