import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Principal } from "../../../kernel/principal.ts";
import { stricterExpiry } from "../../../kernel/verdict.ts";
import type { StandIn } from "../delegations/rules.ts";
import { ifUndecided, riskReasons } from "../inbox/wording.ts";
import { type CountedVote, countPersons, counts, personsOf } from "../requests/persons.ts";
import { type ApprovalState, approvalStates, expiryAgain, type OnExpiry } from "../requests/rules.ts";
import {
  barOf,
  behalfOf,
  type Caller,
  type Deciding,
  decisionOf,
  mayDecide,
  needsDigest,
  outcomeOf,
  seatOf,
} from "./rules.ts";

const cast = (accountable: readonly string[], more: Partial<CountedVote> = {}): CountedVote => ({
  vote: "approve",
  accountable,
  personal: true,
  in_force: true,
  ...more,
});

describe("what votes come to", () => {
  const persons = fc.constantFrom("mbr_1", "mbr_2", "mbr_3", "mbr_4", "host");
  const votes = fc.array(
    fc
      .record({
        accountable: fc.uniqueArray(persons, { minLength: 1, maxLength: 3 }),
        vote: fc.constantFrom("approve" as const, "reject" as const),
        personal: fc.boolean(),
        in_force: fc.boolean(),
      })
      .filter(({ accountable }) => accountable.some((id) => id !== "host")),
    { maxLength: 6 },
  );
  const demands = fc.record({ approvers: fc.integer({ min: 1, max: 4 }), requester_allowed: fc.boolean() });

  it("is rejected by any rejection that counts, approved by enough persons, else pending", () => {
    fc.assert(
      fc.property(votes, demands, fc.boolean(), (all, demand, strict) => {
        const counted = all.filter((vote) => counts(vote, demand, strict));
        const rejected = counted.some(({ vote }) => vote === "reject");
        const enough = countPersons(counted.map(({ accountable }) => accountable)) >= demand.approvers;
        expect(outcomeOf(all, demand, strict)).toBe(rejected ? "rejected" : enough ? "approved" : "pending");
      }),
    );
  });

  it("counts never more persons than there are credentials or people, and the same in any order; one more credential never loses one but by joining two", () => {
    fc.assert(
      fc.property(fc.array(fc.uniqueArray(persons, { minLength: 1, maxLength: 3 }), { maxLength: 6 }), (sets) => {
        const real = sets.filter((set) => personsOf(set).length > 0);
        const found = countPersons(real);
        expect(found).toBeLessThanOrEqual(Math.min(real.length, new Set(real.flatMap(personsOf)).size));
        expect(countPersons(real.toReversed())).toBe(found);
        expect(countPersons([...real, ...real])).toBe(found);
        if (real.length > 0) expect(found).toBeGreaterThan(0);
      }),
    );
  });

  it("counts two credentials once that lead to one person, also by way of a third", () => {
    expect(countPersons([["a"], ["b"]])).toBe(2);
    expect(
      countPersons([
        ["a", "x"],
        ["b", "x"],
      ]),
    ).toBe(1);
    expect(
      countPersons([
        ["a", "x"],
        ["b", "y"],
        ["x", "y"],
      ]),
    ).toBe(1);
    expect(
      countPersons([
        ["a", "host"],
        ["b", "host"],
      ]),
    ).toBe(2);
  });

  it("counts no vote of somebody who may no longer decide, nor an impersonal one where a second person is demanded strictly", () => {
    const two = { approvers: 2, requester_allowed: true };
    const [one, other] = [cast(["mbr_1"]), cast(["mbr_2"])];
    expect(outcomeOf([one, other], two, true)).toBe("approved");
    expect(outcomeOf([one, { ...other, in_force: false }], two, false)).toBe("pending");
    expect(outcomeOf([one, { ...other, personal: false }], two, true)).toBe("pending");
    expect(outcomeOf([one, { ...other, personal: false }], two, false)).toBe("approved");
    expect(outcomeOf([{ ...one, personal: false }], { approvers: 1, requester_allowed: true }, true)).toBe("approved");
  });

  it("is approved by enough persons only once those whom an approval rule asks are among them", () => {
    const stage = { quorum: 1, roles: [], teams: [], members: ["mbr_3"] };
    const required = {
      approvers: 2,
      requester_allowed: true,
      required_by: [{ kind: "rule" as const, id: "refunds", name: "Refunds", version: 1, stages: [stage] }],
    };
    const counted = { strict: false, escalated: false, placeOf: (id: string) => ({ id, role: undefined, teams: [] }) };
    const by = (voter: string) => ({ ...cast([voter]), voter, on_behalf_of: null, stands_in: false });
    expect(decisionOf([by("mbr_1"), by("mbr_2")], required, counted)).toBe("pending");
    expect(decisionOf([by("mbr_1"), by("mbr_3")], required, counted)).toBe("approved");
  });

  it("is never approved without a vote", () => {
    expect(outcomeOf([], { approvers: 1, requester_allowed: true }, false)).toBe("pending");
  });
});

