import { Type } from "typebox";
import { changedMeanwhile } from "../../../../kernel/changed-meanwhile.ts";
import type { ReadContext, WriteContext } from "../../../../kernel/context.ts";
import { type Fault, refuse } from "../../../../kernel/errors.ts";
import { defineOperation, exempt, governs } from "../../../../kernel/operation.ts";
import { type Environment, environments, host, participantOf, type Role } from "../../../../kernel/principal.ts";
import { notFound } from "../../../../kernel/problems.ts";
import { emailNotChangeable, grantsTooMuch, lastAdmin, lastAdminKey, refuseLastKey } from "../../errors.ts";
import { exampleMember } from "../../example.ts";
import { emitRevoked, keyRevoked } from "../../keys/events.ts";
import { keyFacts } from "../../keys/facts.ts";
import { Member, SetMemberBody } from "../../schemas.ts";
import { voidCredentials } from "../../sessions/accounts-store.ts";
import { sessionFacts } from "../../sessions/facts.ts";
import { invitationJob } from "../../sessions/operations/send-invitation.ts";
import { teamFacts } from "../../teams/facts.ts";
import { leaveTeams } from "../../teams/store.ts";
import { memberRevision, memberView } from "../../view.ts";
import {
  changeEmail,
  changeRole,
  findPerson,
  invite,
  isAddress,
  lackingAdmin,
  lockWithRulers,
  type PersonRow,
  type Ruler,
  rename,
} from "../store.ts";

interface Named {
  readonly row: PersonRow | null;
}

export const setMember = defineOperation({
  id: "admin.setMember",
  method: "PUT",
  path: "/v1/admin/members/{member}",
  listed: true,
  summary: "Invite a person, or set a member's role",
  description:
    "Sets the role of a person or a service account in the environment of the call only. An e-mail address that no member has invites that person: if a mail server is configured, they are sent a link to sign in and create a passkey. Keys here that the new role does not cover are revoked at once. The last person who can administer the environment cannot be demoted.",
  params: Type.Object({ member: Type.String({ description: "`mbr_…`, or the e-mail address of a person." }) }),
  body: SetMemberBody,
  output: Member,
  example: {
    params: { member: "approver@example.com" },
    body: { role: "approver", name: "Sample Approver" },
    output: exampleMember,
  },
  revision: memberRevision,
  revisionOfPart: true,
  mayMatch: ({ row }: Named) => (row ? memberRevision(row) : "none"),
  permission: "admin:write",
  load: (ctx, { member }) => named(ctx, member),
  validate: (_ctx, { loaded, body }) => faultsOf(loaded.row, body),
  gate: exempt("makes no agent act"),
  decides: exempt("says who signs in; no agent reads it"),
  compliance: governs("member.set"),
  audit: ({ loaded, output }) => {
    const id = output?.member_id ?? loaded?.row?.id;
    return id === undefined ? { object: "members" } : { object: `member:${id}`, subject: id };
  },
  emits: [keyRevoked],
  errors: [lastAdmin, lastAdminKey, grantsTooMuch, emailNotChangeable],
  async handle(ctx, { params, loaded, body }) {
    const invited = loaded.row === null;
    if (invited && body.role === null)
      throw refuse(notFound, "Nobody has this address, so there is no role to take away.");
    const id = loaded.row?.id ?? (await invitedOnce(ctx, params.member, body.name));
    const rulers = await lockWithRulers(ctx, id);
    const before = await present(ctx, id);
    if (ctx.basedOnLoaded && loaded.row && memberRevision(before) !== memberRevision(loaded.row))
      throw changedMeanwhile();
    if (before.role !== body.role) await setRole(ctx, before, body.role, rulers);
    if (body.name !== undefined && body.name !== before.name) await rename(ctx, id, body.name);
    if (body.email !== undefined && body.email !== before.email) await setEmail(ctx, before, body.email);
    if (invited) ctx.enqueue(invitationJob(ctx.scope, id));
    ctx.touch(keyFacts);
    ctx.touch(teamFacts);
    return memberView(await present(ctx, id)); // counts keys and ways to sign in, which the changes may have ended
  },
});

