import { describe, expect, it } from "vitest";
import { lowestId } from "../kernel/ids.ts";
import { useDatabase } from "../testing/database.ts";
import { formerKeysUntil } from "./former-keys.ts";

const database = useDatabase();
const day = 24 * 60 * 60 * 1000;
const upgraded = Date.UTC(2026, 10, 25, 9);
const hour = 60 * 60 * 1000;

/** Until when former keys count at `now`, if an answer was stored at `answered` and the upgrade was at `upgraded`. */
async function until(now: number, answered: number | null): Promise<number> {
  const { pool } = database;
  await pool.query("update schema_migrations set applied_at = $1 where name like '0023%'", [new Date(upgraded)]);
  await pool.query("delete from idempotency_keys");
  if (answered !== null)
    await pool.query(
      `insert into idempotency_keys (organization, environment, id, hash, body_digest, status, answer, headers)
       values ('default', 'development', $1, 'hash', '-', 200, '{}', '{}')`,
      [lowestId("aud", answered)],
    );
  return formerKeysUntil({ query: async (text, values) => (await pool.query(text, [...(values ?? [])])).rows }, now);
}

describe("Idempotency-Keys of an earlier release", () => {
  it("count for a day after the upgrade, if it left answers", async () => {
    expect(await until(upgraded + hour, upgraded - hour)).toBe(upgraded + day);
    expect(await until(upgraded + day, upgraded - hour)).toBe(0);
  });

  it("do not count where all answers are of the present release", async () => {
    expect(await until(upgraded + hour, upgraded + 1000)).toBe(0);
    expect(await until(upgraded + hour, null)).toBe(0);
  });
});
