import { Type } from "typebox";
import { isoTime, timestamp } from "../../../../kernel/clock.ts";
import type { WriteContext } from "../../../../kernel/context.ts";
import { refuse } from "../../../../kernel/errors.ts";
import { defineOperation, exempt, governs } from "../../../../kernel/operation.ts";
import { type Environment, environments, participantOf } from "../../../../kernel/principal.ts";
import { conflict, insufficientScope } from "../../../../kernel/problems.ts";
import { roleGrants } from "../../../../kernel/role-permissions.ts";
import { noteRuleChange } from "../../../admin/public.ts";
import { queuedTasks } from "../../../agents/public.ts";
import {
  keyNotIndependent,
  noSecondPerson,
  noSecondPersonText,
  notSignedInPersonally,
  personsOnly,
  shareAPerson,
} from "../../../approvals/requests/public.ts";
import { killSwitchAlreadyReleased, secondPersonRequired } from "../errors.ts";
import { killSwitchReleased } from "../events.ts";
import { exampleKillSwitch, exampleReleased } from "../example.ts";
import { killSwitchFacts } from "../facts.ts";
import { type ReleaseTo, type Releasing, releaseBy, releaseRequestedFor } from "../rules.ts";
import { KillSwitch, KillSwitchId, ReleaseKillSwitchBody } from "../schemas.ts";
import {
  askedUnderAddress,
  askRelease,
  endKillSwitch,
  findKillSwitch,
  type KillSwitchRow,
  keyWorks,
  lockKillSwitch,
  loosenKillSwitch,
  rolesOfPerson,
} from "../store.ts";
import { askedOf, isStrict, killSwitchView } from "../view.ts";

const releasePermission = "governance:release";
const stage = "permissions";

export const releaseKillSwitch = defineOperation({
  id: "governance.releaseKillSwitch",
  method: "DELETE",
  path: "/v1/governance/kill-switch/{kill_switch}",
  listed: true,
  summary: "Release a kill switch",
  description:
    "Ends a kill switch, or loosens one of mode `stop` to a pause. A critical one takes two persons: the first call requests the release, and the same call by another person within an hour " +
    "completes it, provided that the first may still release it, has the same e-mail address and their key is valid. The person who engaged it may be one of the two, but the keys of both must not have been issued by the same person, or by one of them for the other. In staging and production, and everywhere for the kind `all`, " +
    "both must be signed in by OpenID Connect or passkey, or use a key that they then issued to themselves. Releasing the kind `all` takes the permission in every environment. Waiting work continues at once.",
  params: Type.Object({ kill_switch: KillSwitchId }),
  body: ReleaseKillSwitchBody,
  output: KillSwitch,
  example: {
    params: { kill_switch: exampleKillSwitch.kill_switch_id },
    body: { reason: "The list was corrected.", to: "released" },
    output: exampleReleased,
  },
  permission: releasePermission,
  load: (ctx, params) => findKillSwitch(ctx, params.kill_switch),
  gate: exempt("starts nothing itself; what waited asks the gate when it starts"),
  decides: "rules",
  compliance: governs("kill_switch.release"),
  audit: ({ params }) => `kill_switch:${params.kill_switch}`,
  emits: [killSwitchReleased],
  errors: [
    personsOnly,
    noSecondPerson,
    notSignedInPersonally,
    keyNotIndependent,
    secondPersonRequired,
    killSwitchAlreadyReleased,
    conflict,
    insufficientScope,
  ],
  async handle(ctx, { loaded, body }) {
    const to = body.to ?? "released";
    const { id, environment } = loaded;
    if (environment !== ctx.scope.environment) {
      const detail = `${id} acts in every environment and was engaged in ${environment}: release it with a key of ${environment}.`;
      throw refuse(conflict, detail);
    }
    const row = (await lockKillSwitch(ctx, id)) as KillSwitchRow; // rows are never deleted
    refuseReleased(row, to);
    if (row.critical) refuseUnaccountable(ctx, row);
    if (row.kind === "all") await permitReleaseEverywhere(ctx);
    const asked = await validRequest(ctx, row);
    const outcome = releaseBy({ critical: row.critical, asked }, ctx.principal.id, to, ctx.now);
    if (outcome === "same_person") throw requestedBefore(row);
    if (outcome === "done") refuseSamePerson(ctx, row);
    const released = await (outcome === "asked"
      ? askRelease(ctx, row.id, to, body.reason)
      : release(ctx, row, to, body.reason));
    return killSwitchView(released, ctx);
  },
});

