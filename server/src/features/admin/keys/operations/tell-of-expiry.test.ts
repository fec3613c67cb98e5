import { expect, it } from "vitest";
import { useSharedApp } from "../../../../testing/shared-app.ts";
import { useWorkerProcess } from "../../../../testing/worker.ts";
import { tellOfExpiringKeys, tellOfExpiry } from "./tell-of-expiry.ts";

const app = useSharedApp();
const machines = useWorkerProcess(app);
const sweep = () => machines.sweeperWith([tellOfExpiringKeys]).sweep();
const day = 86_400_000;

/** A key that was issued and ends so many days from now. */
async function lasting(from: number, to: number): Promise<string> {
  const { body } = await app.call("POST", "/v1/admin/keys", { body: { name: "short", role: "viewer" } });
  await app.pool.query("update keys set created_at = $2, expires_at = $3 where id = $1", [
    body.key_id,
    new Date(Date.now() + from * day),
    new Date(Date.now() + to * day),
  ]);
  return body.key_id;
}
const told = async (key: string) =>
  (
    await app.pool.query(
      "select body::json as body from events where type = 'key.expiring' and body::json ->> 'key_id' = $1",
      [key],
    )
  ).rows;

it("tells once, a week before the end or a tenth of the whole time where that is less", async () => {
  const due = [await lasting(-84, 6.9), await lasting(-9.1, 0.9)];
  const later = [await lasting(-84, 7.1), await lasting(-8.9, 1.1), await lasting(-80, 40)];
  await sweep();
  await sweep();
  for (const key of due) expect(await told(key)).toHaveLength(1);
  for (const key of later) expect(await told(key)).toHaveLength(0);
  const [{ body }] = await told(due[0] as string);
  expect(body).toEqual({
    event: "key.expiring",
    key_id: due[0],
    name: "short",
    role: "viewer",
    member_id: expect.stringMatching(/^mbr_/),
    expires_at: expect.stringMatching(/Z$/),
  });
});

it("answers wrong_state for a key that is revoked, does not end soon, or was told of", async () => {
  const [revoked, far, known] = [await lasting(-84, 3), await lasting(-80, 40), await lasting(-84, 3)];
  await app.call("DELETE", `/v1/admin/keys/${revoked}`, { body: {} });
  await sweep();
  for (const key of [revoked, far, known]) {
    await expect(machines.inside(tellOfExpiry, app.scope, { key })).rejects.toMatchObject({
      type: { code: "wrong_state" },
    });
  }
  expect([await told(revoked), await told(far)]).toEqual([[], []]);
});
