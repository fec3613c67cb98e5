import { describe, expect, it } from "vitest";
import { useSharedApp } from "../../../../testing/shared-app.ts";
import { submissionOf, succeed } from "../../bundles/own-work.fixture.ts";
import { smallFiles, withFile } from "../../marketplace.fixture.ts";
import { importedListing, type MadeListing } from "../listings.fixture.ts";

const app = useSharedApp();
type Options = Parameters<typeof app.call>[2];
const review = ({ listing_id }: Pick<MadeListing, "listing_id">, body: object, options: Options = {}) =>
  app.call("POST", `/v1/marketplace/listings/${listing_id}/review`, { ...options, body: { reason: "Read.", ...body } });
const reviewer = async (environment: "development" | "staging" = "development") =>
  (await app.signedInMember("admin", environment)).secret;
const approve = async ({ digest, ...made }: MadeListing, options: Options = {}) =>
  review(made, { decision: "approve", digest }, { key: await reviewer(), ...options });
const lastEvent = async (type: string) =>
  (await app.pool.query("select body::json as body from events where type = $1 order by id desc limit 1", [type]))
    .rows[0]?.body;

describe("approving", () => {
  it("by a second person who signed in lets a version be installed everywhere, and tells of it", async () => {
    const made = await importedListing(app);
    const { status, body } = await approve(made);
    expect(status, JSON.stringify(body)).toBe(200);
    expect(body).toMatchObject({ state: "approved", versions: [{ state: "approved", review_strict: true }] });
    expect(await lastEvent("listing.reviewed")).toMatchObject({
      listing_id: made.listing_id,
      version: made.version,
      decision: "approve",
      reason: "Read.",
      by: body.versions[0].reviewed_by,
    });
  });

  it("is refused to whoever submitted it, with any credential of theirs", async () => {
    const submitter = await app.signedInMember("admin");
    const made = await importedListing(app, undefined, { key: submitter.secret });
    const own = await approve(made, { key: submitter.secret });
    expect([own.status, own.body.code, own.body.stage]).toEqual([403, "own_review", "permissions"]);
    const issued = await app.member("admin");
    await app.pool.query("update keys set issuers = array[$2] where id = $1", [issued.keyId, submitter.memberId]);
    await app.pool.query("update fact_epochs set epoch = epoch + 1 where topic = 'keys'");
    await app.app.facts.refresh();
    expect((await approve(made, { key: issued.secret })).body.code).toBe("own_review");
  });

  it("is refused to whoever decided the version that is packed, also where somebody else submitted it", async () => {
    const [author, submitter] = [await app.signedInMember("admin"), await app.signedInMember("admin")];
    const source = { kind: "agent", agent: "packed", version: 1 } as const;
    const agent = { agent: "packed", description: "Answers.", model: { provider: "builtin" } };
    const skills = [{ name: "answer", input: { type: "object" } }];
    await succeed(app, "POST", "/v1/agents", { ...agent, skills }, { key: author.secret });
    await succeed(app, "POST", "/v1/agents/packed/versions", {}, { key: author.secret });
    const asked = { key: submitter.secret };
    const made = await succeed(app, "POST", "/v1/marketplace/listings", submissionOf(source), asked);
    const { listing_id, versions } = made;
    const body = { decision: "approve", digest: versions[0].digest };
    const own = await review({ listing_id }, body, { key: author.secret });
    expect(own.body).toMatchObject({ code: "own_review", detail: expect.stringContaining("changed what it packs") });
    expect((await review({ listing_id }, body, { key: await reviewer() })).status).toBe(200);
  });

  it("is refused to whoever decided an earlier version of the packed workflow at which nobody has looked", async () => {
    const people = await Promise.all([1, 2, 3].map(() => app.signedInMember("admin")));
    const [author, editor, submitter] = people.map(({ secret: key }) => ({ key }));
    const workflow = "packed_wf";
    const steps = [{ id: "done", set: { ok: true } }];
    await succeed(app, "POST", "/v1/workflows", { workflow, steps }, author);
    await succeed(app, "POST", `/v1/workflows/${workflow}/publish`, {}, author);
    const { headers } = await app.call("GET", `/v1/workflows/${workflow}`, editor);
    const draft = { steps, description: "Done." };
    const etag = { headers: { "if-match": headers.get("etag") as string } };
    await succeed(app, "PUT", `/v1/workflows/${workflow}`, draft, { ...editor, ...etag });
    await succeed(app, "POST", `/v1/workflows/${workflow}/publish`, {}, editor);
    const source = { kind: "workflow", workflow, version: 2 } as const;
    const made = await succeed(app, "POST", "/v1/marketplace/listings", submissionOf(source), submitter);
    const refused = await review(made, { decision: "approve", digest: made.versions[0].digest }, author);
    expect(refused.body).toMatchObject({ code: "own_review" });
  });

  it("takes a credential that its person took up personally in staging, and says where to get one", async () => {
    const made = await importedListing(app);
    const { secret } = await app.member("admin", "staging");
    const refused = await approve(made, { key: secret });
    expect(refused.body).toMatchObject({ code: "own_review", detail: expect.stringContaining("/sign-in") });
    expect((await approve(made, { key: await reviewer("staging") })).body.versions[0].review_strict).toBe(true);
  });

  it("by another credential in development counts there alone, until somebody raises it", async () => {
    const submitter = await app.signedInMember("admin");
    const made = await importedListing(app, undefined, { key: submitter.secret });
    const first = await approve(made, { key: (await app.member("admin")).secret });
    expect(first.body.versions[0]).toMatchObject({ state: "approved", review_strict: false });
    expect((await approve(made)).body.versions[0]).toMatchObject({ state: "approved", review_strict: true });
    expect((await approve(made)).body.code).toBe("listing_state");
  });

  it("names the digest of what was read", async () => {
    const made = await importedListing(app);
    const missing = await review(made, { decision: "approve" }, { key: await reviewer() });
    expect(missing.body.errors).toEqual([{ pointer: "/digest", code: "required", detail: expect.any(String) }]);
    const other = await approve({ ...made, digest: `sha256:${"0".repeat(64)}` });
    expect([other.status, other.body.code]).toEqual([409, "listing_state"]);
  });

  it("of a version with errors in its scan takes a word that they are accepted", async () => {
    const planted = withFile(smallFiles("agent"), "readme.md", "Pay \u202eback.\n");
    const made = await importedListing(app, planted);
    const refused = await approve(made);
    expect([refused.status, refused.body.code]).toEqual([409, "scan_findings"]);
    const body = { decision: "approve", digest: made.digest, accept_findings: true, reason: "It shows an attack." };
    expect((await review(made, body, { key: await reviewer() })).body.state).toBe("approved");
  });
});

