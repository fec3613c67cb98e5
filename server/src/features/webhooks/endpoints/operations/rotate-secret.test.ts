import { expect, it } from "vitest";
import { useSharedApp } from "../../../../testing/shared-app.ts";

const app = useSharedApp();
const rotate = (id: string, overlap_seconds: number) =>
  app.call("POST", `/v1/webhooks/${id}/rotate-secret`, { body: { overlap_seconds } });
const created = async () =>
  (await app.call("POST", "/v1/webhooks", { body: { url: "http://127.0.0.1:9/hook", events: ["*"] } })).body
    .webhook_id as string;

it("secret_overlap_until is the end of the earlier secret that signs longest, and null where none signs any more", async () => {
  const id = await created();
  const long = (await rotate(id, 604_800)).body.secret_overlap_until;
  expect(Date.parse(long)).toBeGreaterThan(Date.now() + 604_000_000);
  expect((await rotate(id, 60)).body.secret_overlap_until).toBe(long);
  expect((await rotate(id, 0)).body.secret_overlap_until).toBeNull();
});

it("a sixth secret in a row answers wrong_state, until an overlap ends or no earlier secret is to sign any more", async () => {
  const id = await created();
  for (const _each of [1, 2, 3, 4, 5]) expect((await rotate(id, 3_600)).status).toBe(200);
  const { status, body } = await rotate(id, 3_600);
  expect([status, body.code]).toEqual([409, "wrong_state"]);
  await app.pool.query("update webhooks set previous_untils[1] = now() where id = $1", [id]);
  expect([(await rotate(id, 3_600)).status, (await rotate(id, 3_600)).status, (await rotate(id, 0)).status]).toEqual([
    200, 409, 200,
  ]);
});

it("a removed endpoint keeps no earlier secret either", async () => {
  const id = await created();
  await rotate(id, 3_600);
  await app.call("DELETE", `/v1/webhooks/${id}`, { body: {} });
  const { rows } = await app.pool.query("select previous_secrets, previous_untils from webhooks where id = $1", [id]);
  expect(rows).toEqual([{ previous_secrets: [], previous_untils: [] }]);
});
