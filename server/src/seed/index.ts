import type pg from "pg";
import type { Clock } from "../kernel/clock.ts";
import type { NewId } from "../kernel/ids.ts";
import { generateKey, hashKey, startAndLastFour } from "../kernel/key-format.ts";
import { defaultOrganization, environments } from "../kernel/principal.ts";
import { installationName } from "./installation-name.ts";

/** The one organization of an installation. */
const environment = "development";
/** Any number that no other user of advisory locks in this database takes: the bytes of "aos seed". */
const LOCK = "7020956927306065252";

export interface SeedOptions {
  readonly newId: NewId;
  readonly clock: Clock;
  /** A cryptographic source of random bytes, such as `randomBytes` of `node:crypto`. */
  readonly random: (count: number) => Uint8Array;
  /** Whether the sample agent with its data comes along. Heeded at the first start only: who removed the sample does not get it back. */
  readonly sample: boolean;
  /** Whether the sample comes with a dataset, a gate and a run that waits for a worker; it does by default. Who arranges verdicts by hand leaves it out. */
  readonly sampleEvaluation?: boolean;
  /**
   * Keeps the admin key, such as in a file, before anything is committed: if it fails, the installation is not made, and a process that dies
   * in between leaves a key behind that opens nothing and that the next start replaces.
   */
  readonly keepAdminKey?: (secret: string) => Promise<void>;
}

export interface Seeded {
  /** The admin key in clear, given by the call that made the installation and by no other; null where it existed. */
  readonly adminKey: string | null;
  /** The installation's name, the first part of its audit logs' names. */
  readonly installation: string;
}

/**
 * Makes the installation where there is none: its name, the organization, the first member (admin everywhere) with one admin key for development, and
 * the sample. All in one transaction under a lock: of processes that start at once one makes it, the others wait and find it made; a
 * start that died half way left nothing. Every process calls it before it loads facts.
 */
export async function seedInstallation(pool: pg.Pool, options: SeedOptions): Promise<Seeded> {
  const present = await readInstallation(pool);
  if (present !== null) return { adminKey: null, installation: present };
  const client = await pool.connect();
  try {
    await client.query("begin");
    const seeded = await seedOnce(client, options);
    await client.query("commit");
    client.release();
    return seeded;
  } catch (error) {
    client.release(true); // closing the connection undoes what it did
    throw error;
  }
}

/** The installation's name; null before the first start has made it. */
export async function readInstallation(db: Pick<pg.Pool, "query">): Promise<string | null> {
  const { rows } = await db.query<{ id: string }>("select id from installation");
  return rows[0]?.id ?? null;
}

async function seedOnce(client: pg.PoolClient, options: SeedOptions): Promise<Seeded> {
  await client.query("select pg_advisory_xact_lock($1)", [LOCK]);
  const present = await readInstallation(client);
  if (present !== null) return { adminKey: null, installation: present };
  const installation = installationName(options.random);
  const now = new Date(options.clock.now());
  await client.query("insert into installation (id, created_at) values ($1, $2)", [installation, now]);
  await client.query("insert into organizations (organization, created_at) values ($1, $2)", [
    defaultOrganization,
    now,
  ]);
  const member = await insertOwner(client, options.newId, now);
  const adminKey = await insertAdminKey(client, options, member, now);
  if (options.sample) {
    const { seedSample } = await import("./sample.ts"); // needed once in the life of an installation
    const { newId, sampleEvaluation: evaluation = true } = options;
    await seedSample(client, { organization: defaultOrganization, environment, owner: member, now, newId, evaluation });
  }
  await options.keepAdminKey?.(adminKey);
  return { adminKey, installation };
}

async function insertOwner(client: pg.PoolClient, newId: NewId, now: Date): Promise<string> {
  const id = newId("mbr");
  const admin = Object.fromEntries(environments.map((name) => [name, "admin"]));
  await client.query(
    "insert into members (organization, id, kind, name, roles, created_at) values ($1, $2, 'person', 'Owner', $3, $4)",
    [defaultOrganization, id, JSON.stringify(admin), now],
  );
  return id;
}

/** The key does not expire: it is the way back in for whoever has the host, and can be revoked like any other. */
async function insertAdminKey(
  client: pg.PoolClient,
  { newId, random }: SeedOptions,
  member: string,
  now: Date,
): Promise<string> {
  const secret = generateKey(environment, random);
  const { start, last_four } = startAndLastFour(secret);
  await client.query(
    `insert into keys (organization, environment, id, secret_hash, secret_start, secret_last_four, name, member_id, role, created_by, issuers, created_at)
     values ($1, $2, $3, $4, $5, $6, 'First start', $7, 'admin', 'system:seed', '{host}', $8)`,
    [defaultOrganization, environment, newId("key"), hashKey(secret), start, last_four, member, now],
  );
  return secret;
}
