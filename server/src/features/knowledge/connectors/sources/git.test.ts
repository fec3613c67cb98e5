import { rmSync, symlinkSync } from "node:fs";
import path from "node:path";
import { beforeAll, expect, it } from "vitest";
import { useApp } from "../../../../testing/app.ts";
import { attach, counts } from "../connectors.fixture.ts";
import { type GitServer, oidOf, type RawObject, startGit, startHostileGit, treeOf } from "../git.fixture.ts";

const app = useApp({ role: "all" });
let server: GitServer;
beforeAll(async () => {
  server = await startGit();
});

const urls = async (base: string): Promise<Record<string, string>> => {
  const { body } = await app.call("GET", `/v1/knowledge/bases/${base}/documents`);
  return Object.fromEntries(body.data.map((one: { external_id: string; url: string }) => [one.external_id, one.url]));
};

it("takes over what is new, changed, renamed and gone between commits, and fetches nothing for the same commit", async () => {
  for (const [name, text] of Object.entries({ "a.md": "Alpha.", "docs/b.md": "Beta.", "docs/c.md": "Gamma." }))
    server.write(name, text);
  server.commit();
  const link = "https://git.example.com/handbook/blob/{ref}/{path}";
  const { base, sync, documents } = await attach(app, { kind: "git", source: { url: server.url, link } });
  const none = { state: "completed", added: 0, changed: 0, removed: 0, unchanged: 0, failed: 0 };
  expect(counts(await sync())).toEqual({ ...none, added: 3 });
  expect(await documents()).toEqual({ "a.md": "Alpha.", "docs/b.md": "Beta.", "docs/c.md": "Gamma." });
  expect(await urls(base)).toMatchObject({ "docs/b.md": "https://git.example.com/handbook/blob/main/docs/b.md" });
  server.asked.length = 0;
  expect(counts(await sync())).toEqual(none);
  expect(server.asked).toEqual(["GET /handbook.git/.git/info/refs"]);
  server.write("a.md", "Alpha, changed.");
  server.write("d.md", "Delta.");
  server.git("mv", "docs/b.md", "docs/renamed.md");
  server.git("rm", "-q", "docs/c.md");
  server.commit();
  expect(counts(await sync())).toEqual({ ...none, added: 2, changed: 1, removed: 2 });
  expect(await documents()).toEqual({ "a.md": "Alpha, changed.", "d.md": "Delta.", "docs/renamed.md": "Beta." });
});

it("follows a branch that was pushed by force, and reads a tag and a commit as they are", async () => {
  server.git("checkout", "-q", "--orphan", "forced");
  server.write("a.md", "Before.");
  const before = server.commit();
  server.git("tag", "-a", "v1", "-m", "first");
  const branch = await attach(app, { kind: "git", source: { url: server.url, ref: "forced", include: ["a.md"] } });
  await branch.sync();
  server.write("a.md", "After.");
  server.git("add", "-A");
  server.git("commit", "-q", "--amend", "-m", "rewritten");
  expect(counts(await branch.sync())).toMatchObject({ added: 0, changed: 1, removed: 0 });
  expect(await branch.documents()).toEqual({ "a.md": "After." });
  for (const source of [{ ref: "v1" }, { ref: before, shallow: false }]) {
    const { sync, documents } = await attach(app, {
      kind: "git",
      source: { url: server.url, include: ["a.md"], ...source },
    });
    expect(counts(await sync())).toMatchObject({ state: "completed", added: 1 });
    expect(await documents()).toEqual({ "a.md": "Before." });
  }
  server.git("checkout", "-q", "main");
});

it("takes the files below a folder that its patterns name, and says what it leaves out", async () => {
  server.git("checkout", "-q", "--orphan", "odd");
  server.write("in/a.md", "Taken.");
  server.write("in/b.txt", "Not asked for.");
  server.write("in/drafts/c.md", "A draft.");
  server.write("out/d.md", "Outside.");
  server.write("in/big.md", `version https://git-lfs.github.com/spec/v1\noid sha256:${"0".repeat(64)}\nsize 9\n`);
  symlinkSync("/etc/passwd", path.join(server.folder, "in/link.md"));
  server.git("add", "in", "out");
  server.git("update-index", "--add", "--cacheinfo", `160000,${"1".repeat(40)},in/module`);
  server.git("commit", "-q", "-m", "odd");
  server.git("checkout", "-qf", "main");
  rmSync(path.join(server.folder, "in"), { recursive: true, force: true });
  const source = { url: server.url, ref: "odd", path: "in", include: ["in/**/*.md"], exclude: ["in/drafts/**"] };
  const { sync, documents } = await attach(app, { kind: "git", source });
  const left_out =
    "Left out: pointers of Git LFS (1): in/big.md; submodules (1): in/module; symbolic links (1): in/link.md.";
  expect(await sync()).toMatchObject({ state: "completed", added: 1, failed: 0, left_out });
  expect(await documents()).toEqual({ "in/a.md": "Taken." });
  expect(await sync()).toMatchObject({ added: 0, removed: 0, left_out });
});