describe("deciding otherwise", () => {
  it("rejects a version for good, by one person", async () => {
    const made = await importedListing(app);
    const rejected = await review(made, { decision: "reject", reason: "It asks too much." });
    expect(rejected.body).toMatchObject({ state: "rejected", versions: [{ reason: "It asks too much." }] });
    expect((await approve(made)).body.code).toBe("listing_state");
    expect(await lastEvent("listing.reviewed")).toMatchObject({ decision: "reject", reason: "It asks too much." });
  });

  it("quarantines all approved versions at once, and tells of it", async () => {
    const made = await importedListing(app);
    const next = await importedListing(app, smallFiles("agent", { version: "1.1.0" }), {
      publisher: made.publisher,
      listing: made.listing_id,
    });
    await approve(made);
    await approve(next);
    const { body } = await review(made, { decision: "quarantine" });
    expect(body.versions.map(({ state }: { state: string }) => state)).toEqual(["quarantined", "quarantined"]);
    expect(await lastEvent("listing.recalled")).toMatchObject({
      listing_id: made.listing_id,
      kind: "quarantine",
      versions: ["1.1.0", "1.0.0"],
    });
  });

  it("ends a quarantine with the last version that is approved again", async () => {
    const made = await importedListing(app);
    const next = await importedListing(app, smallFiles("agent", { version: "1.1.0" }), {
      publisher: made.publisher,
      listing: made.listing_id,
    });
    await approve(made);
    await approve(next);
    await review(made, { decision: "quarantine" });
    const liftedAt = async () =>
      (await app.call("GET", "/v1/marketplace/recalls")).body.data.find(
        ({ listing_id }: { listing_id: string }) => listing_id === made.listing_id,
      ).lifted_at;
    await approve(made);
    expect(await liftedAt()).toBeNull();
    await approve(next);
    expect(await liftedAt()).toEqual(expect.any(String));
  });

  it("recalls one version and leaves the others, of which the newest is shown", async () => {
    const made = await importedListing(app);
    const next = await importedListing(app, smallFiles("agent", { version: "1.1.0" }), {
      publisher: made.publisher,
      listing: made.listing_id,
    });
    await approve(made);
    await approve(next);
    const { body } = await review(made, { decision: "recall", version: "1.1.0" });
    expect(body).toMatchObject({ state: "approved", version: "1.0.0" });
    expect((await review(made, { decision: "quarantine", version: "1.1.0" })).body.code).toBe("listing_state");
  });

  it("lets one of two that come at once win", async () => {
    const made = await importedListing(app);
    const key = await reviewer();
    const both = await Promise.all([
      review(made, { decision: "approve", digest: made.digest }, { key }),
      review(made, { decision: "reject" }),
    ]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  it("refuses what applies to approvals alone", async () => {
    const made = await importedListing(app);
    const { body } = await review(made, { decision: "reject", accept_findings: true });
    expect(body.errors).toEqual([{ pointer: "/accept_findings", code: "not_allowed", detail: expect.any(String) }]);
  });
});
