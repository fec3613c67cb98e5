import {
  approvedListing,
  type MadeListing,
  ownPublisher,
} from "../../src/features/marketplace/listings/listings.fixture.ts";
import { type Arrange, type Arrangements, nothing } from "./arranged.ts";

const on =
  (paramsOf: (made: MadeListing) => Record<string, string>, body?: object): Arrange =>
  async (app, environment) => {
    const made = await approvedListing(app, undefined, { environment, visibility: "public" });
    return { params: paramsOf(made), ...(body && { body }) };
  };

const listing = ({ listing_id }: MadeListing) => ({ listing: listing_id });

export const arrange: Arrangements = {
  "marketplace.listListings": nothing,
  "marketplace.readListing": on(listing),
  "marketplace.changeListing": on(listing, { business_function: "Sales" }),
  "marketplace.withdrawListing": on(listing, {}),
  "marketplace.listVersions": on(listing),
  "marketplace.readVersion": on(({ listing_id, version }) => ({ listing: listing_id, version })),
  "marketplace.readPublisher": on(({ publisher }) => ({ publisher: publisher.publisher.publisher_id })),
  "marketplace.rotateKey": async (app) => ({
    params: { publisher: (await ownPublisher(app)).publisher.publisher_id },
    body: {},
  }),
};
