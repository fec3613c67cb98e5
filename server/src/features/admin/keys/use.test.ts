import { expect, it } from "vitest";
import { useSharedApp } from "../../../testing/shared-app.ts";
import { KeyUse } from "./use.ts";

const app = useSharedApp();
const noon = Date.UTC(2026, 4, 1, 12, 0, 30);
const lastUse = async (keyId: string): Promise<Date | null> =>
  (await app.pool.query("select last_used_at from keys where id = $1", [keyId])).rows[0].last_used_at;

/** A pool that counts its statements. */
const counting = () => {
  let statements = 0;
  const query = (text: string, values: unknown[]) => {
    statements++;
    return app.pool.query(text, values);
  };
  return { count: () => statements, query };
};

it("writes the minute of the last use, for all keys in one statement", async () => {
  const [a, b] = [await app.member("viewer"), await app.member("viewer")];
  const use = new KeyUse();
  const pool = counting();
  use.record(a.keyId, app.scope, noon);
  use.record(a.keyId, app.scope, noon + 61_000);
  use.record(b.keyId, app.scope, noon);
  await use.flush(pool);
  expect(pool.count()).toBe(1);
  expect(await lastUse(a.keyId)).toEqual(new Date(Date.UTC(2026, 4, 1, 12, 1)));
  expect(await lastUse(b.keyId)).toEqual(new Date(Date.UTC(2026, 4, 1, 12, 0)));
});

it("writes nothing for further uses within the minute", async () => {
  const { keyId } = await app.member("viewer");
  const use = new KeyUse();
  const pool = counting();
  use.record(keyId, app.scope, noon);
  await use.flush(pool);
  use.record(keyId, app.scope, noon + 20_000);
  await use.flush(pool);
  expect(pool.count()).toBe(1);
});

it("never moves the last use back, whatever another process knew", async () => {
  const { keyId } = await app.member("viewer");
  const [late, early] = [new KeyUse(), new KeyUse()];
  late.record(keyId, app.scope, noon + 3_600_000);
  early.record(keyId, app.scope, noon);
  await late.flush(app.pool);
  await early.flush(app.pool);
  expect(await lastUse(keyId)).toEqual(new Date(Date.UTC(2026, 4, 1, 13, 0)));
});

it("touches no key of another environment", async () => {
  const { keyId } = await app.member("viewer");
  const use = new KeyUse();
  use.record(keyId, { ...app.scope, environment: "production" }, noon);
  await use.flush(app.pool);
  expect(await lastUse(keyId)).toBeNull();
});

it("keeps what could not be written for the next time", async () => {
  const { keyId } = await app.member("viewer");
  const use = new KeyUse();
  use.record(keyId, app.scope, noon);
  await expect(use.flush({ query: () => Promise.reject(new Error("no database")) })).rejects.toThrow("no database");
  await use.flush(app.pool);
  expect(await lastUse(keyId)).not.toBeNull();
});
