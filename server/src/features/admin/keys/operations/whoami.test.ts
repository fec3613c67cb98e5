import { expect, it } from "vitest";
import { roles } from "../../../../kernel/principal.ts";
import { useSharedApp } from "../../../../testing/shared-app.ts";

const app = useSharedApp();

it("answers every role with what its key may do", async () => {
  for (const role of roles) {
    const { status, body } = await app.call("GET", "/v1/admin/whoami", { key: role });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      principal: { kind: "member", role },
      organization: "default",
      environment: "development",
      scopes: null,
      agents: null,
    });
  }
});

it("lists permissions that hold: each is granted, and the ones left out are refused", async () => {
  const viewer = (await app.call("GET", "/v1/admin/whoami", { key: "viewer" })).body.permissions as string[];
  expect(viewer).toContain("tasks:read");
  expect(viewer).not.toContain("tasks:write");
  expect(viewer).not.toContain("admin:read");
  expect(viewer).not.toContain("audit:read");
  const admin = (await app.call("GET", "/v1/admin/whoami")).body.permissions as string[];
  expect(admin).toEqual(expect.arrayContaining([...viewer, "admin:read", "admin:write", "tasks:write"]));
  expect((await app.call("GET", "/v1/tasks", { key: "viewer" })).status).toBe(200);
  expect((await app.call("GET", "/v1/admin/keys", { key: "viewer" })).status).toBe(403);
});

it("shows how the key is narrowed, and the permissions that are left", async () => {
  const narrowing = { scopes: ["tasks:read"], agents: ["sales"], addresses: ["127.0.0.1"], rate_per_second: 9 };
  const issued = (
    await app.call("POST", "/v1/admin/keys", {
      body: { name: "narrow", role: "operator", ...narrowing, expires_in_days: 2 },
    })
  ).body;
  const { body, text } = await app.call("GET", "/v1/admin/whoami", { key: issued.key });
  expect(body).toMatchObject({
    permissions: ["tasks:read"],
    scopes: ["tasks:read"],
    agents: ["sales"],
    rate_per_second: 9,
  });
  expect(body.key).toEqual({
    key_id: issued.key_id,
    name: "narrow",
    start: issued.start,
    last_four: issued.last_four,
    expires_at: issued.expires_at,
    revoked_at: null,
    addresses: ["127.0.0.1"],
  });
  expect(text).not.toContain(issued.key);
});

it("needs a key", async () => {
  const refused = await app.call("GET", "/v1/admin/whoami", { key: null });
  expect(refused.status).toBe(401);
  expect(refused.headers.get("www-authenticate")).toBe("Bearer");
});

it("cannot be forbidden by a policy", async () => {
  await app.policy({ scope: { actions: ["whoami"] }, when: "true", effect: "deny" });
  expect((await app.call("GET", "/v1/admin/whoami", { key: "viewer" })).status).toBe(200);
});
