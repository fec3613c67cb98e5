import {
  createCipheriv,
  createDecipheriv,
  createPrivateKey,
  generateKeyPairSync,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from "node:crypto";
import { chmod, link, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Pool } from "pg";

/** Where the key comes from under which secrets are encrypted. */
export interface KeySource {
  /** `AOS_SECRET_KEY`: 32 bytes as 64 hexadecimal digits or base64. Preferred over the file. */
  readonly secretKey?: string | undefined;
  /** `AOS_DATA_DIR`: holds `secret.key`, made at the first start. */
  readonly dataDir: string;
}

/** The secrets of an installation. */
export interface Secrets {
  /** Ed25519, signs the checkpoints of the audit log; made where there is none. */
  auditSigningKey(): Promise<KeyObject>;
  /** The same; null where there is none, and none is made. */
  findAuditSigningKey(): Promise<KeyObject | null>;
  /** 32 bytes, authenticates records and heads of the audit log. Derived, so that the database does not hold it, not even sealed. */
  auditMacKey(): Buffer;
  /** 32 bytes, authenticates cursors. */
  cursorKey(): Promise<Buffer>;
  /** 32 bytes, encrypts credentials of models and tools. */
  credentialKey(): Promise<Buffer>;
  /** 32 bytes, seals results. Derived from the secret key: the database holds nothing of it. */
  sealKey(): Buffer;
}

/** The key does not open what the database holds, or is not a key. `message` is one line with the remedy; the process must not start. */
export class SecretKeyError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "SecretKeyError";
  }
}

type RandomBytes = (size: number) => Buffer;

const keyLength = 32;
const nonceLength = 12;
const tagLength = 16;
const format = 1;
const checkName = "key-check";
/** The row of `secrets` that holds the log's signing key. */
export const signingKeyName = "audit-signing-key";

/**
 * Opens the installation's secrets. Any number of processes may call this at once on an empty database: one key file and one secret of each name come out.
 * Throws SecretKeyError.
 */
export async function openSecrets({
  pool,
  keySource,
  random = randomBytes,
}: {
  pool: Pool;
  keySource: KeySource;
  random?: RandomBytes;
}): Promise<Secrets> {
  const key = await loadKey(pool, keySource, random);
  const place = keySource.secretKey ? "AOS_SECRET_KEY" : keyFile(keySource);
  const get = (name: string, make: () => Buffer): Promise<Buffer> => getOrCreate(pool, key, name, make, place, random);
  await get(checkName, () => random(keyLength));
  return {
    auditMacKey: () => deriveMacKey(key),
    findAuditSigningKey: async () => {
      const sealed = await read(pool, signingKeyName);
      const der = sealed && unseal(key, sealed, signingKeyName);
      return der ? createPrivateKey({ key: der, type: "pkcs8", format: "der" }) : null;
    },
    auditSigningKey: async () => {
      const der = await get(signingKeyName, () =>
        generateKeyPairSync("ed25519").privateKey.export({ type: "pkcs8", format: "der" }),
      );
      return createPrivateKey({ key: der, type: "pkcs8", format: "der" });
    },
    cursorKey: () => get("cursor-key", () => random(keyLength)),
    credentialKey: () => get("credential-key", () => random(keyLength)),
    sealKey: () => Buffer.from(hkdfSync("sha256", key, "", "aos results", keyLength)),
  };
}

/** The key that authenticates the audit log, from the key of the installation (HKDF with SHA-256). */
export const deriveMacKey = (key: Buffer): Buffer =>
  Buffer.from(hkdfSync("sha256", key, Buffer.alloc(0), "aos audit mac 1", keyLength));

/**
 * AES-256-GCM: format byte, 12 random bytes of nonce, ciphertext, 16 bytes of tag. `context` is authenticated with it, so that a ciphertext
 * moved to another place does not open there.
 */
export function seal(key: Buffer, plaintext: Uint8Array, context: string, random: RandomBytes = randomBytes): Buffer {
  const nonce = random(nonceLength);
  const cipher = createCipheriv("aes-256-gcm", key, nonce, { authTagLength: tagLength });
  cipher.setAAD(Buffer.from(context));
  return Buffer.concat([Buffer.of(format), nonce, cipher.update(plaintext), cipher.final(), cipher.getAuthTag()]);
}

