import { expect, it } from "vitest";
import { callerOf, systemPrincipal } from "./principal.ts";

it("limits of a process are apart for hooks of the same name in different environments and organizations", () => {
  const hook = { ...systemPrincipal("none"), id: "hook:orders" };
  const scopes = [
    { organization: "org_1", environment: "staging" },
    { organization: "org_1", environment: "production" },
    { organization: "org_2", environment: "production" },
  ] as const;
  expect(new Set(scopes.map((scope) => callerOf(hook, scope))).size).toBe(3);
  expect(new Set(scopes.map((scope) => callerOf({ ...hook, keyId: "key_1" }, scope))).size).toBe(1);
});
