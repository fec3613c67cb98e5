import { changedMeanwhile } from "../../../../kernel/changed-meanwhile.ts";
import { defineOperation, exempt } from "../../../../kernel/operation.ts";
import { exampleListingDetail, exampleListingId } from "../../example.ts";
import { ChangeListingBody, ListingDetail } from "../../schemas.ts";
import { concernsOthers, listings } from "../operation-parts.ts";
import type { ListingRow } from "../resource.ts";
import { lockListing } from "../store.ts";
import { listingDetail } from "../view.ts";

export const changeListing = defineOperation({
  ...listings.changeOfOne(),
  id: "marketplace.changeListing",
  method: "PATCH",
  summary: "Change a listing",
  description: "Visibility and business function, which are not signed. A new version changes the rest.",
  body: ChangeListingBody,
  output: ListingDetail,
  revision: ({ revision }) => revision,
  revisionOfPart: true,
  mayMatch: ({ revision }: ListingRow) => revision,
  example: { params: { listing: exampleListingId }, body: { visibility: "public" }, output: exampleListingDetail },
  narrowing: concernsOthers,
  gate: exempt("makes no agent act"),
  decides: exempt("sets who sees the listing; its contents stay as they were"),
  async handle(ctx, { loaded, body }) {
    const listing = await lockListing(ctx, loaded.id);
    if (ctx.basedOnLoaded && listing.revision !== loaded.revision) throw changedMeanwhile();
    return listingDetail(ctx, (await listings.rows.revise(ctx, listing.id, body)) as ListingRow);
  },
});
