import { consentTo, newSuffix } from "../../src/features/marketplace/installs.fixture.ts";
import { approvedListing } from "../../src/features/marketplace/listings.fixture.ts";
import type { Arrangements } from "./arranged.ts";

export const arrange: Arrangements = {
  "marketplace.installListing": async (app) => {
    const listing = await approvedListing(app);
    const body = { ...(await consentTo(app, listing)), suffix: newSuffix() };
    return { params: { listing: listing.listing_id }, body };
  },
  "marketplace.previewInstall": async (app) => {
    const listing = await approvedListing(app);
    return { params: { listing: listing.listing_id }, body: { suffix: newSuffix() } };
  },
};
