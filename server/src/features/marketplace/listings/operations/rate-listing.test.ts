import { expect, it } from "vitest";
import { useSharedApp } from "../../../../testing/shared-app.ts";
import { approvedListing, importedListing } from "../listings.fixture.ts";

const app = useSharedApp();
const rate = (listing: string, body: object, key: string) =>
  app.call("POST", `/v1/marketplace/listings/${listing}/reviews`, { key, body });

it("keeps one rating of each member, the last, and shows the mean", async () => {
  const { listing_id: listing } = await approvedListing(app);
  await rate(listing, { stars: 1, text: "It is slow." }, "builder");
  const changed = await rate(listing, { stars: 4 }, "builder");
  expect(changed.body).toMatchObject({ stars: 4, text: null, version: "1.0.0", installed: false });
  await rate(listing, { stars: 5 }, "operator");
  expect((await app.call("GET", `/v1/marketplace/listings/${listing}`)).body.rating).toEqual({ mean: 4.5, ratings: 2 });
});

it("lists ratings, the newest first, page by page", async () => {
  const { listing_id: listing } = await approvedListing(app);
  for (const [at, role] of ["evaluator", "operator", "builder"].entries()) await rate(listing, { stars: at + 1 }, role);
  const path = `/v1/marketplace/listings/${listing}/reviews`;
  const stars = ({ body }: Awaited<ReturnType<typeof app.call>>) =>
    body.data.map((one: { stars: number }) => one.stars);
  const first = await app.call("GET", `${path}?limit=2`);
  expect(stars(first)).toEqual([3, 2]);
  expect(stars(await app.call("GET", `${path}?limit=2&cursor=${first.body.next_cursor}`))).toEqual([1]);
});

it("says whether the organization has it installed", async () => {
  const { listing_id: listing, version, digest } = await approvedListing(app);
  await app.pool.query(
    `insert into marketplace_installs (organization, environment, id, listing_id, version, digest, suffix, state, parts, consent, installed_by, created_at, updated_at)
     values ('default', 'production', $1, $2, $3, $4, '', 'installed', '[]', '{}', 'mbr_test', now(), now())`,
    [app.app.newId("ins"), listing, version, digest],
  );
  expect((await rate(listing, { stars: 5 }, "builder")).body.installed).toBe(true);
});

it("refuses a version that waits for review, and one that there is not", async () => {
  const waiting = await importedListing(app);
  expect((await rate(waiting.listing_id, { stars: 5 }, "builder")).body.code).toBe("listing_state");
  const { listing_id: listing } = await approvedListing(app);
  const { status, body } = await rate(listing, { stars: 5, version: "9.9.9" }, "builder");
  expect([status, body.errors[0].pointer, body.errors[0].code]).toEqual([422, "/version", "unknown_version"]);
});
