import { expect, it } from "vitest";
import { useApp } from "../../../../testing/app.ts";
import { attach, counts } from "../connectors.fixture.ts";
import { startLine, startSite } from "../servers.fixture.ts";

const app = useApp({ role: "all" });
const page = (title: string, body: string, head = "") =>
  `<!doctype html><html><head><title>${title}</title>${head}</head><body>${body}</body></html>`;
const link = (href: string) => `<a href="${href}">more</a>`;
const website = (source: object) => ({ kind: "website", source: { delay_seconds: 0, ...source } });
const pagesOf = async (documents: Promise<Record<string, string>>, { url }: { url: string }) =>
  Object.keys(await documents).map((address) => address.replace(url, ""));

it("follows links within the origin, and asks later only for what changed", async () => {
  const site = await startSite({
    "index.html": page("Home", link("a.html") + link("sub/b.html#part") + link("https://elsewhere.example/")),
    "a.html": page("A", `${link("/")}Alpha.`),
    "sub/b.html": page("B", `${link("../c.html")}Beta.`),
    "c.html": page("C", "Gamma."),
    "orphan.html": page("Orphan", "Nobody links here."),
  });
  const { sync, documents } = await attach(app, website({ url: `${site.url}/` }));
  expect(counts(await sync())).toMatchObject({ state: "completed", added: 4, failed: 0 });
  expect(await pagesOf(documents(), site)).toEqual(["/", "/a.html", "/c.html", "/sub/b.html"]);
  site.write("a.html", page("A", "Alpha, changed."));
  site.write("sub/b.html", page("B", "Beta without a link."));
  site.asked.length = 0;
  expect(counts(await sync())).toEqual({
    state: "completed",
    added: 0,
    changed: 2,
    removed: 1,
    unchanged: 1,
    failed: 0,
  });
  expect(site.asked).toContain("GET / 304");
  expect(site.headers.every((headers) => headers["user-agent"] === "AOS-Knowledge/1.0")).toBe(true);
});

it("obeys robots.txt, noindex, nofollow and canonical links", async () => {
  const site = await startSite({
    "robots.txt": "User-agent: *\nDisallow: /\n\nUser-agent: aos-knowledge\nDisallow: /private/\nCrawl-delay: 0.05\n",
    "index.html": page("Home", ["private/x.html", "hidden.html", "twin.html", "dead-end.html"].map(link).join("")),
    "private/x.html": page("Private", "Not to be read."),
    "hidden.html": page("Hidden", link("behind-hidden.html"), '<meta name="robots" content="noindex">'),
    "behind-hidden.html": page("Behind", "Read."),
    "twin.html": page("Twin", "The same.", '<link rel="canonical" href="/original.html">'),
    "original.html": page("Original", "The same."),
    "dead-end.html": page("End", link("unfollowed.html"), '<meta name="robots" content="nofollow">'),
    "unfollowed.html": page("Unfollowed", "Not to be found."),
  });
  const { sync, documents } = await attach(app, website({ url: `${site.url}/` }));
  expect(await sync()).toMatchObject({ state: "completed", partial: null });
  expect(await pagesOf(documents(), site)).toEqual(["/", "/behind-hidden.html", "/dead-end.html", "/original.html"]);
  expect(site.asked.some((asked) => asked.includes("/private/"))).toBe(false);
});

it("takes the pages of a sitemap and of an index of sitemaps, and follows no links then", async () => {
  const site = await startSite({
    "sitemap.xml":
      "<sitemapindex><sitemap><loc>{site}/one.xml</loc></sitemap><sitemap><loc>https://elsewhere.example/s.xml</loc></sitemap></sitemapindex>",
    "one.xml":
      "<urlset><url><loc>{site}/a.html</loc></url><url><loc>{site}/guides/b.html?x=1&amp;y=2</loc></url></urlset>",
    "a.html": page("A", link("c.html")),
    "guides/b.html": page("B", "Beta."),
    "c.html": page("C", "Gamma."),
  });
  const { sync, documents } = await attach(app, website({ sitemap: `${site.url}/sitemap.xml` }));
  await sync();
  expect(await pagesOf(documents(), site)).toEqual(["/a.html", "/guides/b.html?x=1&y=2"]);
});

