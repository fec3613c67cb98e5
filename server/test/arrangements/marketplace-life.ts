import { consentTo, installed } from "../../src/features/marketplace/installs/installs.fixture.ts";
import { approvedListing } from "../../src/features/marketplace/listings/listings.fixture.ts";
import { smallFiles } from "../../src/features/marketplace/marketplace.fixture.ts";
import { type Arrange, type Arrangements, nothing } from "./arranged.ts";

/** Before and after its calls, a batch writes down how the install stands. */
const notes = 2;

const install =
  (more: object = {}, kind: "agent" | "policy_pack" = "agent"): Arrange =>
  async (app, environment) => {
    const made = await installed(app, smallFiles(kind), {}, { environment });
    return { params: { install: made.install.install_id }, ...more };
  };

/** An install of a version to which there is a newer one. */
const outdated: Arrange = async (app, environment) => {
  const { listing, install: made } = await installed(app, undefined, {}, { environment });
  const files = smallFiles("agent", { version: "1.1.0", summary: "Made for tests, again." });
  const { listing_id, publisher } = listing;
  const newer = await approvedListing(app, files, { listing: listing_id, publisher });
  return { params: { install: made.install_id }, body: await consentTo(app, newer), batch: { calls: 0, notes } };
};

export const arrange: Arrangements = {
  "marketplace.listInstalls": nothing,
  "marketplace.readInstall": install(),
  "marketplace.removeInstall": install({ batch: { calls: 1, notes } }, "policy_pack"),
  "marketplace.resetInstall": install({ body: {}, batch: { calls: 0, notes } }),
  "marketplace.updateInstall": outdated,
};
