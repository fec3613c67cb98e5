import { Type } from "typebox";
import { inboxKinds } from "../../../../kernel/inbox.ts";
import { listPage, listQuery, pageSchema } from "../../../../kernel/listing.ts";
import { limitedTo } from "../../../../kernel/narrowing.ts";
import { defineRead, exempt, governs } from "../../../../kernel/operation.ts";
import { commaList } from "../../../../kernel/schema-words.ts";
import { AgentName } from "../../../agents/schemas.ts";
import { exampleInboxItem } from "../../example.ts";
import { InboxCounts, InboxItem } from "../../schemas.ts";
import { withStandIns } from "../stand-ins.ts";
import { countInbox, inboxView, positionOf, listInbox as readPage } from "../store.ts";

export const listInbox = defineRead({
  id: "approvals.listInbox",
  path: "/v1/approvals/inbox",
  summary: "List what waits for people",
  description:
    "One list of pending approvals, questions of tasks and missions, hand-offs of conversations, and dead letters: runs of workflows that gave up, endpoints " +
    "that were disabled, triggers that stopped; and comments that mention the caller. Ranked: what is due soonest first, overdue before all, what has no end behind it; then by risk, what has no level " +
    "as low; then what waits longest. It shows what the key may read of each kind; `may_act` says what the caller can act on. Filters narrow together.",
  query: listQuery({
    kind: commaList(Type.Enum(inboxKinds), "Kinds"),
    agent: commaList(AgentName, "Agents by name"),
    mine: Type.Optional(Type.Boolean({ description: "Only what the caller may act on now." })),
  }),
  output: Type.Object({ ...pageSchema(InboxItem).properties, counts: InboxCounts }),
  example: {
    output: {
      data: [exampleInboxItem],
      has_more: false,
      next_cursor: null,
      counts: { approval: 1, question: 0, handoff: 0, dead_letter: 0, mention: 0, total: 1, mine: 1 },
    },
  },
  permission: "approvals:read",
  load: exempt("names no object; the list holds what the key may see"),
  narrowing: limitedTo("lists what waits for people of the key's agents"),
  compliance: governs("approval.read"),
  audit: "approvals",
  async handle(ctx, { query }) {
    const { limit: _limit, cursor: _cursor, ...filter } = query;
    const page = await listPage(ctx, query, filter, {
      sort: "due_at,-risk,since",
      read: async (request) =>
        withStandIns(ctx, await readPage(ctx, filter, request), ({ kind, id, may }) =>
          kind === "approval" && may ? id : null,
        ),
      positionOf: ({ row }) => positionOf(row),
      item: ({ row, standingInFor }) => inboxView(row, ctx, standingInFor),
    });
    return { ...page, counts: await countInbox(ctx) };
  },
});
