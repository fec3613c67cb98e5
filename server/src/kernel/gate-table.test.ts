import { describe, expect, it } from "vitest";
import { type GateConsequence, type GateState, gateConsequence, gateState } from "./gate-table.ts";
import { environments } from "./principal.ts";

const states: readonly GateState[] = ["open", "failed", "inconclusive", "expired", "missing"];

describe("what follows from a gate", () => {
  it("is the table of governance where a gate says nothing of its own", () => {
    const follows = environments.map((environment) => states.map((state) => gateConsequence(environment, {}, state)));
    expect(follows).toEqual([
      ["go", "tag", "tag", "tag", "tag"],
      ["go", "refuse", "approve", "approve", "approve"],
      ["go", "refuse", "approve", "approve", "approve"],
    ]);
  });

  it("is what the gate says, for the states that it names and no other, and an open gate goes whatever it says", () => {
    const override = { missing: "refuse", open: "refuse" } as { missing: "refuse" };
    const follows = states.map((state): GateConsequence => gateConsequence("production", override, state));
    expect(follows).toEqual(["go", "refuse", "approve", "approve", "refuse"]);
  });
});

it("stays failed when the evidence of the failure is out of date", () => {
  expect(gateState({ verdict: "failed", expiresAt: 1000 }, 2000)).toBe("failed");
});

it("is out of date from the very moment at which it expires", () => {
  const known = { verdict: "open", expiresAt: 1000 } as const;
  expect([gateState(known, 999), gateState(known, 1000), gateState(undefined, 0)]).toEqual([
    "open",
    "expired",
    "missing",
  ]);
});
