import { listPage, listQuery, pageSchema } from "../../../kernel/listing.ts";
import { limitedTo } from "../../../kernel/narrowing.ts";
import { defineRead, exempt, governs } from "../../../kernel/operation.ts";
import { basesWithin } from "../../agents/public.ts";
import { exampleBase } from "../example.ts";
import { KnowledgeBase } from "../schemas.ts";
import { listBases as readPage } from "../store.ts";
import { baseView } from "../view.ts";

export const listBases = defineRead({
  id: "knowledge.listBases",
  path: "/v1/knowledge/bases",
  listed: true,
  summary: "List knowledge bases",
  description: "The bases of the environment, newest first, each with how much is in it and when it last changed.",
  query: listQuery({}),
  output: pageSchema(KnowledgeBase),
  example: { output: { data: [exampleBase], has_more: false, next_cursor: null } },
  permission: "knowledge:read",
  load: exempt("names no object; the list holds the bases of the environment"),
  narrowing: limitedTo("lists bases that the key's agents name"),
  compliance: governs("knowledge.read"),
  audit: "bases",
  handle(ctx, { query }) {
    return listPage(
      ctx,
      query,
      {},
      {
        sort: "-created_at",
        read: async (page) => readPage(ctx, await basesWithin(ctx), page),
        positionOf: (row) => ({ keys: [row.created_us], id: row.id }),
        item: baseView,
      },
    );
  },
});
