import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Principal } from "../../kernel/principal.ts";
import { mayDecide, needsDigest, outcomeOf } from "./model.ts";
import { approvalStates } from "./schemas.ts";
import { ifUndecided, riskReasons } from "./wording.ts";

describe("what votes come to", () => {
  const votes = fc.array(fc.record({ vote: fc.constantFrom("approve" as const, "reject" as const) }), { maxLength: 6 });

  it("is rejected by any rejection, approved by enough approvals, else pending", () => {
    fc.assert(
      fc.property(votes, fc.integer({ min: 1, max: 4 }), (cast, approvers) => {
        const rejected = cast.some(({ vote }) => vote === "reject");
        expect(outcomeOf(cast, approvers)).toBe(rejected ? "rejected" : cast.length >= approvers ? "approved" : "pending");
      }),
    );
  });

  it("is never approved without a vote", () => {
    expect(outcomeOf([], 1)).toBe("pending");
  });
});

describe("who may decide", () => {
  const person: Principal = { kind: "member", id: "mbr_1", role: "approver", keyId: "key_1", scopes: null, agents: null };
  const approval = { status: "pending" as const, requester: "mbr_2", requester_allowed: false, approvers: 1 };

  it("is nobody once it is decided, whatever it came to", () => {
    for (const status of approvalStates) {
      const { allowed, code } = mayDecide(person, { ...approval, status }, []);
      expect([allowed, code]).toEqual(status === "pending" ? [true, null] : [false, "already_decided"]);
    }
  });

  it("is never the service itself", () => {
    const system: Principal = { ...person, kind: "system", id: "system:worker", role: "admin" };
    expect(mayDecide(system, approval, [])).toMatchObject({ allowed: false, code: "persons_only" });
  });

  it("includes the requester only where that is allowed", () => {
    const own = { ...approval, requester: person.id };
    expect(mayDecide(person, own, [])).toMatchObject({ allowed: false, code: "four_eyes" });
    expect(mayDecide(person, { ...own, requester_allowed: true }, [])).toMatchObject({ allowed: true });
  });
});

describe("what a vote must carry", () => {
  it("is the digest, from high risk on", () => {
    expect((["low", "medium", "high", "critical"] as const).map((risk_level) => needsDigest({ risk_level }))).toEqual([
      false,
      false,
      true,
      true,
    ]);
  });
});

describe("the words around a decision", () => {
  const inputs = {
    data: "restricted", reversible: false, external: true, money: 2500, persons: 12, unattended: true, trust_low: 0.1958, critical_finding: true, mitigation: 0,
  }; // biome-ignore format: one line
  const risk = {
    level: "critical" as const,
    score: 12,
    impact: 4,
    likelihood: 4,
    inputs,
    floors: [{ rule: "critical_finding", level: "critical" as const }],
    lower: null,
  };

  it("name everything that makes a risk what it is", () => {
    expect(riskReasons(risk)).toEqual([
      "It touches restricted data.",
      "It cannot be undone.",
      "It reaches outside the company.",
      "Up to 2,500 US dollars are at stake.",
      "It affects 12 people.",
      "Nobody was asked to look before it happens.",
      expect.stringContaining("20 %"),
      "A critical finding about the agent is open.",
      "At least critical, because of an open critical finding about the agent.",
    ]);
  });

  it("say that nothing expires by itself, and the earlier of expiry and deadline where there are any", () => {
    const early = new Date("2026-11-21T08:00:00Z");
    const late = new Date("2026-11-22T08:00:00Z");
    expect(ifUndecided("pending", null, null).outcome).toBe("waits");
    expect(ifUndecided("pending", late, early)).toMatchObject({ outcome: "expires", at: "2026-11-21T08:00:00.000Z" });
    expect(ifUndecided("approved", late, early)).toMatchObject({ outcome: "nothing", at: null });
  });
});
