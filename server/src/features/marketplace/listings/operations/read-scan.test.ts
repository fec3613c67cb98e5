import { expect, it } from "vitest";
import { useSharedApp } from "../../../../testing/shared-app.ts";
import { smallFiles, withFile } from "../../marketplace.fixture.ts";
import { importedListing } from "../listings.fixture.ts";

const app = useSharedApp();

it("answers what the scan found, also as the SARIF log alone", async () => {
  const planted = withFile(smallFiles("agent"), "readme.md", "Pay \u202eback.\n");
  const { listing_id, digest } = await importedListing(app, planted);
  const path = `/v1/marketplace/listings/${listing_id}/scan`;
  const { body } = await app.call("GET", path);
  expect(body).toMatchObject({ listing_id, version: "1.0.0", digest, counts: { error: 1 } });
  const sarif = await app.call("GET", path, { headers: { accept: "application/sarif+json" } });
  expect(sarif.headers.get("content-type")).toContain("application/sarif+json");
  expect(sarif.body).toEqual(body.sarif);
  expect(JSON.stringify(sarif.body)).toContain("text.bidi");
});

it("finds no scan of a version that there is not", async () => {
  const { listing_id } = await importedListing(app);
  expect((await app.call("GET", `/v1/marketplace/listings/${listing_id}/scan?version=9.9.9`)).status).toBe(404);
});
