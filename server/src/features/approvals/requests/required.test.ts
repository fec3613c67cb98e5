import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Role } from "../../../kernel/principal.ts";
import type { RequiredStage } from "../../../kernel/verdict.ts";
import { areRulesMet, asksOf, type CountedFor, isAsked, missingOf, type Required, type RuleVote } from "./required.ts";

const people: Readonly<Record<string, { readonly role: Role; readonly teams: readonly string[] }>> = {
  ada: { role: "admin", teams: ["finance"] },
  ben: { role: "approver", teams: ["finance", "legal"] },
  cleo: { role: "approver", teams: ["legal"] },
  dan: { role: "approver", teams: [] },
};
const counted: CountedFor = {
  strict: false,
  escalated: false,
  placeOf: (id) => ({ id, role: people[id]?.role, teams: people[id]?.teams ?? [] }),
};
const stage = (quorum: number, of: Partial<RequiredStage>): RequiredStage => ({
  quorum,
  roles: [],
  teams: [],
  members: [],
  ...of,
});
const rule = (...stages: RequiredStage[]) => ({ kind: "rule" as const, id: "r", name: "R", version: 1, stages });
const required = (...stages: RequiredStage[]): Required => ({
  approvers: stages.reduce((sum, { quorum }) => sum + quorum, 0),
  requester_allowed: true,
  required_by: [rule(...stages)],
});
const by = (voter: string): RuleVote => ({
  voter,
  on_behalf_of: null,
  stands_in: false,
  vote: "approve",
  accountable: [voter],
  personal: true,
  in_force: true,
});

/** Whether persons can be given to stages so that each has its quorum and nobody sits in two: by trying everything. */
function canSeat(stages: readonly RequiredStage[], persons: readonly string[]): boolean {
  const [first, ...rest] = stages.flatMap((one) => Array.from({ length: one.quorum }, () => ({ ...one, quorum: 1 })));
  if (!first) return true;
  return persons.some(
    (person) =>
      takes(first, person) &&
      canSeat(
        rest,
        persons.filter((other) => other !== person),
      ),
  );
}
const takes = ({ roles, teams, members }: RequiredStage, id: string): boolean =>
  roles.length + teams.length + members.length === 0 ||
  members.includes(id) ||
  roles.includes(people[id]?.role as Role) ||
  teams.some((team) => people[id]?.teams.includes(team));

const stages = fc.array(
  fc.record({
    quorum: fc.integer({ min: 1, max: 2 }),
    roles: fc.constantFrom<string[]>([], ["admin"], ["approver"]),
    teams: fc.constantFrom<string[]>([], ["finance"], ["legal"]),
    members: fc.constantFrom<string[]>([], ["dan"]),
  }),
  { minLength: 1, maxLength: 3 },
);

describe("an approval rule", () => {
  it("is met exactly where its stages can be filled with different persons, and whoever it asks brings it closer", () => {
    fc.assert(
      fc.property(stages, fc.subarray(Object.keys(people)), (asked, persons) => {
        const all = required(...asked);
        const votes = persons.map(by);
        expect(areRulesMet(all, votes, counted)).toBe(canSeat(asked, persons));
        for (const other of Object.keys(people).filter((id) => !persons.includes(id)))
          if (!areRulesMet(all, votes, counted) && isAsked(all, votes, counted, by(other)))
            expect(missingOf(all, [...votes, by(other)], counted)).toBeLessThan(missingOf(all, votes, counted));
      }),
    );
  });

  it("asks its stages one after another, and whoever comes later waits", () => {
    const two = required(stage(1, { teams: ["finance"] }), stage(1, { members: ["ada"] }));
    expect(asksOf(two, [], counted)).toEqual(["team:finance"]);
    expect(asksOf(two, [by("ben")], counted)).toEqual(["member:ada"]);
    expect(isAsked(two, [], counted, by("cleo"))).toBe(false);
    // Ada, who was asked as one of finance, is needed later: somebody else of finance makes room.
    expect(asksOf(two, [by("ada")], counted)).toEqual(["member:ada", "team:finance"]);
    expect(areRulesMet(two, [by("ada"), by("ben")], counted)).toBe(true);
    const then = required(stage(1, { teams: ["finance"] }), stage(1, { members: ["dan"] }));
    expect(isAsked(then, [], counted, by("dan"))).toBe(false);
    expect(isAsked({ ...then, approvers: 3 }, [], counted, by("dan"))).toBe(false);
    expect(isAsked({ ...then, approvers: 3 }, [], counted, by("cleo"))).toBe(true);
  });

  it("gives who stands in the place of the absent one, admins every place once escalated, and a vote that no longer counts none", () => {
    const one = required(stage(1, { teams: ["finance"] }));
    const standingIn = { ...by("dan"), on_behalf_of: "ada", stands_in: true, accountable: ["dan", "ada"] };
    expect(areRulesMet(one, [standingIn], counted)).toBe(true);
    expect(areRulesMet(one, [{ ...standingIn, stands_in: false }], counted)).toBe(false);
    const legal = required(stage(1, { teams: ["legal"] }));
    expect(areRulesMet(legal, [by("ada")], counted)).toBe(false);
    expect(areRulesMet(legal, [by("ada")], { ...counted, escalated: true })).toBe(true);
    expect(areRulesMet(legal, [by("ada")], { ...counted, escalated: true, escalatedBy: "ada" })).toBe(false);
    expect(areRulesMet(one, [{ ...by("ben"), in_force: false }], counted)).toBe(false);
  });
});
