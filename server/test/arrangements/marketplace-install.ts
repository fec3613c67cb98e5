import { consentTo, newSuffix } from "../../src/features/marketplace/installs/installs.fixture.ts";
import { approvedListing } from "../../src/features/marketplace/listings/listings.fixture.ts";
import { smallFiles } from "../../src/features/marketplace/marketplace.fixture.ts";
import type { Arrangements } from "./arranged.ts";

export const arrange: Arrangements = {
  "marketplace.installListing": async (app) => {
    const listing = await approvedListing(app, smallFiles("scorer"));
    const body = { ...(await consentTo(app, listing)), suffix: newSuffix() };
    return { params: { listing: listing.listing_id }, body, batch: { calls: 1, notes: 2 } };
  },
  "marketplace.previewInstall": async (app) => {
    const listing = await approvedListing(app);
    return { params: { listing: listing.listing_id }, body: { suffix: newSuffix() } };
  },
};
