import { describe, expect, it } from "vitest";
import { useSharedApp } from "../../../../testing/shared-app.ts";
import { small, smallFiles } from "../../marketplace.fixture.ts";
import { approvedListing, importedListing } from "../listings.fixture.ts";

const app = useSharedApp();
const read = (id: string) => app.call("GET", `/v1/marketplace/listings/${id}`);

describe("a listing", () => {
  it("shows what it holds, who signed it and what it cannot do", async () => {
    const { listing_id, digest, publisher } = await approvedListing(app);
    const { status, body } = await read(listing_id);
    const [key] = publisher.publisher.keys;
    expect(status).toBe(200);
    expect(body).toMatchObject({
      listing_id,
      name: "small-agent",
      kind: "agent",
      state: "approved",
      version: "1.0.0",
      digest,
      origin: "imported",
      visibility: "private",
      rating: null,
      installs: 0,
      open_reports: 0,
      publisher: { publisher_id: publisher.publisher.publisher_id, own: false, pinned: false },
      license: "Apache-2.0",
      limits: ["It knows two topics."],
      requires: { connections: [] },
      signature: { verified: true, key_id: key?.key_id, keys: [key?.key_id] },
      versions: [{ version: "1.0.0", state: "approved", review_strict: true }],
    });
    expect(body.readme).toContain("# Small agent");
    expect(body.permissions.map(({ id }: { id: string }) => id)).toContain("model:builtin");
    expect(body.files.map(({ path }: { path: string }) => path)).toContain(`datasets/${small.dataset}.jsonl`);
  });

  it("says that its signature does not hold any more where its file was changed in the database", async () => {
    const { listing_id } = await approvedListing(app);
    expect((await read(listing_id)).body.signature.verified).toBe(true);
    const change =
      "update marketplace_versions set file = replace(file, 'Example Works', 'Example Werks') where listing_id = $1";
    await app.pool.query(change, [listing_id]);
    expect((await read(listing_id)).body.signature.verified).toBe(false);
  });

  it("shows the newest approved version while a newer one waits", async () => {
    const { listing_id, publisher } = await approvedListing(app);
    await importedListing(app, smallFiles("agent", { version: "1.10.0", title: "Unread" }), {
      publisher,
      listing: listing_id,
    });
    const { body } = await read(listing_id);
    expect(body).toMatchObject({ state: "approved", version: "1.0.0", title: "Small agent" });
    expect(body.versions.map(({ version, state }: Record<string, string>) => [version, state])).toEqual([
      ["1.10.0", "submitted"],
      ["1.0.0", "approved"],
    ]);
  });

  it("shows a version that waits to whoever names it, and is found among those that wait", async () => {
    const { listing_id, publisher } = await approvedListing(app);
    const next = smallFiles("agent", { version: "1.10.0", title: "Unread" });
    await importedListing(app, next, { publisher, listing: listing_id });
    const { body } = await read(`${listing_id}?version=1.10.0`);
    expect(body).toMatchObject({ state: "approved", version: "1.10.0", title: "Unread" });
    const waiting = await app.call("GET", "/v1/marketplace/listings?state=submitted&limit=100");
    expect(waiting.body.data.map(({ listing_id: id }: Record<string, string>) => id)).toContain(listing_id);
    const { status, body: problem } = await read(`${listing_id}?version=9.9.9`);
    expect([status, problem.errors?.[0]?.code]).toEqual([400, "unknown_version"]);
  });
});
