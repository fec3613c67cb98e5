import { randomBytes } from "node:crypto";
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { useDatabase } from "../testing/database.ts";
import { openSecrets, SecretKeyError, seal, unseal } from "./secrets.ts";

const database = useDatabase();
let dataDir: string;

beforeEach(async () => {
  dataDir = await mkdtemp(path.join(os.tmpdir(), "aos-secrets-"));
  await database.pool.query("truncate secrets");
});

afterEach(async () => {
  await rm(dataDir, { recursive: true, force: true });
});

const open = (secretKey?: string, folder = dataDir) =>
  openSecrets({ pool: database.pool, keySource: { secretKey, dataDir: folder } });

describe("the installation's secrets", () => {
  it("are made once and come back the same", async () => {
    const first = await open();
    const keys = [
      await first.cursorKey(),
      await first.credentialKey(),
      (await first.auditSigningKey()).export({ type: "pkcs8", format: "der" }),
    ];
    const second = await open();
    expect([
      await second.cursorKey(),
      await second.credentialKey(),
      (await second.auditSigningKey()).export({ type: "pkcs8", format: "der" }),
    ]).toEqual(keys);
    expect(keys[0]).not.toEqual(keys[1]);
  });

  it("come out the same for many processes that start at once on an empty installation", async () => {
    const all = await Promise.all(
      Array.from({ length: 8 }, async () => (await (await open()).cursorKey()).toString("hex")),
    );
    expect(new Set(all).size).toBe(1);
    expect(await readdir(dataDir)).toEqual(["secret.key"]);
  });

  it("lie encrypted in the database, under a file that only its owner reads", async () => {
    const key = await (await open()).cursorKey();
    const { rows } = await database.pool.query<{ ciphertext: Buffer }>(
      "select ciphertext from secrets where name = 'cursor-key'",
    );
    expect(rows[0]?.ciphertext.includes(key)).toBe(false);
    expect((await stat(path.join(dataDir, "secret.key"))).mode & 0o777).toBe(0o600);
  });

  it("take AOS_SECRET_KEY before the file, as hexadecimal or base64, and then write none", async () => {
    const key = randomBytes(32);
    const made = await (await open(key.toString("hex"))).cursorKey();
    expect(await (await open(`${key.toString("base64")}\n`)).cursorKey()).toEqual(made);
    expect(await readdir(dataDir)).toEqual([]);
  });

  it("refuse another key in one line that names the remedy and no secret", async () => {
    await open(randomBytes(32).toString("hex"));
    const other = randomBytes(32).toString("hex");
    const error = await open(other).catch((e: unknown) => e as Error);
    expect(error).toBeInstanceOf(SecretKeyError);
    expect((error as Error).message).toMatch(/^The key in AOS_SECRET_KEY does not open .* restore secret\.key/);
    expect((error as Error).message).not.toMatch(/\n/);
    expect((error as Error).message).not.toContain(other);
  });

  it("refuse to start without the file that the database was started with, and leave no new one", async () => {
    await open();
    await rm(path.join(dataDir, "secret.key"));
    await expect(open()).rejects.toThrow("secret.key is missing: restore that file");
    expect(await readdir(dataDir)).toEqual([]);
  });

  it("never overwrite a key file, also one that is not a key", async () => {
    const file = path.join(dataDir, "secret.key");
    await writeFile(file, "my notes\n");
    await expect(open()).rejects.toThrow("is not a key: it must be 32 random bytes");
    expect(await readFile(file, "utf8")).toBe("my notes\n");
  });

  it("refuse a setting that is not a key", async () => {
    for (const bad of ["abc", "00".repeat(31), randomBytes(33).toString("base64")])
      await expect(open(bad)).rejects.toThrow(SecretKeyError);
  });

  it("do not open when moved under another name", async () => {
    const secrets = await open();
    await secrets.cursorKey();
    await database.pool.query("update secrets set name = 'credential-key' where name = 'cursor-key'");
    await expect(secrets.credentialKey()).rejects.toThrow(SecretKeyError);
  });
});

describe("sealing", () => {
  it("opens with the same key and context only, and not when a bit was changed", () => {
    const key = randomBytes(32);
    const sealed = seal(key, Buffer.from("secret"), "tool:crm");
    expect(unseal(key, sealed, "tool:crm")?.toString()).toBe("secret");
    expect(unseal(randomBytes(32), sealed, "tool:crm")).toBeUndefined();
    expect(unseal(key, sealed, "tool:erp")).toBeUndefined();
    for (let i = 0; i < sealed.length; i++) {
      const changed = Buffer.from(sealed);
      changed[i] = (changed[i] as number) ^ 1;
      expect(unseal(key, changed, "tool:crm"), `byte ${i}`).toBeUndefined();
    }
    expect(unseal(key, sealed.subarray(0, 20), "tool:crm")).toBeUndefined();
  });
});
