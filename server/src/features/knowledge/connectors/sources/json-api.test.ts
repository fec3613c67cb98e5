import { beforeEach, expect, it } from "vitest";
import { useApp } from "../../../../testing/app.ts";
import { attach, counts } from "../connectors.fixture.ts";
import { type ApiItem, type JsonApi, startApi } from "../json-api.fixture.ts";
import { pauseOf } from "./json-client.ts";
import { nextInHeader } from "./json-pages.ts";
import { fill, parseJson, textAt } from "./json-place.ts";

const app = useApp({ role: "all" });
let api: JsonApi;
beforeEach(async () => {
  api = await startApi();
});

const item = (id: string, more: object = {}): ApiItem => ({ id, body: `Text of ${id}.`, ...more });
const numbered = (count: number): ApiItem[] => Array.from({ length: count }, (_, at) => item(`a${at}`));
const none = { state: "completed", added: 0, changed: 0, removed: 0, unchanged: 0, failed: 0 };
const attached = (more: object = {}, connector: object = {}) => {
  const source = { url: `${api.url}/articles`, items: "data", id: "id", ...more };
  return attach(app, { kind: "json-api", source, ...connector });
};

it.each([
  ["a cursor", { by: "cursor", cursor: "cursor", size: 3 }],
  ["the header Link", { by: "link" }],
  ["an address in the answer", { by: "link", next: "links.next" }],
  ["numbers of pages", { by: "page", size: 3 }],
  ["offsets", { by: "offset", size: 3 }],
])("takes over all pages by %s, and later what is new, changed and gone", async (_what, pages) => {
  api.items = numbered(7);
  const url = `${api.url}/articles${pages.by === "link" ? "?limit=3" : ""}`;
  const { sync, documents } = await attached({ url, pages });
  expect(counts(await sync())).toEqual({ ...none, added: 7 });
  api.items = [...api.items.slice(1), item("new")].map((one) => (one.id === "a6" ? item("a6", { body: "New." }) : one));
  expect(counts(await sync())).toEqual({ ...none, added: 1, changed: 1, removed: 1, unchanged: 5 });
  expect(await documents()).toMatchObject({ a6: { body: "New." }, new: { body: "Text of new." } });
  expect(counts(await sync())).toEqual({ ...none, unchanged: 7 });
});

it("makes documents of items that it reads one by one, with title, link and metadata", async () => {
  const more = { body: "# Head\n\nText.", title: "First", team: { name: "sales" }, updated: "2026-11-01T00:00:00Z" };
  api.items = [item("a-b", more)];
  const source = {
    item: `${api.url}/articles/{id}`,
    item_at: "article",
    title: "{team.name}: {title}",
    text: "{body}",
    media_type: "text/markdown",
    fields: ["team.name"],
    link: "https://help.example.com/{id}",
    updated: "updated",
  };
  const { base, sync } = await attached(source);
  const read = async () => (await app.call("GET", `/v1/knowledge/bases/${base}/documents/a-b`)).body;
  await sync();
  expect(await read()).toMatchObject({
    title: "sales: First",
    media_type: "text/markdown",
    url: "https://help.example.com/a-b",
    metadata: { "team.name": "sales" },
    state: "indexed",
  });
  api.asked.length = 0;
  expect(counts(await sync())).toEqual({ ...none, unchanged: 1 });
  expect(api.asked).toEqual(["/articles"]);
  api.items = [{ ...api.items[0], title: "Renamed", updated: "2026-11-02T00:00:00Z" } as ApiItem];
  expect(counts(await sync())).toEqual({ ...none, changed: 1 });
  expect(await read()).toMatchObject({ title: "sales: Renamed" });
});

it("asks for what changed since, removes what the API calls deleted, and finds what vanished in the whole list", async () => {
  const at = (minute: number) => ({ updated: `2026-11-01T10:${minute}:00.000Z` });
  api.items = [item("a", at(10)), item("b", at(20)), item("c", at(30))];
  const { connector, sync, documents } = await attached({
    updated: "updated",
    deleted: "deleted_at",
    since: { parameter: "since" },
  });
  expect(counts(await sync())).toEqual({ ...none, added: 3 });
  api.items = [item("b", at(40)), item("c", { ...at(41), deleted_at: "2026-11-01" }), item("d", at(42))];
  api.asked.length = 0;
  expect(counts(await sync())).toEqual({ ...none, added: 1, changed: 1, removed: 1 });
  expect(api.asked).toEqual([`/articles?since=${encodeURIComponent("2026-11-01T10:29:00.000Z")}`]);
  expect(Object.keys(await documents())).toEqual(["a", "b", "d"]);
  await app.pool.query("update knowledge_connectors set memory = jsonb_set(memory, '{full_at}', '0') where id = $1", [
    connector,
  ]);
  expect(counts(await sync())).toEqual({ ...none, removed: 1, unchanged: 2 });
  expect(Object.keys(await documents())).toEqual(["b", "d"]);
});

