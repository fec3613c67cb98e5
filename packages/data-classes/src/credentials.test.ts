import { expect, it } from "vitest";
import { credentialsIn, holdsCredential, namesCredential } from "./credentials.ts";

it.each([
  "Authorization",
  "proxy-authorization",
  "Cookie",
  "X-Api-Key",
  "api_key",
  "apikey",
  "access_token",
  "X-Auth-Token",
  "client-secret",
  "password",
])("takes %s for a name that carries a credential", (name) => expect(namesCredential(name)).toBe(true));

it.each(["Accept", "Idempotency-Key", "X-Trace", "page", "max_tokens", "author", "keyword", "monkey", "sort_key"])(
  "takes %s for a name like any other",
  (name) => expect(namesCredential(name)).toBe(false),
);

// Put together here, so that no scanner takes this file for a leak.
const made = (...parts: string[]): string => parts.join("");
it.each([
  ["a key of a model provider", made("sk-", "ant-api03-", "Ab1".repeat(10))],
  ["a payment key", made("sk_", "live_", "Ab1".repeat(8))],
  ["a token of a code host", made("ghp", "_", "Ab1".repeat(12))],
  ["a token of a chat", made("xoxb", "-", "1".repeat(12))],
  ["a cloud key", made("AKIA", "ABCDEFGH12345678")],
  ["a key of this service", made("aos_", "dev_", "Ab1".repeat(13))],
  ["a webhook secret", made("whsec", "_", "Ab1".repeat(10))],
  ["a signed token", made("eyJhbGciOiJIUzI1NiJ9", ".", "eyJzdWIiOiIxMjM0NTYifQ", ".x")],
  ["a private key", made("-----BEGIN RSA ", "PRIVATE KEY-----")],
])("finds %s in a text", (_what, secret) => {
  expect(holdsCredential(secret)).toBe(true);
  expect(holdsCredential(`Use ${secret}, please.`)).toBe(true);
});

it.each([
  "tsk_01jd8x0000000000000000000a",
  "Ask the task-force about risk-adjusted pricing-and-packaging.",
  "sk-short",
  "https://api.example.com/v1/keys/public",
  "ld_1001",
])("takes %j for a text like any other", (text) => expect(holdsCredential(text)).toBe(false));

it("answers soon for long texts made to be slow", () => {
  for (const part of ["eyJ", "sk-", "-----BEGIN ", "eyJaaaaaaaaaa.", "A"])
    expect(holdsCredential(part.repeat(100_000 / part.length))).toBeTypeOf("boolean");
}, 2_000);

it("says where credentials stand, to their end", () => {
  const key = made("ghp", "_", "Ab1".repeat(12));
  const text = `Use ${key}, or ${key}!`;
  expect(credentialsIn(text).map(({ start, end }) => text.slice(start, end))).toEqual([key, key]);
});
