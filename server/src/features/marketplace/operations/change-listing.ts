import { Type } from "typebox";
import { changedMeanwhile } from "../../../kernel/changed-meanwhile.ts";
import { whole } from "../../../kernel/narrowing.ts";
import { defineOperation, exempt, governs } from "../../../kernel/operation.ts";
import { exampleListingDetail, exampleListingId } from "../example.ts";
import { findListing, type ListingRow, lockListing, updateListing } from "../listing-store.ts";
import { listingDetail } from "../listing-view.ts";
import { ChangeListingBody, ListingDetail } from "../schemas.ts";
import { ListingId } from "../words.ts";

export const changeListing = defineOperation({
  id: "marketplace.changeListing",
  method: "PATCH",
  path: "/v1/marketplace/listings/{listing}",
  summary: "Change a listing",
  description: "Visibility and business function, which are not signed. A new version changes the rest.",
  params: Type.Object({ listing: ListingId }),
  body: ChangeListingBody,
  output: ListingDetail,
  revision: ({ revision }) => revision,
  revisionOfPart: true,
  mayMatch: ({ revision }: ListingRow) => revision,
  example: { params: { listing: exampleListingId }, body: { visibility: "public" }, output: exampleListingDetail },
  permission: "marketplace:write",
  load: (ctx, { listing }) => findListing(ctx, listing),
  narrowing: whole("concerns agents of other publishers and what installs make"),
  gate: exempt("makes no agent act"),
  decides: exempt("sets who sees the listing; its contents stay as they were"),
  compliance: governs("listing.change"),
  audit: ({ params }) => `listing:${params.listing}`,
  async handle(ctx, { loaded, body }) {
    const listing = await lockListing(ctx, loaded.id);
    if (ctx.basedOnLoaded && listing.revision !== loaded.revision) throw changedMeanwhile();
    return listingDetail(ctx, await updateListing(ctx, listing.id, body));
  },
});
