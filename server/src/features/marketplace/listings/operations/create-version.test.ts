import { expect, it } from "vitest";
import { useApp } from "../../../../testing/app.ts";
import { useWorkerProcess } from "../../../../testing/worker.ts";
import { runJobOf, skillsThat } from "../../../evaluations/testing.ts";
import { ownAgent, packedIn, setOwnGate, submissionOf, succeed } from "../../bundles/own-work.fixture.ts";
import { smallFiles } from "../../marketplace.fixture.ts";
import type { ListingSource } from "../../schemas.ts";
import { importedListing, newStranger, setVersionState } from "../listings.fixture.ts";

const app = useApp();
const workers = useWorkerProcess(app);
const listings = "/v1/marketplace/listings";
const next = (listing: string, body: object) => app.call("POST", `${listings}/${listing}/versions`, { body });

/** A listing of a new agent in version 1.0.0. */
async function agentListing(more: object = {}) {
  const own = await ownAgent(app);
  await setOwnGate(app, own);
  const source: ListingSource = { kind: "agent", agent: own.name, version: 1 };
  const { listing_id } = await succeed(app, "POST", listings, submissionOf(source, more));
  return { own, source, listing_id };
}

it("keeps what the body leaves out, and goes up", async () => {
  const { own, source, listing_id } = await agentListing({
    readme: "# Sorter\n",
    license: "MIT",
    requires: ["A shop."],
  });
  const said = { version: "1.1.0", source, title: "Better", changes: "Better.", data: { [own.dataset]: "Made up." } };
  const second = await next(listing_id, said);
  expect([second.status, second.body.listing_id], second.text).toEqual([201, listing_id]);
  const third = await next(listing_id, { version: "1.10.0", source });
  expect(third.body.versions.map(({ version }: { version: string }) => version)).toEqual(["1.10.0", "1.1.0", "1.0.0"]);
  const { manifest, contents } = await packedIn(app, listing_id, "1.10.0");
  expect(manifest).toMatchObject({ title: "Better", license: "MIT", requires: { notes: ["A shop."] } });
  expect([contents.readme, contents.datasets[0]?.data]).toEqual(["# Sorter\n", "Made up."]);
  const earlier = await next(listing_id, { version: "1.9.0", source });
  expect([earlier.status, earlier.body]).toMatchObject([409, { code: "listing_exists", listing_id }]);
});

it("shows the approved version until the new one is approved", async () => {
  const { source, listing_id } = await agentListing();
  await setVersionState(app, { listing_id, version: "1.0.0" }, "approved");
  const { body } = await next(listing_id, { version: "2.0.0", source, title: "New" });
  expect(body).toMatchObject({ state: "approved", version: "1.0.0" });
});

it("has a scorecard of the newest finished runs of exactly its version", async () => {
  const { own, source, listing_id } = await agentListing();
  const run = { dataset: own.dataset, version: 1, scorers: [own.scorer] };
  const { run_id } = await succeed(app, "POST", "/v1/evaluations/runs", run);
  await runJobOf(
    workers,
    skillsThat(() => ({ topic: "billing" })),
  )(app, { run_id });
  const { body, text } = await next(listing_id, { version: "2.0.0", source });
  const { contents } = await packedIn(app, listing_id, "2.0.0");
  expect(contents.scorecard, text).toMatchObject({
    model: "builtin",
    training: null,
    gate: { floor: 0.4, tolerance: 0.05 },
    datasets: [{ name: own.dataset, digest: contents.datasets[0]?.digest, items: 3 }],
    results: [{ dataset: own.dataset, scorer: own.scorer, items: 2, mean: 0.5, confidence: 0.95 }],
  });
  expect(body.versions[0].version).toBe("2.0.0");
  await app.pool.query("update evaluation_results set scores = '{}' where run_id = $1", [run_id]);
  const changed = await next(listing_id, { version: "3.0.0", source });
  const another = await app.call("POST", listings, { body: submissionOf(source) });
  for (const refused of [changed, another])
    expect([refused.status, refused.body.code]).toEqual([500, "result_not_intact"]);
});

it("is of the listing's kind", async () => {
  const { own, listing_id } = await agentListing();
  const { status, body } = await next(listing_id, {
    version: "2.0.0",
    source: { kind: "scorer", scorers: [own.scorer] },
  });
  expect([status, body.errors]).toMatchObject([422, [{ pointer: "/source/kind", code: "another_kind" }]]);
});

it("of another publisher comes as a file alone", async () => {
  const { source } = await agentListing();
  const publisher = newStranger();
  const { listing_id } = await importedListing(app, smallFiles("agent"), { publisher });
  const refused = await next(listing_id, { version: "2.0.0", source });
  expect([refused.status, refused.body]).toMatchObject([409, { code: "not_own_listing", listing_id }]);
  const second = await importedListing(app, smallFiles("agent", { version: "1.1.0" }), {
    publisher,
    listing: listing_id,
  });
  expect(second.listing_id).toBe(listing_id);
});

it("refuses a file that is no bundle", async () => {
  const { listing_id } = await importedListing(app, smallFiles("scorer"));
  const { status, body } = await next(listing_id, { file: "{}" });
  expect([status, body.code]).toEqual([422, "bundle_refused"]);
});
