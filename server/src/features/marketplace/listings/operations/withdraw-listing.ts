import { refuse } from "../../../../kernel/errors.ts";
import { defineOperation, exempt } from "../../../../kernel/operation.ts";
import { listingState } from "../../errors.ts";
import { exampleListingDetail, exampleListingId } from "../../example.ts";
import type { ListingState } from "../../schema-words.ts";
import { ListingDetail } from "../../schemas.ts";
import { concernsOthers, listings } from "../operation-parts.ts";
import { lockListing } from "../store.ts";
import { listVersionStates, settleListing, updateVersions } from "../version-store.ts";
import { listingDetail } from "../view.ts";

/** Withdrawing does not end a quarantine or a rejection. */
const isOffered = (state: ListingState): boolean => state === "approved" || state === "submitted";

export const withdrawListing = defineOperation({
  ...listings.changeOfOne(),
  id: "marketplace.withdrawListing",
  method: "DELETE",
  summary: "Withdraw a listing",
  description: "Removes it from the catalogue. Installs continue; to stop them, recall it.",
  output: ListingDetail,
  example: { params: { listing: exampleListingId }, output: { ...exampleListingDetail, state: "withdrawn" } },
  narrowing: concernsOthers,
  gate: exempt("makes no agent act"),
  decides: exempt("withdraws a listing; what is installed stays"),
  errors: [listingState],
  async handle(ctx, { loaded }) {
    await lockListing(ctx, loaded.id);
    const offered = (await listVersionStates(ctx, loaded.id)).filter(({ state }) => isOffered(state));
    if (offered.length === 0)
      throw refuse(listingState, `No version of ${loaded.id} is offered or waits for review: it is ${loaded.state}.`);
    const names = offered.map(({ version }) => version);
    await updateVersions(ctx, loaded.id, names, { state: "withdrawn" });
    return listingDetail(ctx, await settleListing(ctx, loaded.id, { withdrawn_at: new Date(ctx.now) }));
  },
});
