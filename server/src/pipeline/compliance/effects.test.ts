import * as detectors from "@aos/data-classes";
import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import { type RedactDemand, type RunLimits, strictest, united } from "../../kernel/verdict.ts";
import type { PolicyContext } from "./context.ts";
import { createPolicySet, evaluate, explain } from "./evaluate.ts";
import { aContext, compiled } from "./fixtures.ts";
import type { Policy } from "./policy.ts";

const run: Partial<PolicyContext> = { action: "task.run" };
const decide = (policies: Partial<Policy>[], context: Partial<PolicyContext> = run) =>
  evaluate(createPolicySet(policies.map(compiled), 0), aContext(context));
const limit = (id: string, params: RunLimits, more: Partial<Policy> = {}): Partial<Policy> => ({
  id,
  effect: "limit",
  params,
  scope: { actions: ["task.dispatch", "task.run"] },
  ...more,
});
const redact = (id: string, kinds?: string[], more: Partial<Policy> = {}): Partial<Policy> => ({
  id,
  effect: "redact",
  params: kinds ? { kinds } : {},
  ...more,
});

describe("Effects on a run", () => {
  test("Of several bounds the least of each counts.", () => {
    const verdict = decide([
      limit("pol_1", { steps: 5, cost_usd: 1 }),
      limit("pol_2", { steps: 3, seconds: 60 }),
      limit("pol_3", { tokens: 10 }),
    ]);
    expect(verdict).toMatchObject({ verdict: "allow", limits: { steps: 3, seconds: 60, tokens: 10, cost_usd: 1 } });
    expect(verdict.reasons.map(({ policy }) => policy)).toEqual(["pol_1", "pol_2", "pol_3"]);
  });

  test("What is to be redacted unites; all kinds take the rest in.", () => {
    expect(decide([redact("pol_1", ["iban", "email"]), redact("pol_2", ["email", "phone"])]).redact).toEqual({
      kinds: ["email", "iban", "phone"],
    });
    expect(decide([redact("pol_1", ["iban"]), redact("pol_2")]).redact).toEqual({ kinds: "all" });
  });

  test("A policy in shadow neither bounds nor redacts, and one that does not apply neither.", () => {
    const shadow = decide([
      limit("pol_1", { steps: 1 }, { state: "shadow" }),
      redact("pol_2", undefined, { state: "shadow" }),
    ]);
    expect(shadow).toMatchObject({ limits: null, redact: null, reasons: [] });
    expect(shadow.shadow).toHaveLength(2);
    expect(decide([limit("pol_1", { steps: 1 }, { when: "false" })])).toMatchObject({ limits: null, evaluated: 1 });
  });

  test("notify lets the call go on and is distinguished.", () => {
    const verdict = decide([{ id: "pol_n", effect: "notify" }]);
    expect(verdict).toMatchObject({
      verdict: "allow",
      notified: [{ policy: "pol_n", state: "active", effect: "notify" }],
    });
    expect(decide([{ id: "pol_n", effect: "notify", state: "shadow" }])).toMatchObject({
      notified: [],
      shadow: [{ policy: "pol_n" }],
    });
  });

  test("One that cannot be evaluated refuses, whatever its effect.", () => {
    for (const policy of [
      limit("pol_1", { steps: 1 }),
      redact("pol_1"),
      { id: "pol_1", effect: "notify" } as Partial<Policy>,
    ])
      expect(decide([{ ...policy, when: "has(input.lead_id) && input.lead_id > 3" }])).toMatchObject({
        verdict: "deny",
        limits: null,
        redact: null,
        notified: [],
      });
  });

  test("Nothing but tags and notices is done to an action that nobody can deny.", () => {
    const scope = { actions: ["whoami"] };
    const verdict = decide(
      [
        { id: "pol_d", scope },
        { id: "pol_n", effect: "notify", scope },
      ],
      { action: "whoami" },
    );
    expect(verdict).toMatchObject({ verdict: "allow", exempt: [{ policy: "pol_d" }], notified: [{ policy: "pol_n" }] });
  });

  const bound = fc.option(fc.nat(100), { nil: undefined });
  const bounds = fc
    .record({ steps: bound, seconds: bound, tokens: bound, cost_usd: bound })
    .map((all) => JSON.parse(JSON.stringify(all)) as RunLimits);
  const kinds: fc.Arbitrary<RedactDemand> = fc.oneof(
    fc.constant<RedactDemand>({ kinds: "all" }),
    fc.subarray(["email", "iban", "phone"], { minLength: 1 }).map((some) => ({ kinds: some })),
  );

  test("Merging never loosens a bound or lets a kind out, in whichever order.", () => {
    fc.assert(
      fc.property(bounds, bounds, kinds, kinds, (a, b, c, d) => {
        const both = strictest(a, b);
        expect(strictest(b, a)).toEqual(both);
        for (const one of [a, b])
          for (const [name, value] of Object.entries(one))
            expect(both[name as keyof RunLimits]).toBeLessThanOrEqual(value);
        expect(Object.keys(both).sort()).toEqual([...new Set([...Object.keys(a), ...Object.keys(b)])].sort());
        const all = (demand: RedactDemand) =>
          new Set(demand.kinds === "all" ? ["email", "iban", "phone", "rest"] : demand.kinds);
        expect(all(united(c, d))).toEqual(new Set([...all(c), ...all(d)]));
      }),
    );
  });
});