describe("who may decide", () => {
  const person: Principal = {
    kind: "member",
    id: "mbr_1",
    role: "approver",
    keyId: "key_1",
    scopes: null,
    agents: null,
    personal: false,
    issuers: [],
  };
  const now = Date.parse("2026-11-20T09:30:00Z");
  const caller: Caller = {
    principal: person,
    now,
    strict: false,
    personalSignIn: false,
    appUrl: "http://aos.test",
    standIns: [],
    placeOf: (id) => ({ id, role: "approver", teams: [] }),
  };
  const approval: Deciding = {
    status: "pending",
    decided_at: null,
    reasons: "[]",
    policies: [],
    demanded: "[]",
    task_id: "tsk_1",
    requester: "mbr_2",
    requester_accountable: ["mbr_2"],
    requesters: null,
    requester_allowed: false,
    approvers: 1,
    round: 1,
    edited_by: null,
    editor_accountable: [],
    expires_at: null,
    on_expiry: null,
    escalated_at: null,
    escalated_by: null,
    votes: [],
    delegations: [],
  };
  const vote = (voter: string, ...issuers: string[]) => ({
    voter,
    name: `Name of ${voter}`,
    on_behalf_of: null,
    stands_in: false,
    ...cast([voter, ...issuers]),
  });

  it("is nobody once it is decided, whatever it came to", () => {
    for (const status of approvalStates) {
      const { allowed, code } = mayDecide(caller, { ...approval, status });
      expect([allowed, code]).toEqual(status === "pending" ? [true, null] : [false, "already_decided"]);
    }
  });

  it("is never the service itself", () => {
    const system: Principal = { ...person, kind: "system", id: "system:worker", role: "admin" };
    expect(mayDecide({ ...caller, principal: system }, approval)).toMatchObject({
      allowed: false,
      code: "persons_only",
    });
  });

  it("includes who asked and who edited only where that is allowed", () => {
    for (const own of [{ requester: person.id }, { edited_by: person.id }]) {
      expect(mayDecide(caller, { ...approval, ...own })).toMatchObject({ allowed: false, code: "four_eyes" });
      expect(mayDecide(caller, { ...approval, ...own, requester_allowed: true })).toMatchObject({ allowed: true });
    }
  });

  it("is not who handed it on, but who it was handed to", () => {
    const handed = {
      ...approval,
      delegations: [{ from: person.id, to: "mbr_3", to_name: "Third", accountable: [person.id] }],
    };
    expect(mayDecide(caller, handed)).toMatchObject({
      allowed: false,
      code: "delegated",
      reason: expect.stringContaining("Third"),
    });
    expect(mayDecide({ ...caller, principal: { ...person, id: "mbr_3" } }, handed)).toMatchObject({ allowed: true });
  });

  it("is an admin alone once it was escalated, by hand or by time", () => {
    const admin = { ...caller, principal: { ...person, role: "admin" as const } };
    const byHand = { ...approval, escalated_at: new Date(now - 1) };
    const byTime = { ...approval, expires_at: new Date(now), on_expiry: "escalate" as const };
    for (const escalated of [byHand, byTime]) {
      expect(mayDecide(caller, escalated)).toMatchObject({ allowed: false, code: "escalated" });
      expect(mayDecide(admin, escalated)).toMatchObject({ allowed: true });
    }
    expect(mayDecide({ ...caller, now: now - 1 }, byTime)).toMatchObject({ allowed: true });
  });

  it("is nobody from the very moment on at which it ends", () => {
    const ending = { ...approval, expires_at: new Date(now), on_expiry: "reject" as const };
    expect(mayDecide({ ...caller, now: now - 1 }, ending)).toMatchObject({ allowed: true });
    expect(mayDecide(caller, ending)).toMatchObject({
      allowed: false,
      code: "already_decided",
      reason: expect.stringContaining("expired"),
    });
  });

  it("is not a key that somebody issued who takes part: who voted, and where another person is demanded who asked or edited", () => {
    const keyOf = (issuer: string): Caller => ({ ...caller, principal: { ...person, issuers: [issuer] } });
    const voted = { ...approval, approvers: 2, votes: [vote("mbr_3")] };
    expect(mayDecide(keyOf("mbr_3"), voted)).toMatchObject({
      code: "key_not_independent",
      reason: expect.stringContaining("Name of mbr_3"),
    });
    expect(mayDecide(keyOf("mbr_9"), voted)).toMatchObject({ allowed: true });
    for (const [party, where] of [
      ["mbr_2", {}],
      ["mbr_4", { edited_by: "mbr_4" }],
    ] as const) {
      expect(mayDecide(keyOf(party), { ...approval, ...where })).toMatchObject({ code: "key_not_independent" });
      expect(mayDecide(keyOf(party), { ...approval, ...where, requester_allowed: true })).toMatchObject({
        allowed: true,
      });
    }
  });

  it("is not who is accountable for the credential with which it was asked for, edited or handed on", () => {
    const issued = { ...approval, requester: "mbr_robot", requester_accountable: ["mbr_robot", person.id] };
    expect(mayDecide(caller, issued)).toMatchObject({
      code: "four_eyes",
      reason: expect.stringContaining("issued the credential"),
    });
    const edited = { ...approval, edited_by: "mbr_robot", editor_accountable: ["mbr_robot", person.id] };
    expect(mayDecide(caller, edited)).toMatchObject({ code: "four_eyes", reason: expect.stringContaining("edited") });
    const handed = { from: "mbr_4", to: "mbr_5", to_name: null, accountable: ["mbr_4", person.id] };
    expect(mayDecide(caller, { ...approval, delegations: [handed] })).toMatchObject({ code: "delegated" });
    const alone = { ...approval, requester_allowed: true };
    expect(mayDecide(caller, { ...alone, delegations: [handed] })).toMatchObject({ allowed: true });
  });

  it("is, where a second person is demanded strictly, only who signed in personally, and where nobody can, nobody", () => {
    const strictly = { ...caller, strict: true, personalSignIn: true };
    expect(mayDecide(strictly, approval)).toMatchObject({
      code: "not_signed_in_personally",
      reason: expect.stringContaining("http://aos.test/approvals/tsk_1"),
    });
    expect(mayDecide({ ...strictly, personalSignIn: false }, approval)).toMatchObject({ code: "no_second_person" });
    expect(mayDecide({ ...strictly, principal: { ...person, personal: true } }, approval)).toMatchObject({
      allowed: true,
    });
    expect(mayDecide(strictly, { ...approval, requester_allowed: true })).toMatchObject({ allowed: true });
    expect(mayDecide(strictly, { ...approval, requester_allowed: true, approvers: 2 })).toMatchObject({
      allowed: false,
    });
  });

  it("is not who issued the key of somebody who has voted", () => {
    const voted = { ...approval, approvers: 2, votes: [vote("mbr_3")] };
    const issued = { ...voted, votes: [vote("mbr_3", person.id)] };
    expect(mayDecide(caller, issued)).toMatchObject({
      code: "key_not_independent",
      reason: expect.stringContaining("You issued the key with which Name of mbr_3"),
    });
    expect(mayDecide(caller, { ...voted, votes: [vote("mbr_3", "mbr_9")] })).toMatchObject({ allowed: true });
    expect(mayDecide(caller, { ...voted, votes: [{ ...vote("mbr_3", person.id), in_force: false }] })).toMatchObject({
      allowed: true,
    });
  });

  describe("who stands in for another", () => {
    const away: StandIn = {
      id: "dlg_1",
      for: "mbr_5",
      name: "Away",
      role: "admin",
      accountable: ["mbr_5"],
      personal: true,
    };
    const standing: Caller = { ...caller, standIns: [away] };
    const escalated = { ...approval, escalated_at: new Date(now) };

    it("decides as far as that one may, in both names, and counts for both", () => {
      expect(seatOf(standing, escalated)).toEqual({
        onBehalfOf: "mbr_5",
        delegation: "dlg_1",
        accountable: ["mbr_1", "mbr_5"],
      });
      expect(barOf({ ...caller, standIns: [{ ...away, role: "approver" }] }, escalated)?.code).toBe("escalated");
    });

    it.each<[string, Partial<Deciding>, Partial<StandIn>]>([
      ["the one who is away asked for it", { requester: "mbr_5", requester_accountable: ["mbr_5"] }, {}],
      ["they asked for it themselves", { requester: "mbr_1", requester_accountable: ["mbr_1"] }, {}],
      ["the one who is away edited it", { edited_by: "mbr_5", editor_accountable: ["mbr_5"] }, {}],
      ["whoever had them stand in asked for it", {}, { accountable: ["mbr_2"] }],
      ["the one who is away has voted", { votes: [vote("mbr_5")], approvers: 2 }, {}],
      [
        "the one who is away handed it on",
        { delegations: [{ from: "mbr_5", to: "mbr_6", to_name: null, accountable: ["mbr_5"] }] },
        {},
      ],
    ])("has no say for them where %s, whether or not the requester is allowed", (_where, changes, standIn) => {
      const caller = { ...standing, standIns: [{ ...away, ...standIn }] };
      for (const requester_allowed of [true, false]) {
        const seat = seatOf(caller, { ...approval, ...changes, requester_allowed });
        expect(seat).not.toHaveProperty("delegation", "dlg_1");
        const beyond = { ...escalated, ...changes, requester_allowed };
        expect(seatOf(caller, beyond)).toHaveProperty("bar");
      }
    });

    it("needs a personal credential of both where a second person is demanded strictly", () => {
      const strictly = { ...standing, strict: true, personalSignIn: true, principal: { ...person, personal: true } };
      expect(seatOf(strictly, approval)).toMatchObject({ delegation: "dlg_1" });
      expect(seatOf({ ...strictly, standIns: [{ ...away, personal: false }] }, approval)).toMatchObject({
        delegation: null,
      });
      expect(seatOf({ ...strictly, principal: person }, approval)).toHaveProperty("bar");
    });

    it("takes the place of the one to whom it was handed on before that of others", () => {
      const other = { ...away, id: "dlg_2", for: "mbr_7" };
      const handed = { from: "mbr_8", to: "mbr_7", to_name: null, accountable: ["mbr_8"] };
      const seat = seatOf({ ...caller, standIns: [away, other] }, { ...approval, delegations: [handed] });
      expect(seat).toMatchObject({ onBehalfOf: "mbr_7", delegation: "dlg_2" });
    });
  });
});

