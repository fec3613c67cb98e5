import { Type } from "typebox";
import { isoTime, timestamp } from "../../../kernel/clock.ts";
import type { WriteContext } from "../../../kernel/context.ts";
import { refuse } from "../../../kernel/errors.ts";
import { defineOperation, exempt, governs } from "../../../kernel/operation.ts";
import { actorOf, type Environment, environments } from "../../../kernel/principal.ts";
import { conflict, insufficientScope, notFound } from "../../../kernel/problems.ts";
import { roleGrants } from "../../../kernel/role-permissions.ts";
import { queuedTasks } from "../../agents/public.ts";
import {
  keyNotIndependent,
  noSecondPerson,
  noSecondPersonText,
  notSignedInPersonally,
  personsOnly,
  shareAPerson,
} from "../../approvals/requests/public.ts";
import { killSwitchAlreadyReleased, secondPersonRequired } from "../kill-switch/errors.ts";
import { killSwitchReleased } from "../kill-switch/events.ts";
import { exampleKillSwitch, exampleReleased } from "../kill-switch/example.ts";
import { killSwitchFacts } from "../kill-switch/facts.ts";
import { type ReleaseTo, type Releasing, releaseBy, releaseRequestedFor } from "../kill-switch/model.ts";
import { KillSwitch, KillSwitchId, ReleaseKillSwitchBody } from "../kill-switch/schemas.ts";
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
} from "../kill-switch/store.ts";
import { askedOf, isStrict, killSwitchView } from "../kill-switch/view.ts";

const releasePermission = "governance:release";

export const releaseKillSwitch = defineOperation({
  id: "governance.releaseKillSwitch",
  method: "DELETE",
  path: "/v1/governance/kill-switch/{kill_switch}",
  listed: true,
  summary: "Release a kill switch",
  description:
    "Ends a kill switch, or loosens one of the mode `stop` to a pause first. A critical one takes two persons: the first call asks, and the same request by another person within an hour " +
    "does it, as long as the first may still release it, has the same e-mail address and their key works; who engaged it may be one of the two, but nobody may have issued the keys of both, or one that of the other. In staging and production, and of the kind `all` everywhere, " +
    "both have to be signed in by OpenID Connect or passkey, or use a key that they issued to themselves once they were. One of the kind `all` is released by those who may in every environment. What waited goes on at once.",
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
    if (loaded.environment !== ctx.scope.environment) throw engagedElsewhere(loaded);
    const row = await lockKillSwitch(ctx, loaded.id);
    if (!row) throw refuse(notFound, "The kill switch is gone.");
    refuseReleased(row, to);
    if (row.critical) refuseUnaccountable(ctx, row);
    if (row.kind === "all") await permitReleaseEverywhere(ctx);
    const outcome = releaseBy({ critical: row.critical, asked: await wordOf(ctx, row) }, ctx.principal.id, to, ctx.now);
    if (outcome === "same_person") throw askedBefore(row);
    if (outcome === "done") refuseSamePerson(ctx, row);
    if (outcome === "asked") await askRelease(ctx, row.id, to, body.reason);
    else await release(ctx, row, to, body.reason);
    return killSwitchView((await findKillSwitch(ctx, row.id)) as KillSwitchRow, ctx);
  },
});

async function release(ctx: WriteContext, row: KillSwitchRow, to: ReleaseTo, reason: string): Promise<void> {
  const first = row.critical ? row.release_requested_by : null;
  if (to === "pause") await loosenKillSwitch(ctx, row.id);
  else await endKillSwitch(ctx, row.id, reason);
  ctx.touch(killSwitchFacts);
  const { id: kill_switch_id, kind, target, mode, critical } = row;
  const by = [...(first === null ? [] : [first]), ctx.principal.id];
  ctx.emit(killSwitchReleased, { kill_switch_id, kind, target, mode, critical, reason, to, by });
  if (to === "released") await queuedTasks().wake(ctx, reachOf(row));
}

/** Two persons release a critical one: refuses service accounts, and where it counts credentials that others than their owner could use. */
function refuseUnaccountable(ctx: WriteContext, row: KillSwitchRow): void {
  const { kind, personal } = ctx.principal;
  if (kind !== "member") throw notAPerson(row);
  if (personal || !isStrict(ctx, row)) return;
  if (!ctx.personalSignIn)
    throw refuse(noSecondPerson, noSecondPersonText(`${row.id} takes two persons to release`), {
      stage: "permissions",
    });
  const detail = `Others could have used this credential, and ${row.id} takes two persons to release. Sign in at ${ctx.appUrl}/sign-in by OpenID Connect or with a passkey, and release it there.`;
  throw refuse(notSignedInPersonally, detail, { stage: "permissions" });
}

