import { Type } from "typebox";
import { whole } from "../../../kernel/narrowing.ts";
import { defineOperation, exempt, governs } from "../../../kernel/operation.ts";
import { exampleListingDetail, exampleListingId } from "../example.ts";
import { findListing } from "../listing-store.ts";
import { ListingDetail } from "../schemas.ts";
import { ListingId } from "../words.ts";

export const withdrawListing = defineOperation({
  id: "marketplace.withdrawListing",
  method: "DELETE",
  path: "/v1/marketplace/listings/{listing}",
  summary: "Withdraw a listing",
  description: "It is offered no longer. What is installed goes on; to stop that, recall it.",
  params: Type.Object({ listing: ListingId }),
  output: ListingDetail,
  example: { params: { listing: exampleListingId }, output: { ...exampleListingDetail, state: "withdrawn" } },
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
