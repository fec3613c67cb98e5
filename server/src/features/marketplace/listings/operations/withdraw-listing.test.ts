import { expect, it } from "vitest";
import { useSharedApp } from "../../../../testing/shared-app.ts";
import { smallFiles } from "../../marketplace.fixture.ts";
import { approvedListing, importedListing, setVersionState } from "../listings.fixture.ts";

const app = useSharedApp();
const withdraw = (id: string) => app.call("DELETE", `/v1/marketplace/listings/${id}`);

it("takes a listing and what waits for review out of the catalogue", async () => {
  const { listing_id, publisher } = await approvedListing(app);
  const files = smallFiles("agent", { version: "1.1.0" });
  await importedListing(app, files, { publisher, listing: listing_id });
  const { status, body } = await withdraw(listing_id);
  expect([status, body.state]).toEqual([200, "withdrawn"]);
  expect(body.versions.map(({ state }: { state: string }) => state)).toEqual(["withdrawn", "withdrawn"]);
  const { data } = (await app.call("GET", "/v1/marketplace/listings?limit=100")).body;
  expect(data.map((one: { listing_id: string }) => one.listing_id)).not.toContain(listing_id);
});

it("leaves a quarantined version in quarantine", async () => {
  const { listing_id, version, publisher } = await importedListing(app);
  await setVersionState(app, { listing_id, version }, "quarantined");
  const files = smallFiles("agent", { version: "1.1.0" });
  await importedListing(app, files, { publisher, listing: listing_id });
  const { versions } = (await withdraw(listing_id)).body;
  expect(versions.map(({ state }: { state: string }) => state)).toEqual(["withdrawn", "quarantined"]);
});

it("refuses where nothing is offered any more", async () => {
  const { listing_id } = await approvedListing(app);
  await withdraw(listing_id);
  const { status, body } = await withdraw(listing_id);
  expect([status, body.code]).toEqual([409, "listing_state"]);
});

it("offers a withdrawn listing again with a new version, once that is approved", async () => {
  const { listing_id, publisher } = await approvedListing(app);
  await withdraw(listing_id);
  const files = smallFiles("agent", { version: "2.0.0" });
  await importedListing(app, files, { publisher, listing: listing_id });
  const { body } = await app.call("GET", `/v1/marketplace/listings/${listing_id}`);
  expect(body).toMatchObject({ state: "submitted", version: "2.0.0" });
});
