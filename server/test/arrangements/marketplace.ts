import type { Arrangements } from "./arranged.ts";
import { arrange as catalogue } from "./marketplace-catalogue.ts";
import { arrange as install } from "./marketplace-install.ts";
import { arrange as life } from "./marketplace-life.ts";
import { arrange as review } from "./marketplace-review.ts";
import { arrange as submit } from "./marketplace-submit.ts";

export const arrange: Arrangements = { ...catalogue, ...install, ...life, ...review, ...submit };

const ofOrganization = "the catalogue belongs to the organization";

/** Listings, versions, publishers and recalls belong to the organization; installs do not. */
export const seenFromEverywhere: Readonly<Record<string, string>> = {
  "marketplace.changeListing": ofOrganization,
  "marketplace.createVersion": ofOrganization,
  "marketplace.installListing": ofOrganization,
  "marketplace.listReports": ofOrganization,
  "marketplace.listReviews": ofOrganization,
  "marketplace.listVersions": ofOrganization,
  "marketplace.previewInstall": ofOrganization,
  "marketplace.rateListing": ofOrganization,
  "marketplace.readListing": ofOrganization,
  "marketplace.readPublisher": ofOrganization,
  "marketplace.readScan": ofOrganization,
  "marketplace.readVersion": ofOrganization,
  "marketplace.reportListing": ofOrganization,
  "marketplace.reviewListing": ofOrganization,
  "marketplace.rotateKey": ofOrganization,
  "marketplace.withdrawListing": ofOrganization,
};
