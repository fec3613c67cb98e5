import { first, type Row, select } from "../../db/scoped.ts";
import type { Here } from "./listing-store.ts";

export type PublisherRow = Row<"marketplace_publishers">;

/** A publisher by its id; `own`: the one that the organization signs as. */
export async function findPublisher(ctx: Here, reference: string): Promise<PublisherRow | undefined> {
  const publishers = select(ctx, "marketplace_publishers", "p").selectAll();
  return first(
    ctx,
    reference === "own" ? publishers.where("p.own", "=", true) : publishers.where("p.id", "=", reference),
  );
}
