import { defineList } from "../../../kernel/listing.ts";
import { limitedTo } from "../../../kernel/narrowing.ts";
import { governs } from "../../../kernel/operation.ts";
import { basesWithin } from "../../agents/public.ts";
import { listBases as readPage } from "../base-store.ts";
import { exampleBase } from "../example.ts";
import { KnowledgeBase } from "../schemas.ts";
import { baseView } from "../view.ts";

export const listBases = defineList({
  id: "knowledge.listBases",
  path: "/v1/knowledge/bases",
  listed: true,
  summary: "List knowledge bases",
  description:
    "The bases of the environment, newest first, each with how much is in it, how its index stands, who may read it and when it last changed.",
  item: KnowledgeBase,
  example: { item: exampleBase },
  permission: "knowledge:read",
  narrowing: limitedTo("lists bases that the key's agents name"),
  compliance: governs("knowledge.read"),
  audit: "bases",
  read: async (ctx, _filter, page) => readPage(ctx, await basesWithin(ctx), page),
  position: (row) => ({ keys: [row.created_us], id: row.id }),
  view: baseView,
});
