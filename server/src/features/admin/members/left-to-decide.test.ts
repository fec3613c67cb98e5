import { beforeEach, expect, it } from "vitest";
import type { ReadContext } from "../../../kernel/context.ts";
import { useSharedApp } from "../../../testing/shared-app.ts";
import { isAnybodyLeft } from "./store.ts";

const app = useSharedApp();

/** Whether somebody besides these could approve in production. */
function isLeft(besides: readonly string[], personalSignIn = true): Promise<boolean> {
  const db = { query: async (text: string, values?: unknown[]) => (await app.pool.query(text, values)).rows };
  const scope = { organization: "default", environment: "production" };
  return isAnybodyLeft({ scope, db, personalSignIn, now: Date.now() } as unknown as ReadContext, besides);
}

const grant = (sql: string, id: string) => app.pool.query(sql, [id]);
let owner: string;

beforeEach(async () => {
  await app.pool.query("update members set removed_at = now() where removed_at is null");
  owner = (await app.member("admin", "production")).memberId;
});

it("counts nobody who cannot sign in personally, such as the owner of the first start", async () => {
  const author = await app.signedInMember("admin", "production");
  expect(await isLeft([author.memberId])).toBe(false);
});

it.each([
  [
    "a passkey",
    "insert into passkeys (organization, id, member_id, credential_id, public_key, counter, transports, name, created_at) values ('default', $1, $1, $1, '', 0, '{}', 'test', now())",
    "update passkeys set voided_at = now() where member_id = $1",
  ],
  [
    "an account of the provider",
    "insert into provider_accounts (organization, issuer, subject, member_id, created_at) values ('default', 'https://id.example.com', $1, $1, now())",
    "update provider_accounts set voided_at = now() where member_id = $1",
  ],
  [
    "an e-mail address",
    "update members set email = $1 || '@example.com' where id = $1",
    "update members set email = null where id = $1",
  ],
])("counts who has %s", async (_what, give, take) => {
  await grant(give, owner);
  expect(await isLeft([])).toBe(true);
  expect(await isLeft([owner])).toBe(false);
  expect(await isLeft([], false)).toBe(false);
  await grant(take, owner);
  expect(await isLeft([])).toBe(false);
});

it("counts who has a personal key, until it is revoked, expires or the address is another one", async () => {
  const { memberId, keyId } = await app.signedInMember("approver", "production");
  expect(await isLeft([])).toBe(true);
  for (const [end, undo] of [
    ["revoked_at = now() - interval '1 minute'", "revoked_at = null"],
    ["expires_at = now() - interval '1 minute'", "expires_at = null"],
    ["personal_email = 'before@example.com'", "personal_email = null"],
  ]) {
    await grant(`update keys set ${end} where id = $1`, keyId);
    expect(await isLeft([]), end).toBe(false);
    await grant(`update keys set ${undo} where id = $1`, keyId);
  }
  await grant('update members set roles = \'{"production": "viewer"}\' where id = $1', memberId);
  expect(await isLeft([])).toBe(false);
});