it("removes nothing that only moved to an earlier page while the list was read", async () => {
  api.items = numbered(6);
  const { sync, documents } = await attached({ pages: { by: "page", size: 2 } });
  await sync();
  api.afterPage = () => {
    api.items = api.items.filter(({ id }) => id !== "a0");
    api.afterPage = () => undefined;
  };
  expect(counts(await sync())).toMatchObject({ added: 0, removed: 0 });
  expect(counts(await sync())).toMatchObject({ added: 0, removed: 1, unchanged: 5 });
  expect(Object.keys(await documents())).toEqual(["a1", "a2", "a3", "a4", "a5"]);
});

it.each<[string, JsonApi["first"][number][], string]>([
  ["an error", [[200, {}, JSON.stringify({ data: [], cursor: "1" })], [500]], "unexpected_answer"],
  ["an answer without a list", [[200, {}, '{"error": "try later"}']], "items_missing"],
  ["a page that is none of JSON", [[200, {}, "<html>"]], "not_json"],
  ["an item without id", [[200, {}, '{"data": [{}]}']], "id_missing"],
  ["a long pause", [[429, { "retry-after": "3600" }]], "rate_limited"],
  ["a cursor that repeats", [1, 2].map(() => [200, {}, '{"data": [], "cursor": "1"}'] as const), "pages_repeat"],
])("removes nothing when the list ends with %s", async (_what, answers, code) => {
  api.items = numbered(2);
  const { sync, documents } = await attached({ pages: { by: "cursor", cursor: "cursor" } });
  await sync();
  api.first.push(...answers);
  expect(await sync()).toMatchObject({ state: "failed", removed: 0, error: { code } });
  expect(Object.keys(await documents())).toHaveLength(2);
});

it("says that the API does not know the parameter of pages, and follows no page to another origin", async () => {
  api.items = numbered(2);
  const ignored = await attached({ pages: { by: "page", parameter: "p" } });
  expect(await ignored.sync()).toMatchObject({ state: "failed", error: { code: "pages_repeat" } });
  const elsewhere = await attached({ pages: { by: "link" } });
  api.first.push([200, { link: '<https://elsewhere.example.com/>; rel="next"' }, '{"data": []}']);
  expect(await elsewhere.sync()).toMatchObject({ state: "failed", error: { code: "next_elsewhere" } });
});

it("tries again after the pause that the API asks for, with the connection's header", async () => {
  api.items = numbered(1);
  const secret = { kind: "http", base_url: api.url, secret: "an-api-key", auth: { scheme: "header", header: "X-Key" } };
  await app.call("POST", "/v1/admin/connections", { body: { name: "api", ...secret } });
  api.first.push([429, { "retry-after": "0" }], [503, { "retry-after": "0" }]);
  const { sync } = await attached({}, { connection: "api" });
  expect(counts(await sync())).toEqual({ ...none, added: 1 });
  expect(api.headers.map((sent) => sent["x-key"])).toEqual(["an-api-key", "an-api-key", "an-api-key"]);
  const answer = (after: string) => ({ status: 429, headers: { "retry-after": after }, body: Buffer.alloc(0) });
  expect(pauseOf(answer("7"), 1, 0)).toBe(7_000);
  expect(pauseOf(answer("Thu, 01 Jan 1970 00:00:09 GMT"), 1, 2_000)).toBe(7_000);
  expect(pauseOf({ status: 429, headers: {}, body: Buffer.alloc(0) }, 3, 0)).toBe(4_000);
  expect(pauseOf({ status: 503, headers: {}, body: Buffer.alloc(0) }, 1, 0)).toBe(null);
});

it.each([
  ["/source/pages/cursor", "required", { pages: { by: "cursor" } }],
  ["/source/pages/size", "not_for_pages", { pages: { by: "link", size: 3 } }],
  ["/source/updated", "required", { since: { parameter: "since" } }],
  ["/source/media_type", "not_without_text", { media_type: "text/html" }],
  ["/source/item_at", "not_without_item", { item_at: "article" }],
  ["/source/item", "pattern", { item: "https://{host}/x" }],
])("names %s (%s) where it is wrong", async (pointer, code, wrong) => {
  await app.call("POST", "/v1/knowledge/bases", { body: { name: "wrong" } });
  const body = { name: "wrong", kind: "json-api", source: { url: `${api.url}/articles`, id: "id", ...wrong } };
  const { status, body: problem } = await app.call("POST", "/v1/knowledge/bases/wrong/connectors", { body });
  expect([status, problem.errors]).toMatchObject([422, [{ pointer, code }]]);
});

it("reads places, fills templates and keeps the digits of long numbers", () => {
  const text = '{"id": 12345678901234567890, "a": {"b": [{"c": 1.5}]}, "empty": null}';
  const value = parseJson(Buffer.from(text))?.value;
  expect(textAt(value, "id")).toBe("12345678901234567890");
  expect(fill("{a.b.0.c} of {empty}{missing} {a.b}", value)).toBe('1.5 of  [{"c":1.5}]');
  expect(fill("/x/{id}", { id: "a/b?c" }, encodeURIComponent)).toBe("/x/a%2Fb%3Fc");
  expect(textAt(value, "constructor")).toBe("");
  expect(
    nextInHeader({ link: '<https://a.example/?page=1>; rel="prev", </b?x=1,2>; title="x"; rel="next last"' }),
  ).toBe("/b?x=1,2");
  expect(nextInHeader({ link: '<https://a.example/>; rel="nextish"' })).toBe("");
});
