import { sql } from "../../../../db/scoped.ts";
import type { ReadContext } from "../../../../kernel/context.ts";
import { defineList, type PageRequest } from "../../../../kernel/listing.ts";
import { limitedTo } from "../../../../kernel/narrowing.ts";
import { basesWithin } from "../../../agents/public.ts";
import { readerTokens, visible } from "../../access.ts";
import { exampleBase } from "../../example.ts";
import { KnowledgeBase } from "../../schemas.ts";
import { bases } from "../operation-parts.ts";

export const listBases = defineList({
  ...bases.readOfAll(),
  id: "knowledge.listBases",
  listed: true,
  summary: "List knowledge bases",
  description:
    "The bases of the environment, newest first, each with its size, the state of its index, who may read it and when it last changed.",
  item: KnowledgeBase,
  example: { item: exampleBase },
  narrowing: limitedTo("lists bases that the key's agents name"),
  read: async (ctx, _filter, page) => bases.complete(ctx, await newestBases(ctx, await basesWithin(ctx), page)),
  position: (row) => ({ keys: [row.created_us], id: row.id }),
  view: (row, ctx) => bases.view(row, ctx),
});

/** `names` null: all. */
const newestBases = (ctx: ReadContext, names: readonly string[] | null, { after, take }: PageRequest) =>
  bases.rows.list(ctx, (query) => {
    const seen = query.where(visible([readerTokens(ctx.principal)], "r.readers"));
    const named = names === null ? seen : seen.where(sql<boolean>`r.name = any(${names}::text[])`);
    const behind = sql<boolean>`((extract(epoch from r.created_at) * 1000000)::bigint, r.id) < (${after?.keys[0]}::bigint, ${after?.id})`;
    const rest = after === undefined ? named : named.where(behind);
    return rest.orderBy("r.created_at", "desc").orderBy("r.id", "desc").limit(take);
  });
