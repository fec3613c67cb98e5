import { expect, it } from "vitest";
import { useSharedApp } from "../../../../testing/shared-app.ts";
import { approvedListing, importedListing, type MadeListing, setVersionState } from "../listings.fixture.ts";

const app = useSharedApp();
const read = ({ listing_id, version }: MadeListing, accept?: string) =>
  app.call("GET", `/v1/marketplace/listings/${listing_id}/versions/${version}`, accept ? { headers: { accept } } : {});
const file = "application/vnd.aos.bundle+json";

it("gives out the file of a public listing, byte for byte as it came", async () => {
  const made = await approvedListing(app, undefined, { visibility: "public" });
  expect((await read(made)).body).toMatchObject({ version: "1.0.0", digest: made.digest, state: "approved" });
  const { status, text, headers } = await read(made, file);
  expect(status).toBe(200);
  expect(headers.get("content-type")).toBe(file);
  expect(text).toBe(made.file);
});

it("gives out no file of a private listing", async () => {
  const made = await approvedListing(app);
  const { status, body } = await read(made, file);
  expect([status, body.code]).toEqual([409, "listing_private"]);
  expect((await read(made)).status).toBe(200);
});

it.each(["quarantined", "recalled"] as const)("gives out no file of a version that is %s", async (state) => {
  const made = await importedListing(app, undefined, { visibility: "public" });
  await setVersionState(app, made, state);
  const { status, body } = await read(made, file);
  expect([status, body.code]).toEqual([409, "listing_state"]);
  expect(body.detail).toContain(state);
});
