import { expect, it } from "vitest";
import { useSharedApp } from "../../../../testing/shared-app.ts";
import { approvedListing, importedListing } from "../../listings/listings.fixture.ts";
import { small, smallFiles, withFile } from "../../marketplace.fixture.ts";
import { installed, newSuffix, previewIt } from "../installs.fixture.ts";

const app = useSharedApp();

it("shows the parts, what each needs, and what the version asks for", async () => {
  const suffix = newSuffix();
  const shown = await previewIt(app, await approvedListing(app), { suffix });
  expect([shown.faults, shown.key_change, shown.publisher.pinned]).toEqual([[], "first", false]);
  expect(shown.permissions.length).toBeGreaterThan(0);
  expect(shown.parts.find(({ kind }) => kind === "scorer")).toEqual({
    kind: "scorer",
    name: small.scorer + suffix,
    file: "scorers.json",
    action: "create",
    operation: "evaluations.setScorer",
    permission: "evaluations:write",
    permitted: true,
    taken: false,
  });
});

it("marks names that are taken", async () => {
  const { listing, suffix } = await installed(app);
  const { parts, faults, key_change } = await previewIt(app, listing, { suffix });
  expect(parts.filter(({ taken }) => taken).map(({ kind }) => kind)).toEqual([
    "knowledge_base",
    "agent",
    "dataset",
    "dataset",
    "scorer",
  ]);
  expect([faults.map(({ code }) => code), key_change]).toEqual([["names_taken"], "same"]);
});

it("marks what the key may not make, for every role that reads", async () => {
  const { secret } = await app.member("viewer");
  const shown = await previewIt(app, await approvedListing(app), { suffix: newSuffix() }, { key: secret });
  expect(shown.parts.some(({ permitted }) => permitted)).toBe(false);
  expect(shown.faults.map(({ code }) => code)).toEqual(["parts_not_permitted"]);
});

it("says that what another environment made of the same bundle is kept", async () => {
  const { listing, suffix } = await installed(app);
  const { parts, faults } = await previewIt(app, listing, { suffix }, { environment: "staging" });
  const kept = parts.filter(({ action }) => action === "keep").map(({ kind }) => kind);
  expect([kept, faults]).toEqual([["agent", "agent_version", "dataset", "dataset", "scorer"], []]);
});

it("says which connections are there", async () => {
  const files = smallFiles("tool_set", { requires: { connections: ["shop"] } });
  const listing = await approvedListing(app, files);
  const { connections } = await previewIt(app, listing);
  expect(connections).toEqual([{ name: "shop", present: false }]);
});

it("says why a version cannot be installed: it waits, or needs an agent that is there", async () => {
  const waiting = await previewIt(app, await importedListing(app), { suffix: newSuffix() });
  const tools = await approvedListing(app, smallFiles("tool_set"));
  const alone = await previewIt(app, tools, {});
  expect([waiting.faults, alone.faults]).toMatchObject([[{ code: "listing_state" }], [{ code: "invalid_body" }]]);
});

it("refuses a version that is not there, and a file that was changed", async () => {
  const listing = await approvedListing(app);
  const unknown = await previewIt(app, listing, { version: "9.9.9" });
  expect(unknown).toMatchObject({ errors: [{ pointer: "/version", code: "unknown_version" }] });
  await app.pool.query("update marketplace_versions set file = replace(file, 'Example', 'Exemple') where digest = $1", [
    listing.digest,
  ]);
  expect(await previewIt(app, listing)).toMatchObject({ code: "bundle_refused" });
});

/** The small agent with a tool that it did not have. */
function withTool(version: string) {
  const files = smallFiles("agent", { version });
  const yaml = files.get("agent.yaml")?.toString() as string;
  const tool =
    "  - { name: find_order, kind: http, effect: read, description: Finds orders., request: { method: GET, url: https://shop.example/orders } }\nskills:";
  return withFile(files, "agent.yaml", yaml.replace("skills:", tool));
}

it("shows what an update of an install changes, and what more it asks for", async () => {
  const { listing, install } = await installed(app);
  const { listing_id, publisher } = listing;
  await approvedListing(app, withTool("1.1.0"), { listing: listing_id, publisher });
  const shown = await previewIt(app, listing, { install: install.install_id });
  expect([shown.version, shown.faults]).toEqual(["1.1.0", []]);
  expect(shown.difference?.added.map(({ id }) => id)).toContain("tool:find_order");
  const changed = shown.parts.filter(({ action }) => action !== "keep").map(({ kind }) => kind);
  expect(changed).toEqual(["agent", "agent_version"]);
  const older = await previewIt(app, listing, { install: install.install_id, version: "1.0.0" });
  expect(older.faults).toMatchObject([{ code: "install_state" }]);
});

it("refuses to preview the update of an install that is another listing's", async () => {
  const [{ install }, other] = [await installed(app), await approvedListing(app)];
  const refused = await previewIt(app, other, { install: install.install_id });
  expect(refused).toMatchObject({ errors: [{ pointer: "/install", code: "unknown_install" }] });
});
