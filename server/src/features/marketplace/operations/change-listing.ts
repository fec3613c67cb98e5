import { Type } from "typebox";
import { whole } from "../../../kernel/narrowing.ts";
import { defineOperation, exempt, governs } from "../../../kernel/operation.ts";
import { exampleListingDetail, exampleListingId } from "../example.ts";
import { findListing } from "../listing-store.ts";
import { ChangeListingBody, ListingDetail } from "../schemas.ts";
import { ListingId } from "../words.ts";

export const changeListing = defineOperation({
  id: "marketplace.changeListing",
  method: "PATCH",
  path: "/v1/marketplace/listings/{listing}",
  summary: "Change a listing",
  params: Type.Object({ listing: ListingId }),
  body: ChangeListingBody,
  output: ListingDetail,
  example: { params: { listing: exampleListingId }, body: { visibility: "public" }, output: exampleListingDetail },
  permission: "marketplace:write",
  load: (ctx, { listing }) => findListing(ctx, listing),
  narrowing: whole("concerns agents of other publishers and what installs make"),
  gate: exempt("makes no agent act"),
  compliance: governs("listing.change"),
  audit: ({ params }) => `listing:${params.listing}`,
  handle: () => {
    throw new Error("not built yet");
  },
});
