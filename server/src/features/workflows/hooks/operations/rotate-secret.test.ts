import { expect, it } from "vitest";
import { useSharedApp } from "../../../../testing/shared-app.ts";

const app = useSharedApp();

it("wrong_state: a sixth secret in a row, until an overlap ends or earlier ones are ended at once", async () => {
  await app.call("POST", "/v1/hooks", { body: { name: "rotated" } });
  const rotate = (overlap_seconds: number) =>
    app.call("POST", "/v1/hooks/rotated/rotate-secret", { body: { overlap_seconds } });
  for (const _each of [1, 2, 3, 4, 5]) expect((await rotate(3_600)).status).toBe(200);
  const { status, body } = await rotate(3_600);
  expect([status, body.code]).toEqual([409, "wrong_state"]);
  expect((await rotate(0)).body.secret_overlap_until).toBeNull();
});

it("keeps who was shown each secret that still counts with that secret", async () => {
  await app.call("POST", "/v1/hooks", { body: { name: "shared" } });
  const people = [await app.member("builder"), await app.member("builder")];
  const rotate = (key: string, overlap_seconds: number) =>
    app.call("POST", "/v1/hooks/shared/rotate-secret", { key, body: { overlap_seconds } });
  // The last secret replaced is the first to end.
  for (const [at, { secret }] of people.entries()) expect((await rotate(secret, 3_600 - at * 60)).status).toBe(200);
  const { rows } = await app.pool.query(
    "select author, previous_deciders, secret_deciders from workflow_hooks where name = 'shared'",
  );
  const ids = (list: { id: string }[]) => list.map(({ id }) => id);
  const [first, second] = people.map(({ memberId }) => memberId);
  expect(rows[0].previous_deciders.map(ids)).toEqual([[first], expect.arrayContaining([rows[0].author])]);
  expect(ids(rows[0].secret_deciders)).toContain(second);
});
