import { first, select } from "../../db/scoped.ts";
import type { WriteContext } from "../../kernel/context.ts";
import type { ListingState } from "./words.ts";

/** The state of a version, which does not change until the transaction ends. */
export async function lockVersionState(
  ctx: WriteContext,
  listing: string,
  version: string,
): Promise<{ readonly state: ListingState; readonly manifest: string } | undefined> {
  const query = select(ctx, "marketplace_versions", "v")
    .select(["v.state", "v.manifest"])
    .where("v.listing_id", "=", listing)
    .where("v.version", "=", version)
    .forShare();
  return first(ctx, query.$castTo<{ state: ListingState; manifest: string }>());
}
