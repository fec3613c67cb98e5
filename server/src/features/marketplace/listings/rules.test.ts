import fc from "fast-check";
import { expect, it } from "vitest";
import { compareVersions, listingStateOf } from "./rules.ts";

const version = fc.tuple(fc.nat(20), fc.nat(20), fc.nat(20)).map((numbers) => numbers.join("."));

it("orders versions by their numbers, not by their letters", () => {
  expect(["1.10.0", "1.9.0", "1.9.12", "0.20.0"].sort(compareVersions)).toEqual([
    "0.20.0",
    "1.9.0",
    "1.9.12",
    "1.10.0",
  ]);
  fc.assert(
    fc.property(
      version,
      version,
      (a, b) => Math.sign(compareVersions(a, b)) === -Math.sign(compareVersions(b, a)) || a === b,
    ),
  );
});

it("shows the newest approved version, and the newest where none is", () => {
  const states = fc.constantFrom("submitted" as const, "approved" as const, "rejected" as const, "recalled" as const);
  const versions = fc.uniqueArray(fc.record({ version, state: states }), {
    selector: (one) => one.version,
    minLength: 1,
  });
  fc.assert(
    fc.property(versions, (some) => {
      const { state, shown } = listingStateOf(some);
      const approved = some.filter((one) => one.state === "approved");
      const among = approved.length > 0 ? approved : some;
      expect(among.every((one) => compareVersions(one.version, shown) <= 0)).toBe(true);
      expect(some).toContainEqual({ version: shown, state });
    }),
  );
});
