import { consentTo, installed } from "../../src/features/marketplace/installs.fixture.ts";
import { approvedListing } from "../../src/features/marketplace/listings.fixture.ts";
import { smallFiles } from "../../src/features/marketplace/marketplace.fixture.ts";
import { type Arrange, type Arrangements, nothing } from "./arranged.ts";

const install =
  (sent?: object): Arrange =>
  async (app, environment) => {
    const made = await installed(app, undefined, {}, { environment });
    return { params: { install: made.install.install_id }, ...(sent && { body: sent }) };
  };

/** An install of a version to which there is a newer one. */
const outdated: Arrange = async (app, environment) => {
  const { listing, install: made } = await installed(app, undefined, {}, { environment });
  const files = smallFiles("agent", { version: "1.1.0", summary: "Made for tests, again." });
  const { listing_id, publisher } = listing;
  const newer = await approvedListing(app, files, { listing: listing_id, publisher });
  return { params: { install: made.install_id }, body: await consentTo(app, newer) };
};

export const arrange: Arrangements = {
  "marketplace.listInstalls": nothing,
  "marketplace.readInstall": install(),
  "marketplace.removeInstall": install(),
  "marketplace.resetInstall": install({}),
  "marketplace.updateInstall": outdated,
};