/** Refuses a second word for which somebody is accountable who is accountable for the first: who issued a key has had it in hand. */
function refuseSamePerson(ctx: WriteContext, row: KillSwitchRow): void {
  const first = row.critical ? row.release_requested_by : null;
  const { id, accountable } = actorOf(ctx.principal);
  if (first === null || !shareAPerson(row.release_requested_accountable, accountable)) return;
  const held = accountable.includes(first)
    ? `This key was issued by ${first}, who asked for the release, or with a key of theirs`
    : row.release_requested_accountable.includes(id)
      ? `You issued the key with which ${first} asked for the release, or the one that it comes from`
      : `The same person issued this key and the one with which ${first} asked for the release, or those that they come from`;
  throw refuse(keyNotIndependent, `${held}: it does not count as a second person. Have somebody else release it.`, {
    stage: "permissions",
  });
}

/**
 * The first person's word on a critical one, unless they may not release it any more, have another e-mail address, the key is at an end with which they
 * gave it, or it was given with a credential that does not count.
 */
async function wordOf(ctx: WriteContext, row: KillSwitchRow): Promise<Releasing["asked"]> {
  const asked = row.critical ? askedOf(row) : null;
  if (asked === null || (isStrict(ctx, row) && !row.release_requested_personal)) return null;
  const places = row.kind === "all" ? environments : [ctx.scope.environment];
  if ((await lackingRelease(ctx, asked.by, places)).length > 0 || !(await askedUnderAddress(ctx, row.id))) return null;
  return row.release_requested_key === null || (await keyWorks(ctx, row.release_requested_key)) ? asked : null;
}

/** Those of these environments in which a person may not release. */
async function lackingRelease(
  ctx: WriteContext,
  person: string,
  places: readonly Environment[],
): Promise<Environment[]> {
  const roles = (await rolesOfPerson(ctx, person)) ?? {};
  return places.filter((environment) => {
    const role = roles[environment];
    return role === undefined || !roleGrants(role, releasePermission);
  });
}

/** Refuses a release of what acts in every environment by somebody who may not release in each of them. */
async function permitReleaseEverywhere(ctx: WriteContext): Promise<void> {
  const lacking = await lackingRelease(ctx, ctx.principal.id, environments);
  if (lacking.length === 0) return;
  throw refuse(
    insufficientScope,
    `A kill switch of the kind all acts in every environment; you may not release in ${lacking.join(" and ")}.`,
    {
      stage: "permissions",
      members: { missing_scope: releasePermission },
    },
  );
}

/** Whose tasks may have waited for it: of one agent's stop only its own. */
function reachOf({ kind, agent }: KillSwitchRow) {
  return { everywhere: kind === "all", agent };
}

function refuseReleased(row: KillSwitchRow, to: ReleaseTo): void {
  if (row.released_at) {
    const released_at = isoTime(row.released_at);
    throw refuse(
      killSwitchAlreadyReleased,
      `${row.id} was released by ${row.released_by} at ${released_at}; nothing was changed.`,
      {
        members: { released_by: row.released_by, released_at },
      },
    );
  }
  if (to !== "pause" || row.mode === "stop") return;
  const why =
    row.mode === "pause"
      ? "is a pause already"
      : "is a drain, which a pause would not loosen: work that runs would be held";
  throw refuse(conflict, `${row.id} ${why}; release it with \`to\` \`released\`.`);
}

function engagedElsewhere({ id, environment }: KillSwitchRow): Error {
  return refuse(
    conflict,
    `${id} acts in every environment and was engaged in ${environment}: release it with a key of ${environment}.`,
  );
}

function notAPerson({ id }: KillSwitchRow): Error {
  return refuse(personsOnly, `${id} is critical: two persons release it, and the key acts for no person.`, {
    stage: "permissions",
  });
}

function askedBefore({ id, release_requested_at, release_requested_to }: KillSwitchRow): Error {
  const at = (release_requested_at as Date).getTime();
  const [requested_at, expires_at] = [timestamp(at), timestamp(at + releaseRequestedFor)];
  return refuse(
    secondPersonRequired,
    `You asked for ${id} to be ${release_requested_to === "pause" ? "loosened" : "released"} at ${requested_at}; another person has to as well.`,
    {
      members: { requested_at, expires_at },
    },
  );
}
