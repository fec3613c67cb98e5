import { makeKey, rotateKey } from "@aos/bundle";
import { describe, expect, it } from "vitest";
import { useSharedApp } from "../../../testing/shared-app.ts";
import { type Stranger, signedFile, smallFiles, withFile, withPermissions } from "../marketplace.fixture.ts";
import { importedListing, newStranger, ownPublisher, setVersionState } from "./listings.fixture.ts";

const app = useSharedApp();
const submit = (file: string, listing?: string) =>
  app.call("POST", `/v1/marketplace/listings${listing ? `/${listing}/versions` : ""}`, { body: { file } });
const scorer = (version: string, more: object = {}) => withPermissions(smallFiles("scorer", { version, ...more }));

/** The same publisher with a key that its former one vouches for. */
function rotated({ publisher, privateKey }: Stranger): Stranger {
  const next = makeKey();
  return { publisher: rotateKey(publisher, privateKey, next.publicKey), privateKey: next.privateKey };
}
/** Somebody else who calls themselves the same. */
function impostorOf({ publisher }: Stranger): Stranger {
  const { publicKey, privateKey } = makeKey();
  return { publisher: { ...publisher, keys: [publicKey], rotations: [] }, privateKey };
}
const pin = ({ publisher }: Stranger) =>
  app.pool.query(
    "update marketplace_publishers set pinned_key = key_id, pinned_at = now(), pinned_by = 'mbr_test' where id = $1",
    [publisher.publisher_id],
  );

describe("a bundle that is taken in", () => {
  it("is stored with who is accountable for the credential, and waits for review", async () => {
    const { listing_id } = await importedListing(app, undefined, { key: "builder" });
    const { rows } = await app.pool.query(
      "select state, submitted_by, submitters, permissions_digest, scan_counts from marketplace_versions where listing_id = $1",
      [listing_id],
    );
    expect(rows[0].state).toBe("submitted");
    expect(JSON.parse(rows[0].submitters)).toContain(rows[0].submitted_by);
    expect(rows[0].permissions_digest).toMatch(/^[0-9a-f]{64}$/);
  });

  it("is refused with the fault and its place where a byte was changed", async () => {
    const file = signedFile(scorer("1.0.0"), newStranger());
    const { status, body } = await submit(file.replace("Example Works", "Example Werks"));
    expect([status, body.code, body.fault]).toEqual([422, "bundle_refused", "publisher_differs"]);
    expect(body.place).toEqual({ part: "statement", at: "/predicate/publisher/name" });
  });

  it("is refused where it says that it asks for something else than its files do", async () => {
    const said = { permissions: { asks: [{ id: "model:builtin", kind: "model", value: {} }] } };
    const { status, body } = await submit(signedFile(smallFiles("agent", said), newStranger()));
    expect([status, body.fault]).toEqual([422, "permissions_differ"]);
  });

  it("is refused where a file in it has not its form", async () => {
    const files = withFile(scorer("1.0.0"), "scorers.json", '[{"name":"x","kind":"magic"}]');
    const { status, body } = await submit(signedFile(files, newStranger()));
    expect([status, body.code]).toEqual([422, "bundle_refused"]);
    expect(body.detail).toContain("scorers.json");
  });

  it.each(["submitted", "rejected", "quarantined", "recalled"] as const)(
    "is not taken a second time, and its state is told: %s",
    async (state) => {
      const made = await importedListing(app);
      await setVersionState(app, made, state);
      const { status, body } = await submit(made.file);
      expect([status, body.code]).toEqual([409, "listing_exists"]);
      expect(body).toMatchObject({ listing_id: made.listing_id, version: "1.0.0", state });
    },
  );

  it("is no second listing of its name, and no version before the newest", async () => {
    const { listing_id, publisher } = await importedListing(app, scorer("1.10.0"));
    const twice = await submit(signedFile(scorer("2.0.0"), publisher));
    expect([twice.status, twice.body.code, twice.body.listing_id]).toEqual([409, "listing_exists", listing_id]);
    const earlier = await submit(signedFile(scorer("1.9.0"), publisher), listing_id);
    expect([earlier.status, earlier.body.code]).toEqual([409, "listing_exists"]);
    expect(earlier.body.detail).toContain("1.10.0");
  });

  it("is no version of another publisher's listing", async () => {
    const { listing_id } = await importedListing(app, scorer("1.0.0"));
    const { status, body } = await submit(signedFile(scorer("1.1.0"), newStranger()), listing_id);
    expect([status, body.fault]).toEqual([422, "listing_differs"]);
  });
});

