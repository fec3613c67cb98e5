import { approvedListing, newStranger } from "../../src/features/marketplace/listings.fixture.ts";
import {
  type Stranger,
  signedFile,
  smallFiles,
  withPermissions,
} from "../../src/features/marketplace/marketplace.fixture.ts";
import type { Arrangements } from "./arranged.ts";

let made = 0;

/** A travelling file that is like no other. */
function newFile(publisher: Stranger, version = "1.0.0"): string {
  made += 1;
  return signedFile(withPermissions(smallFiles("agent", { version, summary: `Made for test ${made}.` })), publisher);
}

export const arrange: Arrangements = {
  "marketplace.createListing": async () => ({ params: {}, body: { file: newFile(newStranger()) } }),
  "marketplace.createVersion": async (app) => {
    const { listing_id, publisher } = await approvedListing(app);
    return { params: { listing: listing_id }, body: { file: newFile(publisher, "1.1.0") } };
  },
};
