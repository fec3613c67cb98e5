import { firstOf } from "@aos/text";
import { timestamp } from "../../../../kernel/clock.ts";
import type { WriteContext } from "../../../../kernel/context.ts";
import { refuse } from "../../../../kernel/errors.ts";
import type { ProviderAccount } from "../../../../kernel/identity.ts";
import { defineInside, exempt, type InsideOperation } from "../../../../kernel/operation.ts";
import { unauthenticated } from "../../../../kernel/problems.ts";
import { keyRevoked } from "../../keys/events.ts";
import { keyFacts } from "../../keys/facts.ts";
import { changeRole, findPerson } from "../../members/store.ts";
import { teamFacts } from "../../teams/facts.ts";
import { leaveTeams } from "../../teams/store.ts";
import { type Binding, bind, bindAgain, findBinding, insertPerson, lockAccount } from "../accounts-store.ts";
import { accountAlreadyBound } from "../errors.ts";

/** What becomes of an account before its person signs in: bound to a member, or made one, with the role that the provider's claims give in this environment. */
export const admitAccount: InsideOperation<{ readonly account: ProviderAccount }, { readonly memberId: string }> =
  defineInside({
    id: "sessions.admitAccount",
    summary: "Bind an account of the OpenID Connect provider to its person, with the role that its claims give",
    permission: exempt("the service itself, after the provider proved whose account it is"),
    load: exempt("names no object; whose account it is is found out with it"),
    gate: exempt("makes no agent act"),
    compliance: exempt("follows from the configuration; signing in is what policies see"),
    audit: ({ output }: { output: { readonly memberId: string } | undefined }) =>
      output ? { object: `member:${output.memberId}`, subject: output.memberId } : { object: "members" },
    emits: [keyRevoked],
    errors: [accountAlreadyBound],
    async handle(ctx, { params: { account } }: { params: { readonly account: ProviderAccount } }) {
      await lockAccount(ctx, account);
      const binding = await findBinding(ctx, account);
      const memberId = binding ? await boundMember(ctx, account, binding) : await firstBinding(ctx, account);
      await setRole(ctx, account, memberId);
      ctx.touch(keyFacts);
      return { memberId };
    },
  });

/** The member of an account that was bound before: never another one, or one person could be two by having their address changed. */
async function boundMember(
  ctx: WriteContext,
  account: ProviderAccount,
  { member_id: id, removed, voided }: Binding,
): Promise<string> {
  if (!removed && !voided) return id;
  if (await bindAgain(ctx, account)) {
    ctx.note("account bound again to its member by the verified e-mail address");
    return id;
  }
  const verified = account.email ?? "none";
  const [why, remedy] = removed
    ? ["who was removed", "Ask the host's operator."]
    : [
        "whose e-mail address was changed since",
        `The address that the provider has verified of you is ${verified}: have an admin give it to ${id}, and sign in again.`,
      ];
  throw refuse(accountAlreadyBound, `Your account was first bound to ${id}, ${why}, and is nobody else's. ${remedy}`, {
    stage: "permissions",
  });
}

async function firstBinding(ctx: WriteContext, account: ProviderAccount): Promise<string> {
  const known = account.email === null ? undefined : await findPerson(ctx, account.email);
  const memberId = known?.id ?? (await newMember(ctx, account));
  if (!(await bind(ctx, account, memberId))) {
    throw refuse(
      unauthenticated,
      "Your e-mail address belongs to a member who signs in with another account of the provider. Ask an admin.",
    );
  }
  ctx.note(known ? "account bound by its verified e-mail address" : "member added by the claims of the account");
  return memberId;
}

async function newMember(ctx: WriteContext, account: ProviderAccount): Promise<string> {
  if (!account.roles[ctx.scope.environment]) {
    const who =
      account.email === null
        ? "Your account has no verified e-mail address by which an invited member could be found"
        : `Nobody is invited as ${account.email}`;
    throw refuse(unauthenticated, `${who}, and its claims give no role in ${ctx.scope.environment}. Ask an admin.`);
  }
  return insertPerson(ctx, account.name ?? account.email ?? firstOf(account.subject, 100), account.email);
}

/** The provider rules over roles in the environments that the mapping names: a claim that is gone takes the role away. */
async function setRole(ctx: WriteContext, { roles }: ProviderAccount, memberId: string): Promise<void> {
  const role = roles[ctx.scope.environment];
  const before = (await findPerson(ctx, memberId))?.role ?? null;
  if (role === undefined || role === before) return;
  for (const { id: key_id, name, role: held } of await changeRole(ctx, memberId, role)) {
    ctx.emit(keyRevoked, {
      key_id,
      name,
      role: held,
      member_id: memberId,
      revoked_at: timestamp(ctx.now),
      revoked_by: ctx.principal.id,
    });
  }
  if (role === null) {
    await leaveTeams(ctx, memberId);
    ctx.touch(teamFacts);
  }
  ctx.note(`role by claims: ${before ?? "none"} before, ${role ?? "none"} now`);
}
