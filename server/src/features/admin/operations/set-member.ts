import { Type } from "typebox";
import { changedMeanwhile } from "../../../kernel/changed-meanwhile.ts";
import { timestamp } from "../../../kernel/clock.ts";
import type { ReadContext, WriteContext } from "../../../kernel/context.ts";
import { type Fault, refuse } from "../../../kernel/errors.ts";
import { defineOperation, exempt, governs } from "../../../kernel/operation.ts";
import { actorOf, type Environment, environments, host, type Role } from "../../../kernel/principal.ts";
import { notFound } from "../../../kernel/problems.ts";
import { grantsTooMuch, lastAdminKey } from "../errors.ts";
import { keyRevoked } from "../events.ts";
import { keyFacts } from "../facts.ts";
import { emailNotChangeable, lastAdmin } from "../people-errors.ts";
import { exampleMember } from "../people-example.ts";
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
} from "../people-store.ts";
import { memberRevision, memberView } from "../people-view.ts";
import { Member, SetMemberBody } from "../schemas.ts";
import { sessionFacts } from "../sessions/facts.ts";
import { voidCredentials } from "../sessions/invitation-store.ts";
import { invitationJob } from "../sessions/operations/send-invitation.ts";

/** A member, or an address that nobody has yet. */
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
    "Sets the role of a person or a service account in the environment of the call, and nowhere else. An e-mail address that nobody has invites its person: where a mail server is configured, they are sent a link by which they sign in and make a passkey. Keys here that the new role does not cover end at once. The last person who can administer the environment is protected.",
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
  compliance: governs("member.set"),
  audit: ({ loaded, output }) => {
    const id = output?.member_id ?? loaded?.row?.id;
    return id === undefined ? { object: "members" } : { object: `member:${id}`, subject: id };
  },
  emits: [keyRevoked],
  errors: [lastAdmin, lastAdminKey, grantsTooMuch, emailNotChangeable],
  async handle(ctx, { params, loaded, body }) {
    if (loaded.row === null) {
      if (body.role === null) throw refuse(notFound, "Nobody has this address, so there is no role to take away.");
      await invite(ctx, params.member, body.name ?? params.member);
    }
    const invited = loaded.row === null;
    const id = (loaded.row ?? (await present(ctx, params.member))).id;
    const rulers = await lockWithRulers(ctx, id);
    const before = await present(ctx, id);
    if (ctx.basedOnLoaded && loaded.row && memberRevision(before) !== memberRevision(loaded.row))
      throw changedMeanwhile();
    if (before.role !== body.role) await setRole(ctx, before, body.role, rulers);
    if (body.name !== undefined && body.name !== before.name) await rename(ctx, id, body.name);
    if (body.email !== undefined && body.email !== before.email) await setEmail(ctx, before, body.email);
    if (invited) ctx.enqueue(invitationJob(ctx.scope, id));
    ctx.touch(keyFacts);
    return memberView(await present(ctx, id));
  },
});

function faultsOf(row: PersonRow | null, { name, email }: SetMemberBody): Fault[] {
  const faults: Fault[] = [];
  const fault = (pointer: string, code: string, detail: string) => faults.push({ pointer, code, detail });
  const account = row?.kind === "service_account";
  if (account && name !== undefined && name !== row.name)
    fault("/name", "not_changeable", "of a service account is what it is known by; leave it out");
  if (email === undefined) return faults;
  if (!isAddress(email)) fault("/email", "format", "is no e-mail address");
  if (row === null || account)
    fault("/email", "not_changeable", "is for people who are members; the path names whom to invite. Leave it out");
  return faults;
}

/** Whoever has the new address is somebody else as far as anybody can tell: nothing that the person signed in with goes on. */
async function setEmail(
  ctx: WriteContext,
  { id, roles_elsewhere: elsewhere }: PersonRow,
  email: string,
): Promise<void> {
  const { principal } = ctx;
  if (principal.scopes !== null || principal.agents !== null) {
    throw refuse(
      grantsTooMuch,
      "The key is narrowed, and an e-mail address decides who signs in: change it with an admin key that is not narrowed.",
    );
  }
  if (elsewhere.length > 0) await permitElsewhere(ctx, elsewhere);
  if (!(await changeEmail(ctx, id, email))) throw refuse(emailNotChangeable, "Another member has this address.");
  await voidCredentials(ctx, id);
  ctx.touch(sessionFacts);
  ctx.note("e-mail address changed: sessions, passkeys, account at the provider and invitations voided");
}

/**
 * Refuses an address to a person who has a role in other environments too, unless everybody accountable for the credential is an admin in each of them, and
 * the call is made in the last of them on the way to production: a key of development decides nothing there.
 */
async function permitElsewhere(
  { db, scope, principal }: WriteContext,
  elsewhere: readonly Environment[],
): Promise<void> {
  const last = environments.findLast((place) => place === scope.environment || elsewhere.includes(place));
  const lacking = await lackingAdmin(
    { db, scope },
    actorOf(principal).accountable.filter((id) => id !== host),
    elsewhere,
  );
  const also = `The person has a role in ${elsewhere.join(" and ")} too`;
  if (lacking.length > 0)
    throw refuse(
      emailNotChangeable,
      `${also}, and you, or who issued your credential, are no admin in ${lacking.join(" and ")}.`,
    );
  if (last !== scope.environment) throw refuse(emailNotChangeable, `${also}: change it in ${last}.`);
}

async function named(ctx: ReadContext, text: string): Promise<Named | undefined> {
  const row = await findPerson(ctx, text);
  return row || isAddress(text) ? { row: row ?? null } : undefined;
}

async function present(ctx: WriteContext, text: string): Promise<PersonRow> {
  const row = await findPerson(ctx, text);
  if (!row) throw refuse(notFound, "The member was removed in this moment.");
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
    throw refuse(
      grantsTooMuch,
      "The key is limited to scopes, and a role is not: give roles with an admin key that is not limited.",
    );
  }
  if (role !== "admin") refuseLast(scope.environment, id, rulers);
  for (const key of await changeRole(ctx, id, role)) {
    const { id: key_id, name, role: held } = key;
    ctx.emit(keyRevoked, {
      key_id,
      name,
      role: held,
      member_id: id,
      revoked_at: timestamp(ctx.now),
      revoked_by: principal.id,
    });
  }
  ctx.note(`role: ${before ?? "none"} before, ${role ?? "none"} now`);
}

/** Refuses to take the keys of the last person who rules over the environment, or the last that rule where they are a service account's. */
function refuseLast(environment: string, id: string, rulers: readonly Ruler[]): void {
  const own = rulers.find((ruler) => ruler.id === id);
  if (
    own === undefined ||
    rulers.some((other) => other.id !== id && (own.kind !== "person" || other.kind === "person"))
  )
    return;
  if (own.kind === "person") {
    throw refuse(
      lastAdmin,
      `It is the last person with an admin key in ${environment} that is not limited to scopes or agents: make another one admin and issue such a key for them first.`,
    );
  }
  throw refuse(
    lastAdminKey,
    `The account holds the last admin key in ${environment} that is not limited to scopes or agents: issue another one first, or run \`aos keys create --environment ${environment} --role admin\` on the host.`,
  );
}
