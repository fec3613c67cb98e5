import { expect, it } from "vitest";
import { useApp } from "../../../../testing/app.ts";
import { attach, counts } from "../connectors.fixture.ts";
import { startSite } from "../servers.fixture.ts";

const app = useApp({ role: "all" });
const rss = (...items: string[]) =>
  `<rss version="2.0"><channel><title>News</title><link>{site}</link><description>d</description>${items.join("")}</channel></rss>`;
const item = (id: string, text: string) =>
  `<item><guid>${id}</guid><title>Item ${id}</title><link>{site}/${id}</link><description>${text}</description></item>`;

it("takes the entries of an RSS feed, keeps those that it drops, and asks conditionally", async () => {
  const site = await startSite({ "feed.xml": rss(item("1", "First."), item("2", "Second.")) });
  const { sync, documents } = await attach(app, { kind: "feed", source: { url: `${site.url}/feed.xml` } });
  expect(counts(await sync())).toMatchObject({ state: "completed", added: 2 });
  expect(counts(await sync())).toMatchObject({ state: "completed", added: 0, changed: 0 });
  expect(site.asked.at(-1)).toBe("GET /feed.xml 304");
  site.write("feed.xml", rss(item("2", "Second, corrected."), item("3", "Third.")));
  expect(counts(await sync())).toMatchObject({ added: 1, changed: 1, removed: 0 });
  expect(await documents()).toEqual({ 1: "First.", 2: "Second, corrected.", 3: "Third." });
});

it("deletes what an Atom feed drops where it is told to", async () => {
  const entry = (id: string) =>
    `<entry><id>urn:${id}</id><title>${id}</title><updated>2026-01-01T00:00:00Z</updated><content type="html">&lt;p&gt;${id}&lt;/p&gt;</content></entry>`;
  const atom = (...ids: string[]) =>
    `<feed xmlns="http://www.w3.org/2005/Atom"><id>urn:f</id><title>f</title>${ids.map(entry).join("")}</feed>`;
  const site = await startSite({ "feed.xml": atom("a", "b") });
  const { sync, documents } = await attach(app, {
    kind: "feed",
    source: { url: `${site.url}/feed.xml` },
    keep_removed: false,
  });
  await sync();
  expect(await sync()).toMatchObject({ removed: 0 }); // 304 says nothing of entries
  site.write("feed.xml", atom("b"));
  expect(counts(await sync())).toMatchObject({ removed: 1, unchanged: 1 });
  expect(Object.keys(await documents())).toEqual(["urn:b"]);
});

it("fails on what is no feed", async () => {
  const site = await startSite({ "feed.xml": "<html><body>Moved.</body></html>" });
  const { sync } = await attach(app, { kind: "feed", source: { url: `${site.url}/feed.xml` } });
  expect(await sync()).toMatchObject({ state: "failed", error: { code: "not_a_feed" } });
});