function faultsOf(row: PersonRow | null, { name, email }: SetMemberBody): Fault[] {
  const faults: Fault[] = [];
  const fault = (pointer: string, code: string, detail: string) => faults.push({ pointer, code, detail });
  const account = row?.kind === "service_account";
  if (account && name !== undefined && name !== row.name)
    fault("/name", "not_changeable", "cannot be changed for a service account; leave it out");
  if (email === undefined) return faults;
  if (!isAddress(email)) fault("/email", "format", "is not an e-mail address");
  if (row === null || account)
    fault(
      "/email",
      "not_changeable",
      "can be changed for people who are members already; the path names whom to invite. Leave it out",
    );
  return faults;
}

/** Somebody else may have the new address, so everything that the person signed in with is voided. */
async function setEmail(
  ctx: WriteContext,
  { id, roles_elsewhere: elsewhere }: PersonRow,
  email: string,
): Promise<void> {
  const { principal } = ctx;
  if (principal.scopes !== null || principal.agents !== null) {
    const detail =
      "The key is narrowed, and an e-mail address decides who signs in: use an admin key that is not narrowed.";
    throw refuse(grantsTooMuch, detail);
  }
  if (elsewhere.length > 0) await permitElsewhere(ctx, elsewhere);
  if (!(await changeEmail(ctx, id, email))) throw refuse(emailNotChangeable, "Another member has this address.");
  await voidCredentials(ctx, id);
  ctx.touch(sessionFacts);
  ctx.note("e-mail address changed: sessions, passkeys, account at the provider and invitations voided");
}

/**
 * Throws unless everybody accountable for the credential is an admin in each of the person's other environments, and the call is made in the last of them on the
 * way to production: a key of development decides nothing there.
 */
async function permitElsewhere(
  { db, scope, principal }: WriteContext,
  elsewhere: readonly Environment[],
): Promise<void> {
  const last = environments.findLast((place) => place === scope.environment || elsewhere.includes(place));
  const accountable = participantOf(principal).accountable.filter((id) => id !== host);
  const lacking = await lackingAdmin({ db, scope }, accountable, elsewhere);
  const also = `The person also has a role in ${elsewhere.join(" and ")}`;
  if (lacking.length > 0) {
    const detail = `${also}, and you, or who issued your credential, are not admin in ${lacking.join(" and ")}.`;
    throw refuse(emailNotChangeable, detail);
  }
  if (last !== scope.environment) throw refuse(emailNotChangeable, `${also}: change it in ${last}.`);
}

async function named(ctx: ReadContext, text: string): Promise<Named | undefined> {
  const row = await findPerson(ctx, text);
  return row || isAddress(text) ? { row: row ?? null } : undefined;
}

/** If two calls invite one address at once, the second finds the person of the first. */
const invitedOnce = async (ctx: WriteContext, address: string, name = address): Promise<string> =>
  (await invite(ctx, address, name)) ?? (await present(ctx, address)).id;

async function present(ctx: WriteContext, text: string): Promise<PersonRow> {
  const row = await findPerson(ctx, text);
  if (!row) throw refuse(notFound, "The member was just removed.");
  return row;
}

async function setRole(
  ctx: WriteContext,
  { id, role: before }: PersonRow,
  role: Role | null,
  rulers: readonly Ruler[],
): Promise<void> {
  const { principal, scope } = ctx;
  if (role !== null && principal.scopes !== null) {
    const detail =
      "The key is limited to scopes, and a role is not: assign roles with an admin key that is not limited.";
    throw refuse(grantsTooMuch, detail);
  }
  if (role !== "admin") refuseLast(scope.environment, id, rulers);
  for (const key of await changeRole(ctx, id, role)) emitRevoked(ctx, id, key);
  if (role === null) await leaveTeams(ctx, id);
  ctx.note(`role: ${before ?? "none"} before, ${role ?? "none"} now`);
}

/** Throws if the member is the last person who can administer the environment, or holds the last key that can. */
function refuseLast(environment: string, id: string, rulers: readonly Ruler[]): void {
  const own = rulers.find((ruler) => ruler.id === id);
  const others = rulers.filter((other) => other.id !== id);
  if (!own || others.some(({ kind }) => own.kind !== "person" || kind === "person")) return;
  if (own.kind !== "person") throw refuseLastKey("The account holds", environment);
  const detail = `It is the last person with an admin key in ${environment} that is not limited to scopes or agents: make another person admin and issue such a key for them first.`;
  throw refuse(lastAdmin, detail);
}
