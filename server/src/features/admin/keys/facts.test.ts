import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { createReader } from "../../../db/reader.ts";
import { startTestApp, type TestApp, useApp } from "../../../testing/app.ts";
import { keyFacts, lookUpKey } from "./facts.ts";

const app = useApp();
const hashOf = (secret: string): string => createHash("sha256").update(secret).digest("hex");
const reader = () => createReader(app.pool);
const load = () => keyFacts.load(reader());

describe("keys in memory", () => {
  it("hold whom a key acts for, where, and all of its bounds", async () => {
    const { secret, memberId, keyId } = await app.member("operator", "staging");
    await app.pool.query(
      "update keys set scopes = '{tasks:read}', agents = '{sales}', addresses = '{::1}', rate_per_second = 5, expires_at = $1 where id = $2",
      [new Date(4e12), keyId],
    );
    expect((await load()).byHash(hashOf(secret))).toEqual({
      principal: {
        kind: "member",
        id: memberId,
        role: "operator",
        keyId,
        scopes: ["tasks:read"],
        agents: ["sales"],
        personal: false,
        issuers: [],
        teams: [],
      },
      scope: { organization: "default", environment: "staging" },
      expiresAt: 4e12,
      revokedAt: null,
      addresses: ["::1"],
      ratePerSecond: 5,
    });
  });

  it("leave out keys that died more than a day ago, which the database still knows", async () => {
    for (const column of ["expires_at", "revoked_at"]) {
      const { secret, keyId } = await app.member("viewer");
      const dieAt = (hours: number) =>
        app.pool.query(`update keys set ${column} = now() - make_interval(hours => $1) where id = $2`, [hours, keyId]);
      await dieAt(23);
      expect((await load()).byHash(hashOf(secret))).toBeDefined();
      await dieAt(25);
      expect((await load()).byHash(hashOf(secret))).toBeUndefined();
      expect((await lookUpKey(reader(), hashOf(secret)))?.principal.keyId).toBe(keyId);
    }
  });

  it("treat a key as revoked once its owner is removed or has lost the role behind it", async () => {
    const revokedAt = async (change: string): Promise<number | null | undefined> => {
      const { secret, memberId } = await app.member("operator");
      await app.pool.query(`update members set ${change} where id = $1`, [memberId]);
      return (await lookUpKey(reader(), hashOf(secret)))?.revokedAt;
    };
    expect(await revokedAt("name = 'Same'")).toBeNull();
    expect(await revokedAt(`roles = '{"development": "builder"}'`)).toBeNull();
    expect(await revokedAt("removed_at = '2026-01-02T03:04:05Z'")).toBe(Date.UTC(2026, 0, 2, 3, 4, 5));
    expect(await revokedAt(`roles = '{"development": "viewer"}'`)).toBeLessThanOrEqual(Date.now());
    expect(await revokedAt(`roles = '{"production": "admin"}'`)).toBeLessThanOrEqual(Date.now());
    expect(await revokedAt("roles = '{}'")).toBeLessThanOrEqual(Date.now());
  });

  it("let a service account's key carry any role as long as the account has one there", async () => {
    const { secret, memberId } = await app.member("admin");
    await app.pool.query(
      `update members set kind = 'service_account', name = 'bot', roles = '{"development": "viewer"}' where id = $1`,
      [memberId],
    );
    expect(await lookUpKey(reader(), hashOf(secret))).toMatchObject({
      principal: { kind: "service_account", role: "admin" },
      revokedAt: null,
    });
    await app.pool.query("update members set roles = '{}' where id = $1", [memberId]);
    expect((await lookUpKey(reader(), hashOf(secret)))?.revokedAt).toBeLessThanOrEqual(Date.now());
  });

  it("know no key by a hash that nobody has", async () => {
    expect((await load()).byHash(hashOf("nothing"))).toBeUndefined();
    expect(await lookUpKey(reader(), hashOf("nothing"))).toBeUndefined();
  });
});

describe("another process", () => {
  let other: TestApp;
  beforeAll(async () => {
    other = await startTestApp({ connectionString: app.connectionString });
  });
  afterAll(() => other.close());

  it("takes a key at once that was just issued here", async () => {
    const { body } = await app.call("POST", "/v1/admin/keys", { body: { name: "test", role: "viewer" } });
    expect((await other.call("GET", "/v1/admin/whoami", { key: body.key })).status).toBe(200);
  });

  it("refuses a key within a second after it was revoked here", async () => {
    const { body } = await app.call("POST", "/v1/admin/keys", { body: { name: "test", role: "viewer" } });
    expect((await other.call("GET", "/v1/admin/whoami", { key: body.key })).status).toBe(200);
    await app.call("DELETE", `/v1/admin/keys/${body.key_id}`);
    const refused = async () =>
      expect((await other.call("GET", "/v1/admin/whoami", { key: body.key })).status).toBe(401);
    await vi.waitFor(refused, { timeout: 1_000, interval: 10 });
  });
});
