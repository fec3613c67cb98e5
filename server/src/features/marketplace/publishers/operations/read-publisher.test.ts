import { expect, it } from "vitest";
import { useApp } from "../../../../testing/app.ts";
import { approvedListing, ownPublisher } from "../../listings/listings.fixture.ts";

const app = useApp();
const read = (publisher: string) => app.call("GET", `/v1/marketplace/publishers/${publisher}`);

it("shows a publisher's keys and which of them was accepted", async () => {
  const { publisher } = await approvedListing(app);
  const { publisher_id, name, keys } = publisher.publisher;
  const { body } = await read(publisher_id);
  const key = { ...keys[0], signs: true, vouched_by: null };
  expect(body).toMatchObject({ publisher_id, name, own: false, pinned: null, keys: [key], listings: 1 });
  const pin =
    "update marketplace_publishers set pinned_key = key_id, pinned_at = now(), pinned_by = 'mbr_test' where id = $1";
  await app.pool.query(pin, [publisher_id]);
  expect((await read(publisher_id)).body.pinned).toMatchObject({ key_id: keys[0]?.key_id, by: "mbr_test" });
});

it("finds the organization's own under `own`, once there is one", async () => {
  expect((await read("own")).status).toBe(404);
  const { publisher } = await ownPublisher(app);
  expect((await read("own")).body).toMatchObject({ publisher_id: publisher.publisher_id, own: true, pinned: null });
});
