import { first, type Row, select } from "../../db/scoped.ts";
import { isId } from "../../kernel/ids.ts";
import type { Statements } from "../../kernel/machines.ts";
import type { Scope } from "../../kernel/principal.ts";
import type { BundleKind, ListingState } from "./words.ts";

/** A scope and a handle: contexts of calls are such, and jobs make one. */
export interface Here {
  readonly scope: Scope;
  readonly db: Statements;
}

export interface ListingRow extends Omit<Row<"marketplace_listings">, "kind" | "state" | "origin" | "visibility"> {
  readonly kind: BundleKind;
  readonly state: ListingState;
  readonly origin: "own" | "imported" | "starter";
  readonly visibility: "private" | "public";
}

/** A listing of the organization, whatever its state. */
export async function findListing(ctx: Here, id: string): Promise<ListingRow | undefined> {
  if (!isId(id, "lst")) return undefined;
  const query = select(ctx, "marketplace_listings", "l").selectAll().where("l.id", "=", id);
  return first(ctx, query.$castTo<ListingRow>());
}
