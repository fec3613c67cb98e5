import { approvedListing } from "../../src/features/marketplace/listings/listings.fixture.ts";
import type { Arrangements } from "./arranged.ts";
import { nothing } from "./arranged.ts";

export const arrange: Arrangements = {
  "marketplace.reviewListing": async (app) => {
    const { listing_id: listing } = await approvedListing(app);
    return { params: { listing }, body: { decision: "quarantine", reason: "It is looked into." } };
  },
  "marketplace.listRecalls": nothing,
  "marketplace.readScan": async (app) => ({ params: { listing: (await approvedListing(app)).listing_id } }),
  "marketplace.listReviews": async (app) => ({ params: { listing: (await approvedListing(app)).listing_id } }),
  "marketplace.rateListing": async (app) => ({
    params: { listing: (await approvedListing(app)).listing_id },
    body: { stars: 5 },
  }),
  "marketplace.reportListing": async (app) => ({
    params: { listing: (await approvedListing(app)).listing_id },
    body: { kind: "misleading", detail: "It says German; it knows English only." },
  }),
  "marketplace.listReports": async (app) => ({ params: { listing: (await approvedListing(app)).listing_id } }),
};
