import { ownAgent, submissionOf, succeed } from "../../src/features/marketplace/bundles/own-work.fixture.ts";
import type { Arrangements } from "./arranged.ts";

export const arrange: Arrangements = {
  "marketplace.createListing": async (app, environment) => {
    const { scorer } = await ownAgent(app, { environment });
    return { params: {}, body: submissionOf({ kind: "scorer", scorers: [scorer] }) };
  },
  "marketplace.createVersion": async (app, environment) => {
    const source = { kind: "scorer" as const, scorers: [(await ownAgent(app, { environment })).scorer] };
    const body = submissionOf(source);
    const { listing_id } = await succeed(app, "POST", "/v1/marketplace/listings", body, { environment });
    return { params: { listing: listing_id }, body: { version: "1.1.0", source, changes: "A second version." } };
  },
};
