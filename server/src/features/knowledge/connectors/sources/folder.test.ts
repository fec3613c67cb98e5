import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, it } from "vitest";
import { useApp } from "../../../../testing/app.ts";
import { attach, counts } from "../connectors.fixture.ts";

const allowed = realpathSync(mkdtempSync(path.join(tmpdir(), "aos-folders-")));
const app = useApp({ role: "all", knowledgeFolders: [allowed] });
afterAll(() => rmSync(allowed, { recursive: true, force: true }));

let folders = 0;
function newFolder(files: Record<string, string>): string {
  const folder = path.join(allowed, `folder-${++folders}`);
  for (const [name, text] of Object.entries(files)) write(folder, name, text);
  return folder;
}
function write(folder: string, name: string, text: string): void {
  mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
  writeFileSync(path.join(folder, name), text);
}

it("takes over what is new, changed and gone, and leaves alone what is as it was", async () => {
  const folder = newFolder({ "a.md": "Alpha.", "guides/b.md": "Beta.", "guides/c.md": "Gamma." });
  const { sync, documents } = await attach(app, { kind: "folder", source: { path: folder } });
  expect(counts(await sync())).toEqual({
    state: "completed",
    added: 3,
    changed: 0,
    removed: 0,
    unchanged: 0,
    failed: 0,
  });
  expect(await documents()).toEqual({ "a.md": "Alpha.", "guides/b.md": "Beta.", "guides/c.md": "Gamma." });
  write(folder, "a.md", "Alpha, changed.");
  write(folder, "d.md", "Delta.");
  rmSync(path.join(folder, "guides/c.md"));
  expect(counts(await sync())).toEqual({
    state: "completed",
    added: 1,
    changed: 1,
    removed: 1,
    unchanged: 1,
    failed: 0,
  });
  expect(await documents()).toEqual({ "a.md": "Alpha, changed.", "d.md": "Delta.", "guides/b.md": "Beta." });
});

it("counts a file that was only touched as unchanged", async () => {
  const folder = newFolder({ "a.md": "The same." });
  const { sync } = await attach(app, { kind: "folder", source: { path: folder } });
  await sync();
  utimesSync(path.join(folder, "a.md"), 1, 1);
  expect(counts(await sync())).toMatchObject({ changed: 0, unchanged: 1 });
  expect(counts(await sync())).toMatchObject({ changed: 0, unchanged: 1 });
});

it("leaves out hidden files, links and what is not asked for", async () => {
  const folder = newFolder({
    "in/a.md": "Taken.",
    "in/.secret": "Hidden.",
    "in/b.txt": "Not asked for.",
    "in/drafts/c.md": "Draft.",
  });
  const outside = mkdtempSync(path.join(tmpdir(), "aos-outside-"));
  write(outside, "stolen.md", "Outside.");
  symlinkSync(path.join(outside, "stolen.md"), path.join(folder, "in/link.md"));
  symlinkSync(outside, path.join(folder, "in/linked"));
  const source = { path: folder, include: ["**/*.md"], exclude: ["in/drafts/**"] };
  const { sync, documents } = await attach(app, { kind: "folder", source });
  await sync();
  expect(await documents()).toEqual({ "in/a.md": "Taken." });
  rmSync(outside, { recursive: true });
});

it.each([
  ["/etc", "folder_not_allowed"],
  [`${allowed}/../etc`, "not_plain"],
  [`${allowed}-beside`, "folder_not_allowed"],
])("refuses %s", async (folder, code) => {
  await app.call("POST", "/v1/knowledge/bases", { body: { name: "refused" } });
  const body = { name: "source", kind: "folder", source: { path: folder } };
  const answered = await app.call("POST", "/v1/knowledge/bases/refused/connectors", { body });
  expect([answered.status, answered.body.errors]).toMatchObject([422, [{ pointer: "/source/path", code }]]);
});

it("does not follow a link in the folder's own path out of what is allowed", async () => {
  symlinkSync("/etc", path.join(allowed, "out"));
  const { sync } = await attach(app, { kind: "folder", source: { path: path.join(allowed, "out") } });
  expect(await sync()).toMatchObject({ state: "failed", error: { code: "folder_not_allowed" }, added: 0 });
});

it("removes nothing where the folder is gone, and goes on once it is back", async () => {
  const folder = newFolder({ "a.md": "Alpha." });
  const { sync, documents } = await attach(app, { kind: "folder", source: { path: folder } });
  await sync();
  rmSync(folder, { recursive: true });
  expect(await sync()).toMatchObject({ state: "failed", error: { code: "folder_not_found" }, removed: 0 });
  expect(await documents()).toEqual({ "a.md": "Alpha." });
  write(folder, "b.md", "Beta.");
  expect(counts(await sync())).toMatchObject({ state: "completed", added: 1, removed: 1 });
});

it("deletes more than half of a large source only when a person confirms it", async () => {
  const names = Array.from({ length: 20 }, (_, at) => `${at}.md`);
  const folder = newFolder(Object.fromEntries(names.map((name) => [name, `File ${name}.`])));
  const { sync, documents } = await attach(app, { kind: "folder", source: { path: folder } });
  await sync();
  for (const name of names.slice(0, 11)) rmSync(path.join(folder, name));
  const refused = await sync();
  expect(refused).toMatchObject({ state: "failed", removed: 0, error: { code: "removals_not_confirmed" } });
  expect(refused.error?.detail).toContain("11 of the 20");
  expect(Object.keys(await documents())).toHaveLength(20);
  expect(counts(await sync({ connector: "source", confirm_removals: true }))).toMatchObject({
    state: "completed",
    removed: 11,
  });
  expect(Object.keys(await documents())).toHaveLength(9);
});

it("takes no document over that another hand put under the same external id", async () => {
  const folder = newFolder({ "a.md": "From the folder." });
  const { base, sync, documents } = await attach(app, { kind: "folder", source: { path: folder } });
  await app.call("POST", `/v1/knowledge/bases/${base}/documents`, { body: { external_id: "a.md", text: "By hand." } });
  const { failures, failed } = await sync();
  expect([failed, failures.data]).toMatchObject([1, [{ item: "a.md", code: "external_id_taken" }]]);
  expect(await documents()).toEqual({ "a.md": "By hand." });
});
