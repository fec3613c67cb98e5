import { hash, randomBytes } from "node:crypto";
import type { SubjectSalt } from "@aos/proof";
import type { Clock } from "../kernel/clock.ts";
import { timePart } from "../kernel/ids.ts";
import { type LogScope, scopeKey } from "./scope.ts";
import type { Queryable } from "./tile-store.ts";

/** Bytes of a subject's salt. */
const saltLength = 32;

/** A subject's salt, with the id by which records refer to it: that tells which records belong to one subject, and once the salt is destroyed not to whom. */
export interface Salt {
  readonly id: string;
  readonly secret: SubjectSalt;
}

/** The salts under which personal values of subjects are committed to. */
export interface Salts {
  /** The subject's salt, made if it has none. Concurrent callers share one statement. */
  saltOf(scope: LogScope, subject: string): Promise<Salt>;
  /** The same from memory, without waiting; undefined when it must be looked up. */
  cached(scope: LogScope, subject: string): Salt | undefined;
  /** The salt of a subject that comes into being, together with this very salt, by what the caller writes. */
  fresh(scope: LogScope, subject: string): Salt;
}

export interface SaltsOptions {
  readonly clock: Clock;
  /** How long a salt is used without looking again (milliseconds, 60,000 by default). */
  readonly ttlMs?: number;
  /** Salts kept in memory (20,000 by default); the oldest goes first. */
  readonly maxEntries?: number;
  readonly random?: (bytes: number) => Uint8Array;
}

interface Wanted {
  readonly scope: LogScope;
  readonly subject: string;
  readonly resolve: (salt: Salt) => void;
  readonly reject: (error: unknown) => void;
}

/** The salts of a database, cached. */
export function createSalts(pool: Queryable, options: SaltsOptions): Salts {
  const { clock, ttlMs = 60_000, maxEntries = 20_000, random = randomBytes } = options;
  const cache = new Map<string, { salt: Salt; until: number }>();
  let waiting: Wanted[] = [];
  let busy = false;
  const keyOf = (scope: LogScope, subject: string): string => `${scopeKey(scope)}\u0000${subject}`;

  const draw = (): Salt => {
    const secret = hexOf(random(saltLength));
    return { id: `${timePart(clock.now())}${fingerprintOf(secret)}`, secret };
  };

  const cached = (scope: LogScope, subject: string): Salt | undefined => {
    const key = keyOf(scope, subject);
    const entry = cache.get(key);
    if (!entry) return undefined;
    if (clock.now() < entry.until) return entry.salt;
    cache.delete(key);
    return undefined;
  };

  const keep = (key: string, salt: Salt): void => {
    cache.delete(key);
    cache.set(key, { salt, until: clock.now() + ttlMs });
    if (cache.size > maxEntries) cache.delete(cache.keys().next().value as string);
  };

  /** One look-up at a time; whoever comes meanwhile shares the next. */
  const work = async (): Promise<void> => {
    busy = true;
    await undefined; // callers of the same turn come along
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      try {
        const found = await lookUpOrMake(pool, batch, keyOf, draw);
        for (const [key, salt] of found) keep(key, salt);
        for (const one of batch) one.resolve(found.get(keyOf(one.scope, one.subject)) as Salt);
      } catch (error) {
        for (const one of batch) one.reject(error);
      }
    }
    busy = false;
  };

  return {
    cached,
    saltOf: (scope, subject) => {
      const salt = cached(scope, subject);
      if (salt) return Promise.resolve(salt);
      return new Promise((resolve, reject) => {
        waiting.push({ scope, subject, resolve, reject });
        if (!busy) void work();
      });
    },
    fresh(scope, subject) {
      const salt = draw();
      keep(keyOf(scope, subject), salt);
      return salt;
    },
  };
}

/** Characters of an id before its fingerprint: the time, so that an index over ids grows at its end. */
const timeLength = 10;
const fingerprintLength = 32;

/** 128 bits that follow from the salt and do not reveal it: records carry the id under a MAC, so an exchanged salt shows. */
const fingerprintOf = (secret: SubjectSalt): string =>
  hash("sha256", `aos audit salt 1${secret}`, "hex").slice(0, fingerprintLength);

/** Whether an id says which salt it belongs to. Earlier ids were random, and shorter. */
export const hasFingerprint = (id: string): boolean => id.length === timeLength + fingerprintLength;

export const belongsTo = (id: string, secret: SubjectSalt): boolean => id.slice(timeLength) === fingerprintOf(secret);

const hexOf = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("hex");

async function lookUpOrMake(
  pool: Queryable,
  batch: readonly Wanted[],
  keyOf: (scope: LogScope, subject: string) => string,
  draw: () => Salt,
): Promise<Map<string, Salt>> {
  const found = new Map<string, Salt>();
  const missing = (): Wanted[] =>
    [...new Map(batch.map((w) => [keyOf(w.scope, w.subject), w])).values()].filter(
      (w) => !found.has(keyOf(w.scope, w.subject)),
    );
  // Again only if somebody erases a subject between our insert and our look.
  for (let all = missing(); all.length > 0; all = missing()) {
    for (const [key, salt] of await lookUp(pool, all, keyOf)) found.set(key, salt);
    const absent = missing();
    if (absent.length > 0) for (const [key, salt] of await make(pool, absent, keyOf, draw)) found.set(key, salt);
  }
  return found;
}

interface SaltRow {
  organization: string;
  environment: string;
  subject: string;
  id: string;
  salt: Buffer;
}

const foundIn = (row: SaltRow): Salt => ({ id: row.id, secret: row.salt.toString("hex") });

async function lookUp(
  pool: Queryable,
  wanted: readonly Wanted[],
  keyOf: (s: LogScope, subject: string) => string,
): Promise<[string, Salt][]> {
  const { rows } = await pool.query<SaltRow>({
    name: "audit_salts_read",
    text: `select organization, environment, subject, id, salt from audit_salts
      join unnest($1::text[], $2::text[], $3::text[]) as wanted(organization, environment, subject) using (organization, environment, subject)`,
    values: columnsOf(wanted),
  });
  return rows.map((row) => [keyOf(row, row.subject), foundIn(row)]);
}

/** Sorted, so that two processes that make the same subjects cannot lock each other out. Answers those that this call made. */
async function make(
  pool: Queryable,
  wanted: readonly Wanted[],
  keyOf: (s: LogScope, subject: string) => string,
  draw: () => Salt,
): Promise<[string, Salt][]> {
  const made = wanted.map(draw);
  const { rows } = await pool.query<SaltRow>({
    name: "audit_salts_make",
    text: `insert into audit_salts (organization, environment, subject, id, salt)
      select organization, environment, subject, id, salt
      from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::bytea[]) as made(organization, environment, subject, id, salt)
      order by organization collate "C", environment collate "C", subject collate "C"
      on conflict do nothing returning organization, environment, subject, id, salt`,
    values: [...columnsOf(wanted), made.map(({ id }) => id), made.map(({ secret }) => Buffer.from(secret, "hex"))],
  });
  return rows.map((row) => [keyOf(row, row.subject), foundIn(row)]);
}

function columnsOf(wanted: readonly Wanted[]): string[][] {
  return [
    wanted.map((w) => w.scope.organization),
    wanted.map((w) => w.scope.environment),
    wanted.map((w) => w.subject),
  ];
}
