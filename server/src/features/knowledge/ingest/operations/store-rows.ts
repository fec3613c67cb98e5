import { first, select } from "../../../../db/scoped.ts";
import type { Decider } from "../../../../kernel/actor.ts";
import type { WriteContext } from "../../../../kernel/context.ts";
import { refuse } from "../../../../kernel/errors.ts";
import { defineInside, exempt, type InsideOperation } from "../../../../kernel/operation.ts";
import { conflict } from "../../../../kernel/problems.ts";
import { holdBase } from "../../bases/lookup-store.ts";
import { putRows, removeRows, type StoredRow } from "../row-store.ts";
import { findWorkedOn } from "./finish-ingest.ts";

export interface HeldRows<R> {
  readonly parent: string;
  readonly attempt: number;
  readonly author: string;
  readonly deciders: readonly Decider[];
  readonly rows: readonly R[];
}

export interface StoredRows {
  readonly added: number;
  readonly replaced: number;
  readonly unchanged: number;
}

/** Refuses if the attempt has lost it. */
async function baseOfHeld(
  ctx: WriteContext,
  { parent, attempt }: { readonly parent: string; readonly attempt: number },
  baseId: string,
) {
  const held = await first(
    ctx,
    select(ctx, "documents", "d")
      .select("d.id")
      .where("d.id", "=", parent)
      .where("d.attempt", "=", attempt)
      .where("d.state", "in", ["parsing", "indexing"])
      .forShare(),
  );
  if (!held) throw refuse(conflict, "The document is no longer in the hands of this attempt.");
  return holdBase(ctx, baseId);
}

export const storeRows: InsideOperation<HeldRows<StoredRow>, StoredRows> = defineInside({
  id: "knowledge.storeRows",
  summary: "Store rows of a file as documents",
  permission: exempt("a machine of the service itself"),
  load: (ctx, { parent }: HeldRows<StoredRow>) => findWorkedOn(ctx, { document: parent }),
  gate: exempt("makes no agent act"),
  compliance: exempt("carries out what a caller was allowed to ask for"),
  audit: ({ params: { parent } }) => `document:${parent}`,
  errors: [conflict],
  async handle(ctx, { params, loaded }) {
    const base = await baseOfHeld(ctx, params, loaded.base);
    return putRows(ctx, base, { ...params, at: new Date(ctx.now) }, params.rows);
  },
});

type GoneRows = Omit<HeldRows<string>, "author" | "deciders">;

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
