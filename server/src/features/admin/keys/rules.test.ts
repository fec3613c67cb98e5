import fc from "fast-check";
import { expect, it } from "vitest";
import { type Creator, creatorOf, excessOf, isNetwork, keyState, lies } from "./rules.ts";

const unbounded: Creator = {
  role: "admin",
  scopes: null,
  agents: null,
  addresses: null,
  ratePerSecond: null,
  endsAt: null,
};

it("lets revocation outweigh expiry, each from its very millisecond on", () => {
  const at = (ms: number | null) => (ms === null ? null : new Date(ms));
  const state = (dead: number | null, expires: number | null, now: number) =>
    keyState({ dead_since: at(dead), expires_at: at(expires) }, now);
  expect([state(null, null, 5), state(6, 6, 5), state(null, 5, 5), state(5, null, 5), state(5, 3, 5)]).toEqual([
    "active",
    "active",
    "expired",
    "revoked",
    "revoked",
  ]);
});

it("takes addresses and CIDR blocks, and nothing that only looks like them", () => {
  for (const text of ["192.0.2.7", "10.0.0.0/8", "0.0.0.0/0", "2001:db8::/32", "::1", "::/128"])
    expect(isNetwork(text), text).toBe(true);
  for (const text of [
    "",
    "10.0.0",
    "10.0.0.0/33",
    "10.0.0.0/",
    "10.0.0.0/08",
    "10.0.0.0/8/8",
    "::/129",
    "fe80::1%eth0",
    "localhost",
    " ::1",
  ]) {
    expect(isNetwork(text), text).toBe(false);
  }
});

it("knows which network lies in which", () => {
  expect(lies("10.1.0.0/16", "10.0.0.0/8")).toBe(true);
  expect(lies("10.0.0.0/8", "10.0.0.0/8")).toBe(true);
  expect(lies("10.0.0.0/7", "10.0.0.0/8")).toBe(false);
  expect(lies("11.0.0.1", "10.0.0.0/8")).toBe(false);
  expect(lies("2001:db8:1::/48", "2001:db8::/32")).toBe(true);
  expect(lies("10.0.0.1", "::/0")).toBe(false);
  expect(lies("0.0.0.0/0", "10.0.0.0/8")).toBe(false);
});

it("lets a network lie in another exactly when their leading bits agree (IPv4)", () => {
  const network = fc.record({ value: fc.nat(0xffffffff), bits: fc.integer({ min: 0, max: 32 }) });
  const text = ({ value, bits }: { value: number; bits: number }) =>
    `${[24, 16, 8, 0].map((shift) => (value >>> shift) & 255).join(".")}/${bits}`;
  const head = (value: number, bits: number) => Math.floor((value >>> 0) / 2 ** (32 - bits));
  fc.assert(
    fc.property(network, network, fc.boolean(), (inner, other, near) => {
      const outer = near ? { value: inner.value, bits: other.bits } : other;
      const expected = inner.bits >= outer.bits && head(inner.value, outer.bits) === head(outer.value, outer.bits);
      expect(lies(text(inner), text(outer))).toBe(expected);
    }),
  );
});

it("finds nothing too much for a key without bounds", () => {
  expect(excessOf({ name: "n", role: "admin", expires_in_days: null }, null, unbounded)).toEqual([]);
});

it("refuses a role that may do more, and one that may do other things", () => {
  for (const role of ["admin", "operator", "approver"] as const) {
    expect(excessOf({ name: "n", role }, null, { ...unbounded, role: "evaluator" })).toMatchObject([
      { pointer: "/role" },
    ]);
  }
  expect(excessOf({ name: "n", role: "operator" }, null, { ...unbounded, role: "builder" })).toEqual([]);
});

it("bounds a key by the sooner of its creator's expiry and overlap, and machines of the service by nothing", () => {
  const principal = {
    kind: "member",
    id: "mbr_1",
    role: "admin",
    keyId: "key_1",
    scopes: null,
    agents: null,
    personal: false,
    issuers: [],
  } as const;
  const key = { addresses: null, rate_per_second: null, expires_at: new Date(2000), dead_since: new Date(1000) };
  expect(creatorOf(principal, key)?.endsAt).toBe(1000);
  expect(creatorOf(principal, { ...key, dead_since: null })?.endsAt).toBe(2000);
  expect(creatorOf({ ...principal, kind: "system" }, undefined)).toBeNull();
});
