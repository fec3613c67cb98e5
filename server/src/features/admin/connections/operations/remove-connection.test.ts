import { expect, it } from "vitest";
import { useApp } from "../../../../testing/app.ts";

const app = useApp();
const add = (name: string) =>
  app.call("POST", "/v1/admin/connections", { body: { name, kind: "openai", secret: "sk-test-0123456789abcdef" } });
const remove = (name: string, query = "", options = {}) =>
  app.call("DELETE", `/v1/admin/connections/${name}${query}`, { body: {}, ...options });
const model = (connection: string) => JSON.stringify({ provider: "openai", name: "gpt-5", connection });

it("removes a connection with its secret, once", async () => {
  await add("gone");
  expect((await remove("gone")).body).toEqual({ connection: "gone", removed: true, used_by: [] });
  expect((await app.pool.query("select from connections where name = 'gone'")).rowCount).toBe(0);
  expect((await remove("gone")).status).toBe(404);
});

it("is neither removed nor replaced with a key that is narrowed to agents: all of them call through it", async () => {
  await add("shared");
  const narrow = await app.call("POST", "/v1/admin/keys", {
    body: { name: "narrow", role: "admin", agents: ["sales"] },
  });
  const key = narrow.body.key;
  const elsewhere = {
    name: "shared",
    kind: "openai",
    secret: "x",
    base_url: "https://models.example.com/v1",
    replace: true,
  };
  for (const { status, body } of [
    await remove("shared", "?force=true", { key }),
    await app.call("POST", "/v1/admin/connections", { key, body: elsewhere }),
  ])
    expect([status, body.code, body.missing_scope, body.detail]).toEqual([
      403,
      "insufficient_scope",
      "agent:*",
      "The key is limited to the agents sales; this call concerns members, settings and connections, which serve all agents.",
    ]);
  expect((await app.pool.query("select base_url from connections where name = 'shared'")).rows).toEqual([
    { base_url: null },
  ]);
});

it("removes one that only a draft names, and says so", async () => {
  await add("drafted");
  await app.pool.query("update agents set draft = jsonb_set(draft, '{model}', $1) where name = 'sales'", [
    model("drafted"),
  ]);
  expect((await remove("drafted")).body.used_by).toEqual([{ agent: "sales", version: null, place: "model" }]);
});

it("keeps one that a live version names, and says where, unless it is forced", async () => {
  await add("live");
  await app.pool.query(
    "update agent_versions set definition = jsonb_set(definition, '{model}', $1) where agent = 'sales'",
    [model("live")],
  );
  const refused = await remove("live");
  expect([refused.status, refused.body.code]).toEqual([409, "connection_in_use"]);
  expect(refused.body.used_by).toEqual([{ agent: "sales", version: 1, place: "model" }]);
  expect(refused.body.detail).toContain("model of sales, version 1");
  expect((await remove("live", "?force=false")).status).toBe(409);
  expect((await remove("live", "?force=true")).body.removed).toBe(true);
});

it("keeps one that a canary names", async () => {
  await add("tried");
  await app.pool.query(
    `with made as (insert into agent_versions select (jsonb_populate_record(v, jsonb_build_object('id', 'ver_tried', 'number', 99,
         'definition', jsonb_set(v.definition, '{model}', $1)))).* from agent_versions v where v.agent = 'sales' and v.number = 1)
     insert into deployments (organization, environment, id, agent, version_number, state, mode, share, kind, note, author)
     select organization, environment, 'dep_tried', agent, 99, 'canary', 'canary', 10, 'deploy', '', 'test' from deployments where agent = 'sales' and environment = 'development' limit 1`,
    [model("tried")],
  );
  expect((await remove("tried")).body).toMatchObject({ code: "connection_in_use", used_by: [{ version: 99 }] });
});
