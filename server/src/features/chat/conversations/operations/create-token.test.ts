import { expect, it } from "vitest";
import { tokenBody } from "../../../../../test/arrangements/chat-widget.ts";
import { linkToken, signIn } from "../../../../testing/sessions.ts";
import { useSharedApp } from "../../../../testing/shared-app.ts";

const app = useSharedApp();
const create = (body: object) => app.call("POST", "/v1/chat/tokens", { body: { ...tokenBody, ...body } });
const [day, usual] = [86_400_000, 900_000];

it("issues a token for a quarter of an hour that is shown once", async () => {
  const before = Date.now();
  const { status, body } = await create({});
  expect(status).toBe(201);
  expect(body).toMatchObject({ ...tokenBody, channel: "web", conversation: null });
  expect(body.token).toMatch(/^aosct_/);
  expect(Date.parse(body.expires_at) - before).toBeGreaterThan(usual - day / 1000);
  expect(Date.parse(body.expires_at) - before).toBeLessThan(usual + day / 1000);
});

it("says what is missing or wrong", async () => {
  const pointer = async (body: object) => {
    const answered = await create(body);
    return [answered.status, answered.body.errors?.[0]?.pointer];
  };
  expect(await pointer({ agent: "nobody" })).toEqual([422, "/agent"]);
  expect(await pointer({ agent: undefined })).toEqual([422, "/agent"]);
  expect(await pointer({ agent: undefined, channel: "shop" })).toEqual([422, "/channel"]);
  expect(await pointer({ origins: undefined })).toEqual([422, "/origins"]);
  expect(await pointer({ origins: ["https://shop.example/path"] })).toEqual([422, "/origins/0"]);
  expect(await pointer({ lifetime_seconds: 3601 })).toEqual([422, "/lifetime_seconds"]);
  expect(await pointer({ conversation: "cnv_01jd8x0000000000000000000c" })).toEqual([422, "/conversation"]);
});

it("takes agent and origins from a web channel, and refuses others", async () => {
  const at = "development";
  await app.pool.query(
    `insert into chat_channels (organization, environment, name, kind, agent, config, created_by, created_at, updated_at)
     values ($1, $2, 'shop', 'web', 'sales', '{"origins": ["https://shop.example"]}', 'mbr', now(), now())`,
    [app.scope.organization, at],
  );
  const { body } = await create({ agent: undefined, channel: "shop", origins: undefined });
  expect(body).toMatchObject({ agent: "sales", channel: "shop", origins: ["https://shop.example"] });
  const foreign = await create({ agent: undefined, channel: "shop", origins: ["https://evil.example"] });
  expect([foreign.status, foreign.body.errors[0].pointer]).toEqual([422, "/origins"]);
});

it("issues none to a session that no key opened, since nothing could end it", async () => {
  const { change } = await signIn(app, { token: await linkToken(app) });
  const { status, body } = await change("POST", "/v1/chat/tokens", tokenBody);
  expect([status, body.code]).toEqual([409, "token_needs_key"]);
});

it("lets a key give away no permission that it does not have", async () => {
  const issued = await app.call("POST", "/v1/admin/keys", {
    body: { name: "narrow", role: "builder", scopes: ["chat:manage", "chat:read"] },
  });
  const { status, body } = await app.call("POST", "/v1/chat/tokens", { body: tokenBody, key: issued.body.key });
  expect([status, body.missing_scope]).toEqual([403, "chat:write"]);
});
