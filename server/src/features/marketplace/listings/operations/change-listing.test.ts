import { expect, it } from "vitest";
import { useSharedApp } from "../../../../testing/shared-app.ts";
import { approvedListing } from "../listings.fixture.ts";

const app = useSharedApp();

it("makes a listing public and moves it to another business function", async () => {
  const { listing_id } = await approvedListing(app);
  const path = `/v1/marketplace/listings/${listing_id}`;
  const body = { visibility: "public", business_function: "Sales" };
  const changed = await app.call("PATCH", path, { body });
  expect(changed.status).toBe(200);
  expect(changed.body).toMatchObject({ ...body, revision: 2, title: "Small agent", state: "approved" });
  expect((await app.call("GET", path)).body).toEqual(changed.body);
});
