import { defineInside, exempt, type InsideOperation } from "../../../kernel/operation.ts";
import { conflict } from "../../../kernel/problems.ts";
import { removeRows } from "../ingest/row-store.ts";
import { findWorkedOn } from "./finish-ingest.ts";
import { baseOfHeld, type HeldRows } from "./store-rows.ts";

type GoneRows = Omit<HeldRows<string>, "author" | "deciders">;

/** Removes documents that were rows of a file which no longer has them. */
export const removeGoneRows: InsideOperation<GoneRows, { readonly removed: number }> = defineInside({
  id: "knowledge.removeGoneRows",
  summary: "Remove rows that a file no longer has",
  permission: exempt("a machine of the service itself"),
  load: (ctx, { parent }: GoneRows) => findWorkedOn(ctx, { document: parent }),
  gate: exempt("makes no agent act"),
  compliance: exempt("carries out what a caller was allowed to ask for"),
  audit: ({ params: { parent } }) => `document:${parent}`,
  errors: [conflict],
  async handle(ctx, { params: { parent, attempt, rows }, loaded }) {
    const base = await baseOfHeld(ctx, { parent, attempt }, loaded.base);
    const author = ctx.principal.id;
    return { removed: await removeRows(ctx, base, { parent, author, at: new Date(ctx.now) }, rows) };
  },
});
