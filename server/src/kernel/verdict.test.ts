import fc from "fast-check";
import { expect, it } from "vitest";
import { type ApprovalDemand, type Requirement, stricter } from "./verdict.ts";

const words = fc.uniqueArray(fc.constantFrom("a", "b", "c"), { maxLength: 3 });
const requirements = fc.uniqueArray(
  fc.record({
    kind: fc.constantFrom("policy" as const, "rule" as const),
    id: fc.constantFrom("x", "y"),
    version: fc.integer({ min: 1, max: 2 }),
  }),
  { maxLength: 4, selector: (one) => JSON.stringify(one) },
);
/** What a requirement asks follows from its version, which never changes. */
const whole = ({ kind, id, version }: Pick<Requirement, "kind" | "id" | "version">): Requirement => ({
  kind,
  id,
  version,
  name: id,
  stages: kind === "policy" ? [] : [{ quorum: version, roles: [], teams: [id], members: [] }],
});
const expiry = fc.record({
  expires_in_seconds: fc.integer({ min: 60, max: 62 }),
  on_expiry: fc.constantFrom("reject" as const, "escalate" as const),
});
const demands: fc.Arbitrary<ApprovalDemand> = fc
  .record(
    {
      approvers: fc.integer({ min: 1, max: 5 }),
      requester_allowed: fc.boolean(),
      reasons: words,
      policies: words,
      required_by: requirements,
      expiry,
    },
    { requiredKeys: ["approvers", "requester_allowed", "reasons"] },
  )
  .map(({ required_by, ...demand }) => ({ ...demand, ...(required_by && { required_by: required_by.map(whole) }) }));

/** A demand by what it says, whatever the order of its lists. */
const said = (demand: ApprovalDemand | null) =>
  demand && {
    ...demand,
    reasons: [...demand.reasons].sort(),
    policies: [...(demand.policies ?? [])].sort(),
    required_by: [...(demand.required_by ?? [])].map((one) => JSON.stringify(one)).sort(),
  };
const isAtLeast = (demand: ApprovalDemand, than: ApprovalDemand): boolean => {
  const [strict, least] = [said(demand), said(than)];
  return (
    demand.approvers >= than.approvers &&
    !(demand.requester_allowed && !than.requester_allowed) &&
    (least?.required_by.every((one) => strict?.required_by.includes(one)) ?? false) &&
    (than.expiry === undefined ||
      (demand.expiry?.expires_in_seconds ?? Number.POSITIVE_INFINITY) <= than.expiry.expires_in_seconds)
  );
};

it("joins demands whatever their order and grouping, and however often one is said, and never to less than either", () => {
  fc.assert(
    fc.property(demands, demands, demands, (a, b, c) => {
      expect(said(stricter(a, b))).toEqual(said(stricter(b, a)));
      expect(said(stricter(stricter(a, b), c))).toEqual(said(stricter(a, stricter(b, c))));
      expect(said(stricter(a, a))).toEqual(said(a));
      const both = stricter(a, b) as ApprovalDemand;
      expect([isAtLeast(both, a), isAtLeast(both, b)]).toEqual([true, true]);
      expect([stricter(a, null), stricter(null, a)]).toEqual([a, a]);
    }),
  );
});