/** Opens what `seal` made; undefined where key, context or bytes are not those. */
export function unseal(key: Buffer, sealed: Uint8Array, context: string): Buffer | undefined {
  if (sealed.length < 1 + nonceLength + tagLength || sealed[0] !== format) return undefined;
  const decipher = createDecipheriv("aes-256-gcm", key, sealed.subarray(1, 1 + nonceLength), {
    authTagLength: tagLength,
  });
  decipher.setAAD(Buffer.from(context));
  decipher.setAuthTag(sealed.subarray(-tagLength));
  try {
    return Buffer.concat([decipher.update(sealed.subarray(1 + nonceLength, -tagLength)), decipher.final()]);
  } catch {
    return undefined;
  }
}

async function getOrCreate(
  pool: Pool,
  key: Buffer,
  name: string,
  make: () => Buffer,
  place: string,
  random: RandomBytes,
): Promise<Buffer> {
  let sealed = await read(pool, name);
  if (!sealed) {
    await pool.query("insert into secrets (name, ciphertext) values ($1, $2) on conflict do nothing", [
      name,
      seal(key, make(), name, random),
    ]);
    sealed = (await read(pool, name)) as Buffer;
  }
  const opened = unseal(key, sealed, name);
  if (opened) return opened;
  throw new SecretKeyError(
    `The key in ${place} does not open the secrets of this database: set AOS_SECRET_KEY, or restore secret.key, to the key that the database was first started with.`,
  );
}

async function read(pool: Pool, name: string): Promise<Buffer | undefined> {
  const { rows } = await pool.query<{ ciphertext: Buffer }>("select ciphertext from secrets where name = $1", [name]);
  return rows[0]?.ciphertext;
}

function keyFile({ dataDir }: KeySource): string {
  return path.join(dataDir, "secret.key");
}

async function loadKey(pool: Pool, source: KeySource, random: RandomBytes): Promise<Buffer> {
  if (source.secretKey) return parseKey(source.secretKey, "AOS_SECRET_KEY");
  const file = keyFile(source);
  const existing = await readKeyFile(file);
  if (existing) return existing;
  // A database that already has secrets was started with a key that is not here: a new one could not open them.
  if (await read(pool, checkName)) {
    const late = await readKeyFile(file); // unless another process is making its first start beside us
    if (late) return late;
    throw new SecretKeyError(
      `The database holds secrets, but ${file} is missing: restore that file, or set AOS_SECRET_KEY to its content.`,
    );
  }
  return makeKeyFile(source.dataDir, file, random);
}

async function readKeyFile(file: string): Promise<Buffer | undefined> {
  try {
    return parseKey(await readFile(file, "utf8"), file);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === "ENOENT") return undefined;
    if (code)
      throw new SecretKeyError(
        `The key file ${file} cannot be read (${code}): give this user the right to read it, or set AOS_SECRET_KEY.`,
      );
    throw error;
  }
}

function parseKey(text: string, place: string): Buffer {
  const trimmed = text.trim();
  const key = /^[0-9a-f]{64}$/i.test(trimmed) ? Buffer.from(trimmed, "hex") : Buffer.from(trimmed, "base64");
  if (key.length !== keyLength || (trimmed.length !== 64 && !/^[A-Za-z0-9+/]{43}=$/.test(trimmed))) {
    throw new SecretKeyError(
      `${place} is not a key: it must be 32 random bytes as 64 hexadecimal digits or base64 (openssl rand -hex 32).`,
    );
  }
  return key;
}

/** Written beside and linked into place: whole or not there at all, and never over an existing one. */
async function makeKeyFile(dataDir: string, file: string, random: RandomBytes): Promise<Buffer> {
  const beside = `${file}.${process.pid}.${random(6).toString("hex")}`;
  try {
    await mkdir(dataDir, { recursive: true });
    await writeFile(beside, `${random(keyLength).toString("hex")}\n`, { mode: 0o600, flag: "wx", flush: true });
    await chmod(beside, 0o600);
    await link(beside, file).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "EEXIST") throw error;
    });
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? "unknown error";
    throw new SecretKeyError(
      `The key file ${file} cannot be written (${code}): make ${dataDir} writable for this user, or set AOS_SECRET_KEY.`,
    );
  } finally {
    await rm(beside, { force: true });
  }
  return (await readKeyFile(file)) as Buffer;
}
