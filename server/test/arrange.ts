import { randomBytes } from "node:crypto";
import type pg from "pg";
import { touchFacts } from "../src/db/facts.ts";
import { systemClock } from "../src/kernel/clock.ts";
import { createIds } from "../src/kernel/ids.ts";
import { generateKey, hashKey, startAndLastFour } from "../src/kernel/key-format.ts";
import type { Environment, Role } from "../src/kernel/principal.ts";

// Arranges by SQL what no operation does yet, and tells every process of it the way a changing call does: in the same transaction.

const newId = createIds(systemClock);

export interface Person {
  readonly memberId: string;
  readonly keyId: string;
  readonly secret: string;
}

async function inTransaction(
  pool: pg.Pool,
  topics: readonly string[],
  write: (client: pg.PoolClient) => Promise<unknown>,
): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query("begin");
    await write(client);
    await client.query(touchFacts, [topics]);
    await client.query("commit");
    client.release();
  } catch (error) {
    client.release(true); // ends the session, and with it the transaction
    throw error;
  }
}

/** New persons, each with a key of this role; `personal`: as if they had signed in personally and issued it to themselves. */
export async function addPeople(
  pool: pg.Pool,
  count: number,
  role: Role,
  { environment = "development", personal = false }: { environment?: Environment; personal?: boolean } = {},
): Promise<Person[]> {
  const people = Array.from({ length: count }, () => ({
    memberId: newId("mbr"),
    keyId: newId("key"),
    secret: generateKey(environment, randomBytes),
  }));
  await inTransaction(pool, ["keys"], async (client) => {
    for (const { memberId, keyId, secret } of people) {
      const { start, last_four } = startAndLastFour(secret);
      const roles = JSON.stringify({ [environment]: role });
      await client.query(
        "insert into members (organization, id, kind, name, roles) values ('default', $1, 'person', 'A person of the test', $2)",
        [memberId, roles],
      );
      await client.query(
        `insert into keys (organization, environment, id, secret_hash, secret_start, secret_last_four, name, member_id, role, created_by, personal)
         values ('default', $1, $2, $3, $4, $5, 'test', $6, $7, 'test', $8)`,
        [environment, keyId, hashKey(secret), start, last_four, memberId, role, personal],
      );
    }
  });
  return people;
}

/** Puts a policy in force. Answers its id. */
export async function addPolicy(pool: pg.Pool, definition: Record<string, unknown>): Promise<string> {
  const id = newId("pol");
  const whole = {
    scope: {},
    params: {},
    reason_code: "test",
    message: "A policy of the test.",
    controls: [],
    ...definition,
  };
  await inTransaction(pool, ["policies"], (client) =>
    client.query(
      `insert into policies (organization, environment, id, version, state, definition, author)
       values ('default', 'development', $1, 1, 'active', $2, 'test')`,
      [id, JSON.stringify(whole)],
    ),
  );
  return id;
}

/** A policy for each action that denies it to one member. Returns their ids by action. */
export async function denyEach(
  pool: pg.Pool,
  memberId: string,
  actions: ReadonlySet<string>,
): Promise<ReadonlyMap<string, string>> {
  const ids = new Map([...actions].map((action) => [action, newId("pol")]));
  const definitions = [...ids.keys()].map((action) => ({
    scope: { actions: [action] },
    when: `principal.id == "${memberId}"`,
    effect: "deny",
    params: {},
    reason_code: "test",
    message: "A policy of the test.",
    controls: [],
  }));
  await inTransaction(pool, ["policies"], (client) =>
    client.query(
      `insert into policies (organization, environment, id, version, state, definition, author)
       select 'default', 'development', id, 1, 'active', definition, 'test'
       from unnest($1::text[], $2::jsonb[]) as made (id, definition)`,
      [[...ids.values()], definitions.map((one) => JSON.stringify(one))],
    ),
  );
  return ids;
}

/** Ends a policy. */
export async function retirePolicy(pool: pg.Pool, id: string): Promise<void> {
  await inTransaction(pool, ["policies"], (client) =>
    client.query("update policies set state = 'retired' where id = $1", [id]),
  );
}

/** Deploys version 1 of the sample in another environment. */
export async function deploySample(pool: pg.Pool, environment: Environment): Promise<void> {
  await inTransaction(pool, ["agents"], (client) =>
    client.query(
      `insert into deployments (organization, environment, id, agent, version_number, state, author)
       values ('default', $1, $2, 'sales', 1, 'live', 'test')`,
      [environment, newId("dep")],
    ),
  );
}

/** Sets the gate's verdict on the sample's version. */
export async function setVerdict(pool: pg.Pool, verdict: "open" | "failed", environment: Environment): Promise<void> {
  await inTransaction(pool, ["gates"], (client) =>
    client.query(
      `insert into gate_verdicts (organization, environment, version_id, verdict, reasons, expires_at)
       select 'default', $1, id, $2, '{arranged}', now() + interval '1 day' from agent_versions where agent = 'sales' and number = 1
       on conflict (organization, environment, version_id) do update set verdict = excluded.verdict, decided_at = now()`,
      [environment, verdict],
    ),
  );
}