describe("whose name a vote carries beside the voter's", () => {
  it("is that of the last one who handed the decision to the voter", () => {
    const delegations = [
      { from: "mbr_1", to: "mbr_3", to_name: null, accountable: ["mbr_1"] },
      { from: "mbr_2", to: "mbr_3", to_name: null, accountable: ["mbr_2"] },
      { from: "mbr_3", to: "mbr_4", to_name: null, accountable: ["mbr_3"] },
    ];
    expect([behalfOf("mbr_3", delegations), behalfOf("mbr_4", delegations), behalfOf("mbr_1", delegations)]).toEqual([
      "mbr_2",
      "mbr_3",
      null,
    ]);
  });
});

describe("when an approval expires", () => {
  const asked = fc.record({
    expires_in_seconds: fc.integer({ min: 60, max: 1000 }),
    on_expiry: fc.constantFrom("reject" as const, "escalate" as const),
  });

  it("is by the earlier of two rules, and of two at once by the one that rejects, in whatever order they come", () => {
    fc.assert(
      fc.property(asked, asked, (one, other) => {
        const counts = stricterExpiry(one, other);
        expect(counts).toEqual(stricterExpiry(other, one));
        expect(counts.expires_in_seconds).toBe(Math.min(one.expires_in_seconds, other.expires_in_seconds));
        const same = one.expires_in_seconds === other.expires_in_seconds;
        if (same)
          expect(counts.on_expiry).toBe(
            [one, other].some(({ on_expiry }) => on_expiry === "reject") ? "reject" : "escalate",
          );
      }),
    );
  });

  it("begins again with each round", () => {
    const created_at = new Date("2026-11-20T09:00:00Z");
    const row = { created_at, expires_at: new Date("2026-11-20T10:00:00Z"), on_expiry: "escalate" as const };
    expect(expiryAgain(row)).toEqual({ expires_in_seconds: 3600, on_expiry: "escalate" });
    expect(expiryAgain({ ...row, expires_at: null, on_expiry: null })).toBeNull();
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
    data: "restricted",
    reversible: false,
    external: true,
    money: 2500,
    persons: 12,
    unattended: true,
    trust_low: 0.1958,
    critical_finding: true,
    mitigation: 0,
  };
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
      "Without an approval nobody looks before it happens.",
      expect.stringContaining("20 %"),
      "A critical finding about the agent is open.",
      "At least critical, because of an open critical finding about the agent.",
    ]);
  });

  it("say that nothing expires by itself, and the earlier of expiry and deadline where there are any", () => {
    const early = new Date("2026-11-21T08:00:00Z");
    const late = new Date("2026-11-22T08:00:00Z");
    const until = (
      status: ApprovalState,
      expires_at: Date | null,
      deadline: Date | null,
      on_expiry: OnExpiry = "reject",
    ) =>
      ifUndecided(
        { id: "apr_1", tool: null, status, expires_at, on_expiry: expires_at && on_expiry },
        { status: "awaiting_approval", deadline, approval_id: "apr_1" },
      );
    expect(until("pending", null, null)).toMatchObject({ outcome: "waits", at: null });
    expect(until("pending", late, early)).toMatchObject({ outcome: "expires", at: "2026-11-21T08:00:00.000Z" });
    expect(until("pending", early, late)).toMatchObject({ outcome: "expires", at: "2026-11-21T08:00:00.000Z" });
    expect(until("approved", late, early)).toMatchObject({ outcome: "nothing", at: null });
    const escalates = until("pending", early, late, "escalate");
    expect(escalates).toMatchObject({
      outcome: "escalates",
      at: "2026-11-21T08:00:00.000Z",
      detail: expect.stringContaining("2026-11-22T08:00:00.000Z"),
    });
    expect(until("pending", late, early, "escalate")).toMatchObject({
      outcome: "expires",
      at: "2026-11-21T08:00:00.000Z",
    });
    expect(until("changes_requested", early, null)).toMatchObject({
      outcome: "waits",
      detail: expect.stringContaining("sent back"),
    });
  });

  it.each([
    ["of a call, whose run goes on", { tool: "send_email" }, { status: "running" }, "its run continued"],
    ["that a newer one follows", {}, { approval_id: "apr_2" }, "a newer approval was requested"],
    ["whose task has ended", {}, { status: "cancelled" }, "its task is cancelled"],
    ["whose task was tried again", {}, { status: "queued" }, "requests approval again when it starts"],
  ] as const)("say that nothing waits for one that was sent back %s", (_which, approval, task, words) => {
    const sentBack = {
      id: "apr_1",
      tool: null,
      status: "changes_requested",
      expires_at: null,
      on_expiry: null,
      ...approval,
    } as const;
    const said = ifUndecided(sentBack, { status: "awaiting_approval", deadline: null, approval_id: "apr_1", ...task });
    expect(said).toMatchObject({ outcome: "nothing", at: null, detail: expect.stringContaining(words) });
  });
});
