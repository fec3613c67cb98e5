import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createSeals } from "./seals.ts";

const scope = { organization: "default", environment: "production" } as const;
const seals = createSeals(Buffer.alloc(32, 1));
const values = fc.array(fc.option(fc.string()), { maxLength: 4 });

describe("a seal", () => {
  it("holds of exactly the values that it was made of, in their order", () => {
    fc.assert(
      fc.property(values, values, (made, given) => {
        expect(seals.holds(seals.seal("use", scope, made), "use", scope, given)).toBe(
          JSON.stringify(made) === JSON.stringify(given),
        );
      }),
    );
  });

  it("holds under no other key, use or scope, and no empty one holds", () => {
    const seal = seals.seal("use", scope, ["a"]);
    expect(createSeals(Buffer.alloc(32, 2)).holds(seal, "use", scope, ["a"])).toBe(false);
    expect(seals.holds(seal, "other", scope, ["a"])).toBe(false);
    expect(seals.holds(seal, "use", { ...scope, environment: "staging" }, ["a"])).toBe(false);
    for (const none of [null, "", seal.slice(1)]) expect(seals.holds(none, "use", scope, ["a"])).toBe(false);
  });
});
