import { Type } from "typebox";
import { refuse } from "../../../kernel/errors.ts";
import { whole } from "../../../kernel/narrowing.ts";
import { defineOperation, exempt, governs } from "../../../kernel/operation.ts";
import { listingState } from "../errors.ts";
import { exampleListingDetail, exampleListingId } from "../example.ts";
import { findListing, lockListing } from "../listing-store.ts";
import { listingDetail } from "../listing-view.ts";
import { ListingDetail } from "../schemas.ts";
import { listStandings, settleListing, updateVersions } from "../version-store.ts";
import { ListingId, type ListingState } from "../words.ts";

/** What was rejected or stopped stays so: withdrawing ends no quarantine. */
const isOffered = (state: ListingState): boolean => state === "approved" || state === "submitted";

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
  decides: exempt("withdraws a listing; what is installed stays"),
  compliance: governs("listing.change"),
  audit: ({ params }) => `listing:${params.listing}`,
  errors: [listingState],
  async handle(ctx, { loaded }) {
    await lockListing(ctx, loaded.id);
    const offered = (await listStandings(ctx, loaded.id)).filter(({ state }) => isOffered(state));
    if (offered.length === 0)
      throw refuse(listingState, `No version of ${loaded.id} is offered or waits for review: it is ${loaded.state}.`);
    const names = offered.map(({ version }) => version);
    await updateVersions(ctx, loaded.id, names, { state: "withdrawn" });
    return listingDetail(ctx, await settleListing(ctx, loaded.id, { withdrawn_at: new Date(ctx.now) }));
  },
});
