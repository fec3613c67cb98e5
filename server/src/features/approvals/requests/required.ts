import type { Role } from "../../../kernel/principal.ts";
import type { RequiredStage, Requirement } from "../../../kernel/verdict.ts";
import { approvalsOf, type CountedVote, countPersons, counts, type Demanding } from "./persons.ts";

// Whether votes give what approval rules ask for, and whom they ask next. A rule has up to five stages, one after another; a person counts in one of them.

/** A member as rules see them, in the environment of the approval. */
export interface Place {
  readonly id: string;
  readonly role: Role | undefined;
  readonly teams: readonly string[];
}

/** How votes count now. */
export interface CountedFor {
  readonly strict: boolean;
  /** An admin then takes the place of anybody whom rules ask, as only admins decide; quorums stay. */
  readonly escalated: boolean;
  /** The member who escalated it, who takes nobody's place by that: else one admin would decide alone what others are asked. Left out: none. */
  readonly escalatedBy?: string | null;
  placeOf(member: string): Place;
}

/** In whose place a vote is, or would be, cast: who stands in for somebody takes that one's place. What was handed on by hand gives none. */
export interface Voter {
  readonly voter: string;
  readonly on_behalf_of: string | null;
  readonly stands_in: boolean;
}

export type RuleVote = CountedVote & Voter;

/** What was demanded when people were asked. */
export interface Required extends Demanding {
  readonly required_by: readonly Requirement[];
}

const isOpenToAll = ({ roles, teams, members }: RequiredStage): boolean =>
  roles.length === 0 && teams.length === 0 && members.length === 0;

/** Whether a stage asks a member, by role, team or name. */
export const asksMember = (stage: RequiredStage, { id, role, teams }: Place): boolean =>
  isOpenToAll(stage) ||
  stage.members.includes(id) ||
  (role !== undefined && stage.roles.includes(role)) ||
  teams.some((team) => stage.teams.includes(team));

function takes(stage: RequiredStage, { voter, on_behalf_of, stands_in }: Voter, counted: CountedFor): boolean {
  const ids = [voter, ...(stands_in && on_behalf_of !== null ? [on_behalf_of] : [])];
  const places = ids.map(counted.placeOf);
  const opened = counted.escalated && !ids.some((id) => id === counted.escalatedBy);
  return places.some((place) => asksMember(stage, place) || (opened && place.role === "admin"));
}

/** How far a rule is met. */
interface Standing {
  /** Persons whom it still needs, in all its stages. */
  readonly missing: number;
  /** The stages that ask for persons now; none: it is met. */
  readonly asks: readonly RequiredStage[];
  /** Those of which nobody is asked yet. */
  readonly later: readonly RequiredStage[];
}

/** A stage asks once those before it are met. */
function standingOf({ stages }: Requirement, approving: readonly RuleVote[], counted: CountedFor): Standing {
  const { missing } = leastServed(stages, approving, counted);
  for (let until = 1; until <= stages.length; until++) {
    const { asks } = leastServed(stages.slice(0, until), approving, counted);
    if (asks.length > 0) return { missing, asks, later: stages.slice(until) };
  }
  return { missing, asks: [], later: [] };
}

/**
 * How many persons are missing so that each stage gets its quorum and nobody counts in two of them, and for which stages: by Hall's theorem the most that can be
 * seated is the least, over all sets of stages, of the persons who take part in the set and the quorums outside it. Of the sets that reach it the smallest asks;
 * it lies in all of them, so that whoever takes part in it, and nobody else, brings the rule closer.
 */
function leastServed(stages: readonly RequiredStage[], approving: readonly RuleVote[], counted: CountedFor) {
  const all = stages.reduce((sum, { quorum }) => sum + quorum, 0);
  let least: { readonly seated: number; readonly asks: readonly RequiredStage[] } = { seated: all, asks: [] };
  for (let set = 1; set < 2 ** stages.length; set++) {
    const inside = stages.filter((_, at) => set & (1 << at));
    const persons = countPersons(
      approving.filter((vote) => inside.some((stage) => takes(stage, vote, counted))).map((vote) => vote.accountable),
    );
    const seated = persons + all - inside.reduce((sum, { quorum }) => sum + quorum, 0);
    if (seated < least.seated || (seated === least.seated && inside.length < least.asks.length))
      least = { seated, asks: inside };
  }
  return { missing: all - least.seated, asks: least.asks };
}