describe("Data classes of the input", () => {
  const iban = { note: "pay to DE89370400440532013000", lead: { mail: "x@example.com" } };

  test("Policies read kinds, classes and the level of what detectors find.", () => {
    const yes = (when: string, input: Record<string, unknown> = iban) =>
      decide([{ when }], { input }).verdict === "deny";
    expect(yes('"iban" in data.kinds && "email" in data.kinds')).toBe(true);
    expect(yes('data.classes.exists(one, one == "personal") && data.level == "personal"')).toBe(true);
    expect(yes('size(data.kinds) > 0 || data.level != "public"', { lead_id: "ld_1" })).toBe(false);
    expect(decide([{ when: "size(data.kinds) > 0" }], { input: undefined }).verdict).toBe("allow");
  });

  test("An input that is too large to be read counts as restricted.", () => {
    const input = { note: "a ".repeat(40_000) };
    expect(
      decide([{ when: '"too_large" in data.kinds && data.level == "restricted" && "restricted" in data.classes' }], {
        input,
      }).verdict,
    ).toBe("deny");
  });

  test("The input is scanned once where policies ask, and not at all where none does.", () => {
    const names = vi.fn(() => ["note"]);
    const input = new Proxy(
      { note: "x" },
      { ownKeys: names, getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true, value: "x" }) },
    );
    decide([{ when: "risk.score > 100.0" }], { input });
    expect(names).not.toHaveBeenCalled();
    decide(
      [
        { id: "pol_1", when: "size(data.kinds) > 9" },
        { id: "pol_2", when: 'data.level == "internal"' },
      ],
      { input },
    );
    expect(names).toHaveBeenCalledTimes(1);
    expect(detectors.dataKinds).toContain("iban");
  });
});

test("Each policy whose scope covers a call is explained: it applies, does not, fails, or does not hold now.", () => {
  const policies = [
    { id: "pol_1" },
    { id: "pol_2", when: "false" },
    { id: "pol_3", when: "has(input.lead_id) && input.lead_id > 3" },
    { id: "pol_4", effective_from: Date.UTC(2027, 0) },
    { id: "pol_5", scope: { actions: ["tool.call"] } },
    { id: "pol_6", state: "shadow" as const },
  ];
  const said = explain(createPolicySet(policies.map(compiled), 0), aContext()).map(
    ({ policy, outcome }) => `${policy.id} ${outcome}`,
  );
  expect(said).toEqual([
    "pol_1 applies",
    "pol_2 does_not_apply",
    "pol_3 error",
    "pol_4 outside_window",
    "pol_6 applies",
  ]);
});
