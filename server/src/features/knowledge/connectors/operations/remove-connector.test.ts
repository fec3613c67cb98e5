import { expect, it } from "vitest";
import { useApp } from "../../../../testing/app.ts";
import { attach } from "../connectors.fixture.ts";
import { startSite } from "../servers.fixture.ts";

const app = useApp({ role: "all" });
const feed = (n: number) =>
  `<rss version="2.0"><channel><title>f</title>${Array.from({ length: n }, (_, at) => `<item><guid>${at}</guid><title>t${at}</title></item>`).join("")}</channel></rss>`;

async function attached(items: number) {
  const site = await startSite({ "feed.xml": feed(items) });
  const made = await attach(app, { kind: "feed", source: { url: `${site.url}/feed.xml` } });
  expect(await made.sync()).toMatchObject({ added: items });
  return { ...made, where: `/v1/knowledge/bases/${made.base}/connectors` };
}

it("leaves what it brought in the base, by default", async () => {
  const { where, documents } = await attached(2);
  const removed = await app.call("DELETE", `${where}/source`);
  expect(removed.body).toMatchObject({ removed: true, documents: "kept" });
  expect(Object.keys(await documents())).toHaveLength(2);
  expect((await app.call("GET", where)).body.data).toEqual([]);
  expect((await app.call("DELETE", `${where}/source`)).status).toBe(404);
});

it("deletes what it brought where that is asked for, many documents bit by bit", async () => {
  const few = await attached(2);
  expect((await app.call("DELETE", `${few.where}/source?keep_documents=false`)).body.documents).toBe("deleted");
  expect(await few.documents()).toEqual({});
  const many = await attached(600);
  expect((await app.call("DELETE", `${many.where}/source?keep_documents=false`)).body.documents).toBe("being_deleted");
  expect((await app.call("GET", many.where)).body.data).toEqual([]);
  await expect.poll(many.documents, { timeout: 60_000 }).toEqual({});
  const { rows } = await app.pool.query("select state from knowledge_connectors where id = $1", [many.connector]);
  expect(rows).toEqual([]);
}, 90_000);