async function release(ctx: WriteContext, row: KillSwitchRow, to: ReleaseTo, reason: string): Promise<KillSwitchRow> {
  const { id: kill_switch_id, kind, target, mode, critical, agent } = row;
  const now = await (to === "pause" ? loosenKillSwitch(ctx, row.id) : endKillSwitch(ctx, row.id, reason));
  const released = `Released the kill switch ${kill_switch_id}`;
  await noteRuleChange(ctx, `kill_switch:${kill_switch_id}`, to === "pause" ? `${released} to a pause` : released);
  ctx.touch(killSwitchFacts);
  const by = [...(critical && row.release_requested_by ? [row.release_requested_by] : []), ctx.principal.id];
  ctx.emit(killSwitchReleased, { kill_switch_id, kind, target, mode, critical, reason, to, by });
  if (to === "released") await ctx.port(queuedTasks).wake(ctx, { everywhere: kind === "all", agent });
  return now;
}

/** Refuses service accounts, and where it matters credentials that others than their owner could use. */
function refuseUnaccountable(ctx: WriteContext, row: KillSwitchRow): void {
  const { kind, personal } = ctx.principal;
  const takesTwo = `${row.id} takes two persons to release`;
  if (kind !== "member") throw refuse(personsOnly, `${takesTwo}, and the key acts for no person.`, { stage });
  if (personal || !isStrict(ctx, row)) return;
  if (!ctx.personalSignIn) throw refuse(noSecondPerson, noSecondPersonText(takesTwo), { stage });
  const detail = `${takesTwo}, and others could have used this credential. Sign in at ${ctx.appUrl}/sign-in by OpenID Connect or with a passkey, and release it there.`;
  throw refuse(notSignedInPersonally, detail, { stage });
}

/** Refuses a second request by someone accountable for the first: whoever issued a key could have used it. */
function refuseSamePerson(ctx: WriteContext, row: KillSwitchRow): void {
  const first = row.critical ? row.release_requested_by : null;
  const { id, accountable } = participantOf(ctx.principal);
  if (first === null || !shareAPerson(row.release_requested_accountable, accountable)) return;
  const why = accountable.includes(first)
    ? `This key was issued by ${first}, who requested the release, or with a key of theirs`
    : row.release_requested_accountable.includes(id)
      ? `You issued the key with which ${first} requested the release, or the key that it was issued with`
      : `The same person issued this key and the one with which ${first} requested the release, or the keys that they were issued with`;
  throw refuse(keyNotIndependent, `${why}: it does not count as a second person. Ask somebody else to release it.`, {
    stage,
  });
}

/**
 * The first person's request for a critical one, unless that person may no longer release it, has another e-mail address, or the credential is no
 * longer valid or never counted.
 */
async function validRequest(ctx: WriteContext, row: KillSwitchRow): Promise<Releasing["asked"]> {
  const asked = row.critical ? askedOf(row) : null;
  if (asked === null || (isStrict(ctx, row) && !row.release_requested_personal)) return null;
  const places = row.kind === "all" ? environments : [ctx.scope.environment];
  if ((await lackingRelease(ctx, asked.by, places)).length > 0 || !(await askedUnderAddress(ctx, row.id))) return null;
  return row.release_requested_key === null || (await keyWorks(ctx, row.release_requested_key)) ? asked : null;
}

async function lackingRelease(ctx: WriteContext, person: string, places: readonly Environment[]) {
  const roles = (await rolesOfPerson(ctx, person)) ?? {};
  return places.filter((environment) => {
    const role = roles[environment];
    return role === undefined || !roleGrants(role, releasePermission);
  });
}

async function permitReleaseEverywhere(ctx: WriteContext): Promise<void> {
  const lacking = await lackingRelease(ctx, ctx.principal.id, environments);
  if (lacking.length === 0) return;
  const detail = `A kill switch of the kind all acts in every environment; you may not release in ${lacking.join(" and ")}.`;
  throw refuse(insufficientScope, detail, { stage, members: { missing_scope: releasePermission } });
}

function refuseReleased({ id, mode, released_by, released_at }: KillSwitchRow, to: ReleaseTo): void {
  if (released_at) {
    const at = isoTime(released_at);
    const detail = `${id} was released by ${released_by} at ${at}; nothing was changed.`;
    throw refuse(killSwitchAlreadyReleased, detail, { members: { released_by, released_at: at } });
  }
  if (to !== "pause" || mode === "stop") return;
  const why =
    mode === "pause" ? "is a pause already" : "is a drain, and a pause would be stricter: it holds running work";
  throw refuse(conflict, `${id} ${why}; release it with \`to\` \`released\`.`);
}

function requestedBefore({ id, release_requested_at, release_requested_to }: KillSwitchRow): Error {
  const at = (release_requested_at as Date).getTime();
  const members = { requested_at: timestamp(at), expires_at: timestamp(at + releaseRequestedFor) };
  const what = release_requested_to === "pause" ? "loosened" : "released";
  const detail = `You requested that ${id} be ${what} at ${members.requested_at}; another person must confirm it.`;
  return refuse(secondPersonRequired, detail, { members });
}
