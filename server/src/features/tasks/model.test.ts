import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { CallContext } from "../../kernel/context.ts";
import { environments } from "../../kernel/principal.ts";
import { dataClasses } from "../../kernel/risk.ts";
import { SettingsDirectory } from "../admin/settings-facts.ts";
import type { LiveSkill } from "../agents/public.ts";
import { approvalFor, riskOf } from "./model.ts";

const impact = fc.record({
  data: fc.constantFrom(...dataClasses),
  reversible: fc.boolean(),
  external: fc.boolean(),
  money: fc.constantFrom(0, 50, 500, 5_000, 50_000),
  persons: fc.constantFrom(0, 1, 5, 50, 500, 5_000),
});
const asked = fc.option(
  fc.record({ approvers: fc.integer({ min: 1, max: 4 }), requester_allowed: fc.boolean(), reasons: fc.constant([]) }),
);

describe("the demand for approval of a task", () => {
  it("is at least as strict with the caller's require_approval as without, at any impact and trust", () => {
    fc.assert(
      fc.property(
        impact,
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.constantFrom(...environments),
        asked,
        (declared, trust, environment, by) => {
          const facts = { get: () => new SettingsDirectory([]) };
          const ctx = { scope: { organization: "default", environment }, facts } as unknown as CallContext;
          const risk = riskOf({ definition: { impact: declared }, tools: [] } as unknown as LiveSkill, trust);
          expect(risk.inputs.unattended).toBe(true);
          const [without, withFlag] = [approvalFor(ctx, risk, by, false), approvalFor(ctx, risk, by, true)];
          expect(withFlag).not.toBeNull();
          expect(withFlag?.approvers).toBeGreaterThanOrEqual(without?.approvers ?? 1);
          expect(without?.requester_allowed === false && withFlag?.requester_allowed === true).toBe(false);
        },
      ),
    );
  });
});