it("removes nothing where a page cannot be read, since its links are unknown", async () => {
  const site = await startSite({
    "index.html": page("Home", link("a.html") + link("b.html")),
    "a.html": page("A", link("behind.html")),
    "b.html": page("B", "Beta."),
    "behind.html": page("Behind", "Only A leads here."),
  });
  const { sync, documents } = await attach(app, website({ url: `${site.url}/` }));
  await sync();
  site.write("index.html", page("Home", link("a.html"))); // b is gone
  site.write("a.html", "x".repeat(11_000_000)); // too large to be read
  const partial = await sync();
  expect(partial).toMatchObject({ state: "completed", removed: 0, failed: 1, partial: expect.any(String) });
  expect(partial.failures.data).toMatchObject([{ item: `${site.url}/a.html`, code: "response_too_large" }]);
  expect(await pagesOf(documents(), site)).toHaveLength(4);
  site.write("a.html", page("A", `${link("behind.html")}Back.`));
  expect(counts(await sync())).toMatchObject({ state: "completed", changed: 1, removed: 1, failed: 0 });
});

it("stops at its limits of pages and depth", async () => {
  const site = await startSite({
    "index.html": page("Home", link("1.html")),
    ...Object.fromEntries([1, 2, 3, 4].map((n) => [`${n}.html`, page(`${n}`, link(`${n + 1}.html`))])),
  });
  const deep = await attach(app, website({ url: `${site.url}/`, most_depth: 2 }));
  expect(await deep.sync()).toMatchObject({ state: "completed", added: 3, partial: null });
  const many = await attach(app, website({ url: `${site.url}/`, most_items: 2 }));
  expect(await many.sync()).toMatchObject({
    state: "completed",
    added: 2,
    partial: expect.stringContaining("more than 2"),
  });
});

it("sends a connection's secret to its own origin alone", async () => {
  const [own, other] = [await startSite({}), await startSite({ "b.html": page("B", "Beta.") })];
  own.write("index.html", page("Home", link(`${other.url}/b.html`)));
  const body = { name: "docs", kind: "http", base_url: own.url, secret: "a-token-of-the-docs" };
  expect((await app.call("POST", "/v1/admin/connections", { body })).status).toBe(201);
  const source = website({ url: `${own.url}/`, origins: [other.url] });
  const { sync } = await attach(app, { ...source, connection: "docs" });
  expect(await sync()).toMatchObject({ state: "completed", added: 2 });
  expect(own.headers.every(({ authorization }) => authorization === "Bearer a-token-of-the-docs")).toBe(true);
  expect(other.headers.some(({ authorization }) => authorization !== undefined)).toBe(false);
});

it("fails where robots.txt refuses the start or nobody listens, and removes nothing", async () => {
  const site = await startSite({ "index.html": page("Home", "Text.") });
  const { sync, documents } = await attach(app, website({ url: `${site.url}/` }));
  await sync();
  site.write("robots.txt", "User-agent: *\nDisallow: /\n");
  expect(await sync()).toMatchObject({ state: "failed", removed: 0, error: { code: "robots_refuse" } });
  expect(await pagesOf(documents(), site)).toEqual(["/"]);
  const nowhere = await attach(app, website({ url: "http://127.0.0.1:9/" }));
  expect(await nowhere.sync()).toMatchObject({ state: "failed", error: { code: "connect_failed" } });
});

it("keeps what came before the server broke off, and completes later", async () => {
  const names = Array.from({ length: 14 }, (_, at) => `${at}.html`);
  const pages = names.map((name) => [name, page(name, `Page ${name}.`)]);
  const site = await startSite({ "index.html": page("Home", names.map(link).join("")), ...Object.fromEntries(pages) });
  const line = await startLine(Number(new URL(site.url).port));
  const { sync, documents } = await attach(app, website({ url: `http://127.0.0.1:${line.port}/` }));
  line.left = 7; // robots.txt, the start and five pages
  const broken = await sync();
  expect(broken).toMatchObject({
    state: "failed",
    added: 6,
    removed: 0,
    error: { code: expect.stringMatching(/^connect/) },
  });
  line.left = Number.POSITIVE_INFINITY;
  expect(counts(await sync())).toEqual({
    state: "completed",
    added: 9,
    changed: 0,
    removed: 0,
    unchanged: 6,
    failed: 0,
  });
  expect(Object.keys(await documents())).toHaveLength(15);
});
