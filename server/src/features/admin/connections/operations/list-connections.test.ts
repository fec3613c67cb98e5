import { beforeAll, expect, it } from "vitest";
import { useApp } from "../../../../testing/app.ts";

const app = useApp();
const add = (name: string, kind = "openai", environment: "development" | "staging" = "development") =>
  app.call("POST", "/v1/admin/connections", {
    environment,
    body: {
      name,
      kind,
      secret: "sk-test-0123456789abcdef",
      ...(kind === "http" && { base_url: "https://a.example.com" }),
    },
  });
const list = async (query = "", environment: "development" | "staging" = "development") =>
  (await app.call("GET", `/v1/admin/connections${query}`, { environment })).body;
const names = (page: { data: { connection: string }[] }) => page.data.map(({ connection }) => connection);

beforeAll(async () => {
  for (const [name, kind] of [
    ["first", "openai"],
    ["second", "http"],
    ["third", "anthropic"],
  ] as const)
    await add(name, kind);
});

it("lists the connections of the environment, newest first, page by page", async () => {
  await add("elsewhere", "openai", "staging");
  expect(names(await list())).toEqual(["third", "second", "first"]);
  const page = await list("?limit=2");
  expect([names(page), page.has_more]).toEqual([["third", "second"], true]);
  expect(names(await list(`?limit=2&cursor=${page.next_cursor}`))).toEqual(["first"]);
  expect(names(await list("", "staging"))).toEqual(["elsewhere"]);
});

it("filters by kind", async () => {
  expect(names(await list("?kind=openai,http"))).toEqual(["second", "first"]);
  expect(names(await list("?kind=openai-compatible"))).toEqual([]);
});

it("says which drafts and which live versions name each, and never the secret", async () => {
  const { rows } = await app.pool.query("select draft from agents where name = 'sales'");
  const { tools, ...draft } = rows[0].draft;
  const used = {
    ...draft,
    model: { provider: "openai", name: "gpt-5", connection: "first" },
    tools: [...tools, { name: "crm", kind: "http", effect: "read", connection: "second" }],
  };
  await app.pool.query("update agents set draft = $1 where name = 'sales'", [used]);
  await app.pool.query(
    "update agent_versions set definition = jsonb_set(definition, '{model}', $1) where agent = 'sales'",
    [JSON.stringify(used.model)],
  );
  const page = await list();
  const uses = Object.fromEntries(
    page.data.map(({ connection, used_by }: { connection: string; used_by: object }) => [connection, used_by]),
  );
  expect(uses).toEqual({
    first: [
      { agent: "sales", version: null, place: "model" },
      { agent: "sales", version: 1, place: "model" },
    ],
    second: [{ agent: "sales", version: null, place: "tool crm" }],
    third: [],
  });
  expect(JSON.stringify(page)).not.toContain("sk-test");
});