it("sends the connection's secret to the repository", async () => {
  const secret = {
    kind: "http",
    base_url: new URL(server.url).origin,
    secret: "reader:a-git-token",
    auth: { scheme: "basic" },
  };
  await app.call("POST", "/v1/admin/connections", { body: { name: "git", ...secret } });
  const { sync } = await attach(app, { kind: "git", source: { url: server.url }, connection: "git" });
  server.headers.length = 0;
  expect(await sync()).toMatchObject({ state: "completed" });
  const basic = `Basic ${Buffer.from("reader:a-git-token").toString("base64")}`;
  expect(server.headers.map(({ authorization }) => authorization)).toEqual([basic, basic]);
});

it.each([
  ["a branch that it does not have", { ref: "missing" }, "ref_not_found", "Its branches are: "],
  ["a folder that it does not have", { path: "missing" }, "path_not_found", "no folder missing"],
  ["a commit that the server does not send", { ref: "1".repeat(40) }, "commit_not_found", "set `shallow` to false"],
])("removes nothing and says why for %s", async (_what, wrong, code, detail) => {
  const { base, connector, sync, documents } = await attach(app, { kind: "git", source: { url: server.url } });
  await sync();
  const before = await documents();
  const body = { source: { url: server.url, ...wrong } };
  await app.call("PATCH", `/v1/knowledge/bases/${base}/connectors/${connector}`, { body });
  const failed = await sync();
  expect(failed).toMatchObject({ state: "failed", removed: 0, error: { code } });
  expect(failed.error?.detail).toContain(detail);
  expect(await documents()).toEqual(before);
});

const blob = (text: string | Buffer, declared?: number): RawObject => ({
  type: "blob",
  body: Buffer.from(text),
  ...(declared === undefined ? {} : { declared }),
});
const one = blob("x");
const big = blob(Buffer.alloc(5 * 1_048_576));
const liar = blob(Buffer.alloc(1_048_576), 10);
const file = treeOf([["100644", "a.md", oidOf(one)]]);

/** Ten folders of one tree in each of ten levels: 10 billion paths in a pack of a kilobyte. */
function branching(levels: number): RawObject[] {
  const trees = [file];
  for (let level = 0; level < levels; level++) {
    const below = oidOf(trees.at(-1) as RawObject);
    trees.push(treeOf(Array.from({ length: 10 }, (_, at) => ["40000", `f${at}`, below] as const)));
  }
  return trees;
}
function deep(levels: number): RawObject[] {
  const trees = [file];
  for (let level = 0; level < levels; level++) trees.push(treeOf([["40000", "f", oidOf(trees.at(-1) as RawObject)]]));
  return trees;
}
const nested = (trees: RawObject[]): [RawObject, RawObject[]] => [
  trees.at(-1) as RawObject,
  [...trees.slice(0, -1), one],
];

it.each<[string, RawObject, RawObject[], number | undefined, string]>([
  [
    "unpacks to more than its limit",
    treeOf([["100644", "a.md", oidOf(big)]]),
    [big],
    undefined,
    "repository_too_large",
  ],
  [
    "declares less than it unpacks to",
    treeOf([["100644", "a.md", oidOf(liar)]]),
    [liar],
    undefined,
    "repository_damaged",
  ],
  ["declares more objects than it holds", file, [one], 4_000, "repository_damaged"],
  ["declares objects without end", file, [one], 4_000_000_000, "repository_too_large"],
  [
    "has a name that leads out of its folder",
    treeOf([["100644", "../a.md", oidOf(one)]]),
    [one],
    undefined,
    "path_unsafe",
  ],
  ["has a folder for git itself", treeOf([["40000", ".git", oidOf(file)]]), [file, one], undefined, "path_unsafe"],
  ["has folders in one another without end", ...nested(deep(200)), undefined, "repository_too_deep"],
  ["lacks a file", file, [], undefined, "repository_damaged"],
])("takes nothing from a repository that %s", async (_what, root, others, count, code) => {
  const url = await startHostileGit(root, others, count);
  const { sync, documents } = await attach(app, { kind: "git", source: { url, most_megabytes: 1 } });
  const ended = await sync();
  expect(ended).toMatchObject({ added: 0, removed: 0 });
  expect([ended.error?.code ?? ended.failures.data[0]?.code]).toEqual([code]);
  expect(await documents()).toEqual({});
});

it("takes as many files as it may of a tree that branches without end, and removes nothing", async () => {
  const url = await startHostileGit(...nested(branching(10)));
  const { sync } = await attach(app, { kind: "git", source: { url, most_items: 3 } });
  expect(await sync()).toMatchObject({ state: "completed", added: 3, partial: expect.stringContaining("more than 3") });
});

it("says that an address is none of git", async () => {
  const { sync } = await attach(app, { kind: "git", source: { url: `${new URL(server.url).origin}/missing.git` } });
  expect(await sync()).toMatchObject({ state: "failed", error: { code: "not_found" } });
});
