import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { CallContext } from "../../../kernel/context.ts";
import { environments } from "../../../kernel/principal.ts";
import { dataClasses } from "../../../kernel/risk.ts";
import { SettingsDirectory } from "../../admin/settings/store.ts";
import type { KnownAgent, LiveSkill } from "../../agents/public.ts";
import type { DispatchBody } from "../schemas.ts";
import { approvalFor, dispatchFaults, inputOf, riskOf } from "./rules.ts";

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

describe("the body of a dispatch", () => {
  const agentWith = (properties: object): KnownAgent => {
    const skill = {
      definition: { name: "work", input: { type: "object", properties } },
      tools: [],
      validate: () => [],
    };
    return { agent: "open", live: { skills: new Map([["work", skill]]) } } as unknown as KnownAgent;
  };
  const faultsOf = (body: object, properties: object = {}) =>
    dispatchFaults(agentWith(properties), { task: "work", ...body } as DispatchBody).map(
      ({ pointer, code }) => `${pointer} ${code}`,
    );

  it.each(["require_aproval", "requireapproval", "require_approvals", "priorty", "dead_line", "Options"])(
    "refuses the misspelt %s also where the skill's schema is open",
    (name) => {
      expect(faultsOf({ [name]: true })).toEqual([`/${name} misspelt_field`]);
    },
  );

  it("takes a field that the skill declares, or that stands in input, however near its name is", () => {
    expect(faultsOf({ label: "a" }, { label: { type: "string" } })).toEqual([]);
    expect(faultsOf({ input: { label: "a" } })).toEqual([]);
  });

  it("takes input fields that are named like members of every object", () => {
    const input = JSON.parse('{"constructor": 1, "valueOf": 2, "__proto__": 3}');
    expect(faultsOf({ input })).toEqual([]);
    expect(Object.entries(inputOf({ task: "work", input } as unknown as DispatchBody))).toEqual(Object.entries(input));
    const atTop = JSON.parse('{"task": "work", "__proto__": {"admin": true}}') as DispatchBody;
    expect(Object.keys(inputOf(atTop))).toEqual(["__proto__"]);
  });
});