interface Overview {
  readonly rules: readonly Standing[];
  /** Whether more persons are demanded than rules ask for: anybody who may decide can be one of them. */
  readonly anybody: boolean;
  /** Persons who still have to approve, at least. */
  readonly missing: number;
}

function overview(required: Required, votes: readonly RuleVote[], counted: CountedFor): Overview {
  const approving = votes.filter((vote) => vote.vote === "approve" && counts(vote, required, counted.strict));
  const rules = required.required_by
    .filter(({ kind }) => kind === "rule")
    .map((rule) => standingOf(rule, approving, counted));
  const missing = required.approvers - approvalsOf(approving, required, counted.strict);
  const byRules = Math.max(0, ...rules.map((one) => one.missing));
  return { rules, anybody: missing > byRules, missing: Math.max(0, missing, byRules) };
}

/** Whether approving votes give what all rules ask for. */
export const areRulesMet = (required: Required, votes: readonly RuleVote[], counted: CountedFor): boolean =>
  overview(required, votes, counted).rules.every(({ asks }) => asks.length === 0);

/** How many persons still have to approve, at least. */
export const missingOf = (required: Required, votes: readonly RuleVote[], counted: CountedFor): number =>
  overview(required, votes, counted).missing;

/** How many persons would still be missing if all these members approved as well; they have not voted. 0: they suffice. */
export function missingWith(
  required: Required,
  votes: readonly RuleVote[],
  members: readonly string[],
  counted: CountedFor,
): number {
  const stages = required.required_by.flatMap((one) => (one.kind === "rule" ? one.stages : []));
  const most = stages.reduce((sum, { quorum }) => sum + quorum, required.approvers);
  const alike = new Map<string, number>();
  const would = members.map(approvingVote).filter((vote) => {
    const part = stages.map((stage) => Number(takes(stage, vote, counted))).join("");
    const before = alike.get(part) ?? 0;
    alike.set(part, before + 1);
    return before < most; // of those who take part in the same stages, more could not count
  });
  return missingOf(required, [...votes, ...would], counted);
}

const approvingVote = (voter: string): RuleVote => ({
  voter,
  on_behalf_of: null,
  stands_in: false,
  vote: "approve",
  accountable: [voter],
  personal: true,
  in_force: true,
});

/** Whether a vote of somebody would bring the approval closer. Always where no rule asks, and of who has voted: the same vote again changes nothing. */
export function isAsked(required: Required, votes: readonly RuleVote[], counted: CountedFor, voter: Voter): boolean {
  if (!hasRules(required)) return true;
  if (votes.some((vote) => vote.voter === voter.voter && counts(vote, required, counted.strict))) return true;
  const { rules, anybody } = overview(required, votes, counted);
  const has = (stages: readonly RequiredStage[]): boolean => stages.some((stage) => takes(stage, voter, counted));
  if (rules.some(({ asks }) => has(asks)) || rules.every(({ asks }) => asks.length === 0)) return true;
  return anybody && !rules.some(({ later }) => has(later));
}

export const hasRules = ({ required_by }: Required): boolean => required_by.some(({ kind }) => kind === "rule");

/** The stages of rules that ask now, and those that come after them. */
export function stagesLeft(required: Required, votes: readonly RuleVote[], counted: CountedFor) {
  const { rules, anybody } = overview(required, votes, counted);
  return { now: rules.flatMap(({ asks }) => asks), later: rules.flatMap(({ later }) => later), anybody };
}

/** Whom a stage asks, as words that lists compare with those of a member: `role:`, `team:`, `member:`. */
export const tokensOf = ({ roles, teams, members }: RequiredStage): string[] => [
  ...roles.map((role) => `role:${role}`),
  ...teams.map((team) => `team:${team}`),
  ...members.map((member) => `member:${member}`),
];

/** Whom the rules ask now, as `tokensOf`; null: anybody who may decide. */
export function asksOf(required: Required, votes: readonly RuleVote[], counted: CountedFor): string[] | null {
  if (!hasRules(required)) return null;
  const { now, anybody } = stagesLeft(required, votes, counted);
  if (anybody || now.length === 0 || now.some(isOpenToAll)) return null;
  return [...new Set(now.flatMap(tokensOf))].sort();
}
