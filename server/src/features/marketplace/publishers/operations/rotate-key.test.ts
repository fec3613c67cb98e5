import { bundleText, importPrivateKey, signBundle, verifyBundle } from "@aos/bundle";
import { expect, it } from "vitest";
import { unseal } from "../../../../db/secrets.ts";
import { startTestApp, useApp } from "../../../../testing/app.ts";
import { approvedListing, newStranger, ownPublisher } from "../../listings/listings.fixture.ts";
import { smallFiles, withPermissions } from "../../marketplace.fixture.ts";

const app = useApp();
const rotate = (publisher = "own") => app.call("POST", `/v1/marketplace/publishers/${publisher}/rotate`, { body: {} });

/** A bundle that the organization signs with its key as it is stored. */
async function ownBundle(version: string): Promise<string> {
  const { rows } = await app.pool.query("select * from marketplace_publishers where own");
  const sealed = unseal(await app.credentialKey(), rows[0].sealed_key, `publisher default ${rows[0].id}`);
  return bundleText(
    signBundle({
      files: withPermissions(smallFiles("scorer", { version })),
      scan: { tool_version: "0.1.0", findings: { error: 0, warning: 0, note: 0 } },
      source: { installation: "here.example", created_at: "2026-01-31T12:00:00Z" },
      privateKey: importPrivateKey(String(sealed)).privateKey,
      publisher: JSON.parse(rows[0].publisher),
    }),
  );
}

it("makes a new key for which the old one vouches, and which elsewhere replaces it", async () => {
  const { publisher } = await ownPublisher(app);
  const before = await ownBundle("1.0.0");
  const { status, body } = await rotate();
  const [first, second] = body.keys;
  expect(status).toBe(200);
  expect([first.key_id, first.signs, second.vouched_by, second.signs]).toEqual([
    publisher.keys[0]?.key_id,
    false,
    first.key_id,
    true,
  ]);
  const after = await ownBundle("1.1.0");
  expect(verifyBundle(after).publisher.keys.map(({ key_id }) => key_id)).toEqual([first.key_id, second.key_id]);

  const elsewhere = await startTestApp();
  try {
    const send = (path: string, file: string) =>
      elsewhere.call("POST", `/v1/marketplace/listings${path}`, { body: { file } });
    const { listing_id } = (await send("", before)).body;
    await elsewhere.pool.query(
      "update marketplace_publishers set pinned_key = key_id, pinned_at = now(), pinned_by = 'mbr_test'",
    );
    const update = await send(`/${listing_id}/versions`, after);
    expect([update.status, update.body.publisher.key_id]).toEqual([201, second.key_id]);
    const seen = await elsewhere.call("GET", `/v1/marketplace/publishers/${publisher.publisher_id}`);
    expect(seen.body.pinned.key_id).toBe(first.key_id);
  } finally {
    await elsewhere.close();
  }
});

it("keeps the private key sealed, and shows it nowhere", async () => {
  const { privateKey } = await ownPublisher(app);
  const seed = privateKey.export({ format: "jwk" }).d as string;
  const { rows } = await app.pool.query("select * from marketplace_publishers where own");
  expect(rows[0].sealed_key.includes(Buffer.from(seed, "base64url"))).toBe(false);
  expect((await rotate()).text).not.toContain("sealed");
});

it("rotates no key of another publisher", async () => {
  const stranger = newStranger();
  await approvedListing(app, undefined, { publisher: stranger });
  const { status, body } = await rotate(stranger.publisher.publisher_id);
  expect([status, body.code]).toEqual([409, "rotation_refused"]);
});
