import { randomBytes } from "node:crypto";
import type pg from "pg";
import type { NewId } from "../kernel/ids.ts";
import { generateKey, hashKey, startAndLastFour } from "../kernel/key-format.ts";
import { type Environment, environments, type Role, roles } from "../kernel/principal.ts";

/** Seals the secrets of every service under test. 32 bytes in base64. */
export const testSecretKey = Buffer.alloc(32, 7).toString("base64");

/** A member and a key for each role in each environment. Returns the secrets by `<environment> <role>`. */
export async function insertRoleKeys(pool: pg.Pool, newId: NewId): Promise<Map<string, string>> {
  const keys = new Map<string, string>();
  for (const environment of environments) {
    for (const role of roles) {
      const { secret } = await insertKey(pool, newId, role, environment);
      keys.set(`${environment} ${role}`, secret);
    }
  }
  return keys;
}

/** A new member with a key; `personal`: one that they issued to themselves. */
export async function insertKey(pool: pg.Pool, newId: NewId, role: Role, environment: Environment, personal = false) {
  const memberId = newId("mbr");
  const keyId = newId("key");
  const secret = generateKey(environment, randomBytes);
  const { start, last_four } = startAndLastFour(secret);
  await pool.query(
    "insert into members (organization, id, kind, name, roles) values ('default', $1, 'person', $2, $3)",
    [memberId, `Test ${role}`, JSON.stringify({ [environment]: role })],
  );
  await pool.query(
    `insert into keys (organization, environment, id, secret_hash, secret_start, secret_last_four, name, member_id, role, created_by, personal)
     values ('default', $1, $2, $3, $4, $5, 'test', $6, $7, case when $8 then $6 else 'test' end, $8)`,
    [environment, keyId, hashKey(secret), start, last_four, memberId, role, personal],
  );
  return { secret, memberId, keyId };
}
