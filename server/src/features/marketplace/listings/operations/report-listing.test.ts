import { expect, it } from "vitest";
import { useSharedApp } from "../../../../testing/shared-app.ts";
import { approvedListing } from "../listings.fixture.ts";

const app = useSharedApp();

it("tells those who review, who see it until the listing is reviewed again", async () => {
  const { listing_id: listing } = await approvedListing(app);
  const path = `/v1/marketplace/listings/${listing}`;
  const report = { kind: "misleading", detail: "It says German; it knows English only." };
  const { status, body } = await app.call("POST", `${path}/report`, { key: "builder", body: report });
  expect(status).toBe(201);
  expect(body).toMatchObject({ ...report, listing_id: listing, version: "1.0.0" });
  const { rows } = await app.pool.query("select body::json as body from events where type = 'listing.reported'");
  expect(rows.map((row) => row.body)).toContainEqual({
    event: "listing.reported",
    listing_id: listing,
    report_id: body.report_id,
    kind: "misleading",
    name: "small-agent",
    title: "Small agent",
    version: "1.0.0",
  });
  const { data } = (await app.call("GET", `${path}/reports`)).body;
  expect(data).toEqual([body]);
  const openReports = async () => (await app.call("GET", path)).body.open_reports;
  expect(await openReports()).toBe(1);
  await app.call("POST", `${path}/review`, { body: { decision: "quarantine", reason: "It is looked into." } });
  expect(await openReports()).toBe(0);
});

it("shows reports to nobody who does not review", async () => {
  const { listing_id: listing } = await approvedListing(app);
  const { status } = await app.call("GET", `/v1/marketplace/listings/${listing}/reports`, { key: "builder" });
  expect(status).toBe(403);
});