describe("the key of a publisher", () => {
  it("may follow from the accepted one, which stays accepted until somebody consents to the new one", async () => {
    const first = newStranger();
    const { listing_id } = await importedListing(app, scorer("1.0.0"), { publisher: first });
    await pin(first);
    const next = rotated(first);
    const { status, body } = await submit(signedFile(scorer("1.1.0"), next), listing_id);
    expect([status, body.publisher.key_id]).toEqual([201, next.publisher.keys[1]?.key_id]);
    const { rows } = await app.pool.query("select pinned_key from marketplace_publishers where id = $1", [
      first.publisher.publisher_id,
    ]);
    expect(rows[0].pinned_key).toBe(first.publisher.keys[0]?.key_id);
  });

  it("is refused where the accepted one does not vouch for it", async () => {
    const first = newStranger();
    const { listing_id } = await importedListing(app, scorer("1.0.0"), { publisher: first });
    await pin(first);
    const { status, body } = await submit(signedFile(scorer("1.1.0"), impostorOf(first)), listing_id);
    expect([status, body.code]).toEqual([409, "publisher_key_changed"]);
  });

  it("is refused before any consent where something of the publisher waits or was approved", async () => {
    const first = newStranger();
    await importedListing(app, scorer("1.0.0"), { publisher: first });
    const { body } = await submit(signedFile(scorer("1.0.0", { name: "another" }), impostorOf(first)));
    expect(body.code).toBe("publisher_key_changed");
  });

  it("is refused where something of the publisher was recalled, although the newest was rejected", async () => {
    const first = newStranger();
    const made = await importedListing(app, scorer("1.0.0"), { publisher: first });
    await setVersionState(app, made, "recalled");
    const next = await importedListing(app, scorer("1.1.0"), { publisher: first, listing: made.listing_id });
    await setVersionState(app, next, "rejected");
    const { body } = await submit(signedFile(scorer("1.0.0", { name: "another" }), impostorOf(first)));
    expect(body.code).toBe("publisher_key_changed");
  });

  it("gives way to another one where all that came of it was rejected", async () => {
    const impostor = newStranger();
    const forged = await importedListing(app, scorer("1.0.0"), { publisher: impostor });
    await setVersionState(app, forged, "rejected");
    const genuine = impostorOf(impostor);
    const made = await importedListing(app, scorer("1.0.0"), { publisher: genuine });
    const { body } = await app.call("GET", `/v1/marketplace/publishers/${genuine.publisher.publisher_id}`);
    expect(body.keys.map(({ key_id }: { key_id: string }) => key_id)).toEqual([genuine.publisher.keys[0]?.key_id]);
    expect(made.listing_id).not.toBe(forged.listing_id);
    const kept = await app.call("GET", `/v1/marketplace/listings/${forged.listing_id}`);
    expect(kept.body).toMatchObject({ state: "rejected", publisher: { key_id: impostor.publisher.keys[0]?.key_id } });
  });

  it("is this organization's present one in bundles that say they are its own", async () => {
    const own = await ownPublisher(app);
    const { body } = await submit(signedFile(scorer("1.0.0"), rotated(own)));
    expect(body.code).toBe("publisher_key_changed");
    expect((await submit(signedFile(scorer("1.0.0"), own))).status).toBe(201);
  });
});
