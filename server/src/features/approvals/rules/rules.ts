import { quorumOf, type RuleDefinition } from "../../../kernel/approval-rules.ts";
import type { CallContext, ReadContext, WriteContext } from "../../../kernel/context.ts";
import type { Fault } from "../../../kernel/errors.ts";
import type { RequiredStage } from "../../../kernel/verdict.ts";
import { teamFacts } from "../../admin/public.ts";
import { whyNotDeciding } from "../delegations/rules.ts";
import { knownMembers } from "../delegations/store.ts";
import { type CountedFor, missingWith } from "../requests/required.ts";
import { type ApprovalRuleBody, mostPersons } from "./schemas.ts";

/** The text of a rule, with its defaults. */
export function definitionOf({ when, require }: ApprovalRuleBody): RuleDefinition {
  const { stages, four_eyes = false, expires_in_seconds, on_expiry = "reject" } = require;
  return {
    when,
    require: {
      stages: stages.map(({ quorum, roles = [], teams = [], members = [] }) => ({
        quorum,
        roles: [...roles],
        teams: [...teams],
        members: [...members],
      })),
      four_eyes,
      expiry: expires_in_seconds === undefined ? null : { expires_in_seconds, on_expiry },
    },
  };
}

/** Faults of a text by itself. `at`: the place of the text in the body. */
export function textFaults({ require }: ApprovalRuleBody, at = ""): Fault[] {
  const faults: Fault[] = [];
  const { stages, expires_in_seconds, on_expiry } = require;
  const persons = quorumOf(definitionOf({ title: "", when: {}, require }).require.stages);
  if (persons > mostPersons) {
    const detail = `ask for ${persons} persons together; a rule asks for at most ${mostPersons}`;
    faults.push({ pointer: `${at}/require/stages`, code: "too_many", detail });
  }
  if (on_expiry !== undefined && expires_in_seconds === undefined) {
    const detail = "needs `expires_in_seconds`: without a time nothing expires";
    faults.push({ pointer: `${at}/require/on_expiry`, code: "without_time", detail });
  }
  stages.forEach(({ quorum, roles, teams, members }, stage) => {
    if (roles || teams || !members || members.length >= quorum) return;
    const detail = `asks for ${quorum} of ${members.length}, so it could never be met; name more persons`;
    faults.push({ pointer: `${at}/require/stages/${stage}/quorum`, code: "too_few", detail });
  });
  const named = definitionOf({ title: "", when: {}, require }).require.stages.filter(
    ({ roles, teams, members }) => roles.length === 0 && teams.length === 0 && members.length > 0,
  );
  const lacking = lackingAmong(
    named,
    named.flatMap(({ members }) => members),
    (id) => ({ id, role: undefined, teams: [] }),
  );
  if (lacking > 0 && !faults.some(({ code }) => code === "too_few")) {
    const detail = `name ${lacking} too few persons: nobody counts in two stages, so it could never be met; name others as well`;
    faults.push({ pointer: `${at}/require/stages`, code: "too_few", detail });
  }
  return faults;
}

/** How many persons the stages of a rule lack, where these members are all who could approve. 0: it can be met. */
export function lackingAmong(
  stages: readonly RequiredStage[],
  members: readonly string[],
  placeOf: CountedFor["placeOf"],
): number {
  const rule = { kind: "rule" as const, id: "", name: "", version: 0, stages };
  const required = { approvers: quorumOf(stages), requester_allowed: true, required_by: [rule] };
  return missingWith(required, [], [...new Set(members)], { strict: false, escalated: false, placeOf });
}

/** Faults of whom a text asks: teams that are not there, and members who may not decide here. `locked`: see `lockTeams`; left out: teams as they are in memory. */
export async function partyFaults(
  ctx: CallContext & (ReadContext | WriteContext),
  { require: { stages } }: ApprovalRuleBody,
  at = "",
  locked?: ReadonlySet<string>,
): Promise<Fault[]> {
  const teams = ctx.facts.get(teamFacts);
  const isTeam = (name: string) => locked?.has(name) ?? teams.find(ctx.scope, name) !== undefined;
  const known = await knownMembers(
    ctx,
    stages.flatMap(({ members = [] }) => members),
  );
  return stages.flatMap(({ teams: names = [], members = [] }, stage) => {
    const place = `${at}/require/stages/${stage}`;
    const ofTeams = names.flatMap((name, n): Fault[] => {
      if (isTeam(name)) return [];
      const detail = `there is no team ${name} in ${ctx.scope.environment}; GET /v1/admin/teams lists them`;
      return [{ pointer: `${place}/teams/${n}`, code: "unknown_team", detail }];
    });
    const ofMembers = members.flatMap((id, n): Fault[] => {
      const pointer = `${place}/members/${n}`;
      const member = known.get(id);
      if (!member) return [{ pointer, code: "unknown_member", detail: `${id} is no member; use the id of one` }];
      const why = whyNotDeciding(`${id} (${member.name})`, member, ctx.scope.environment);
      return why === null
        ? []
        : [{ pointer, code: "cannot_decide", detail: `${why}; name a person whose role decides` }];
    });
    return [...ofTeams, ...ofMembers];
  });
}
