import { expect, it } from "vitest";
import { useSharedApp } from "../../../../testing/shared-app.ts";

const app = useSharedApp();
const create = (name: string) => app.call("POST", "/v1/hooks", { body: { name } });

it("shows the secret once, and keeps it sealed", async () => {
  const { status, body } = await create("orders");
  expect([status, body.url]).toEqual([201, expect.stringMatching(/\/v1\/hooks\/orders$/)]);
  expect(body.secret).toMatch(/^whsec_/);
  const listed = await app.call("GET", "/v1/hooks");
  expect(listed.body.data[0]).toMatchObject({ name: "orders", secret_overlap_until: null });
  expect(listed.text).not.toContain("whsec_");
  const { rows } = await app.pool.query("select secret from workflow_hooks where name = 'orders'");
  expect(rows[0].secret.includes(Buffer.from(body.secret.slice(6), "base64"))).toBe(false);
});

it("hook_exists: a name that is taken in this environment, which another environment may use", async () => {
  await create("twice");
  const second = await create("twice");
  expect([second.status, second.body.code]).toEqual([409, "hook_exists"]);
  const elsewhere = await app.call("POST", "/v1/hooks", { body: { name: "twice" }, environment: "staging" });
  expect(elsewhere.status).toBe(201);
});

it("too_many_hooks: an environment has a bounded number", async () => {
  await app.pool.query(
    `insert into workflow_hooks (organization, environment, name, secret, author, created_at, updated_at)
     select 'default', 'production', 'h' || n, '', 'mbr_x', now(), now() from generate_series(1, 200) n`,
  );
  const { status, body } = await app.call("POST", "/v1/hooks", {
    body: { name: "more" },
    environment: "production",
  });
  expect([status, body.code]).toEqual([409, "too_many_hooks"]);
  await app.pool.query("delete from workflow_hooks where environment = 'production'");
});
