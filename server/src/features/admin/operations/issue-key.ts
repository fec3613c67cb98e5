import type { WriteContext } from "../../../kernel/context.ts";
import { type Fault, refuse } from "../../../kernel/errors.ts";
import { byBody } from "../../../kernel/narrowing.ts";
import { defineOperation, exempt, governs } from "../../../kernel/operation.ts";
import { actorOf, type Role, roles } from "../../../kernel/principal.ts";
import { invalidBody } from "../../../kernel/problems.ts";
import { declaredPermissions, roleIncludes } from "../../../kernel/role-permissions.ts";
import { grantsTooMuch } from "../errors.ts";
import { exampleIssued, exampleKey } from "../example.ts";
import { keyFacts } from "../facts.ts";
import { ensureServiceAccount, lockMember, type MemberRow } from "../member-store.ts";
import { bodyFaults, creatorOf, excessOf, expiryOf } from "../model.ts";
import { IssuedKey, IssueKeyBody } from "../schemas.ts";
import { drawKey } from "../secret.ts";
import { findKey, insertKey, type KeyRow } from "../store.ts";
import { keyView } from "../view.ts";

export const issueKey = defineOperation({
  id: "admin.issueKey",
  method: "POST",
  path: "/v1/admin/keys",
  status: 201,
  listed: true,
  secret: "key",
  summary: "Issue a key",
  description:
    "A key for the environment of the call, with a role, narrowed where asked. It grants no more than the key that issues it: neither role, scopes and agents nor networks, rate and time. The answer shows it once. One that a person issues to themselves, signed in by OpenID Connect or passkey or with another such key, is theirs personally; for any other the caller stays accountable.",
  body: IssueKeyBody,
  output: IssuedKey,
  example: {
    body: {
      name: exampleKey.name,
      role: exampleKey.role,
      scopes: ["tasks:read", "tasks:write"],
      agents: ["sales"],
      addresses: ["192.0.2.0/24"],
      rate_per_second: 20,
      for: { service_account: "lead-intake" },
    },
    output: exampleIssued,
  },
  permission: "admin:write",
  load: exempt("names no object; whom the key is for stands in the body"),
  narrowing: byBody(
    "a key of the caller's own member, which grants no more than the issuing key",
    ({ principal }, { body }: { body: IssueKeyBody }) =>
      body.for === undefined || body.for.member === principal.id ? principal.agents : null,
  ),
  gate: exempt("makes no agent act"),
  compliance: governs("key.issue"),
  audit: ({ output }) => (output ? `key:${output.key_id}` : "keys"),
  errors: [grantsTooMuch],
  validate: (_ctx, { body }) => bodyFaults(body, isRole, declaredPermissions()),
  async handle(ctx, { body }) {
    const { keyId } = ctx.principal;
    const issuedWith = keyId === null ? undefined : await findKey(ctx, keyId);
    const creator = creatorOf(ctx.principal, issuedWith);
    const expiresAt = expiryOf(body, creator, ctx.now);
    const excess = creator === null ? [] : excessOf(body, expiresAt, creator);
    if (excess.length > 0) throw refuse(grantsTooMuch, tell(excess), { errors: excess });
    const owner = await ownerOf(ctx, body);
    const personal = ctx.principal.personal && owner.id === ctx.principal.id;
    const { secret, hash, start, lastFour } = drawKey(ctx.scope.environment);
    const id = ctx.newId("key");
    await insertKey(ctx, {
      id,
      hash,
      start,
      lastFour,
      expiresAt,
      name: body.name,
      memberId: owner.id,
      role: body.role,
      personal,
      issuers: actorOf(ctx.principal).accountable.filter((id) => id !== owner.id),
      scopes: body.scopes ?? null,
      agents: body.agents ?? null,
      addresses: body.addresses ?? null,
      ratePerSecond: body.rate_per_second ?? null,
    });
    ctx.touch(keyFacts);
    return { ...keyView((await findKey(ctx, id)) as KeyRow, ctx.now), key: secret };
  },
});

function isRole(text: unknown): text is Role {
  return (roles as readonly unknown[]).includes(text);
}

/** Whom the key will act for. A person's key stays within the person's role here; a service account has what its keys say. */
async function ownerOf(ctx: WriteContext, body: IssueKeyBody): Promise<MemberRow> {
  const account =
    body.for?.service_account ??
    (body.for === undefined && ctx.principal.kind === "system" ? serviceAccountOf(ctx.principal.id) : undefined);
  if (account !== undefined) return ensureServiceAccount(ctx, account, body.role);
  const asked = body.for?.member ?? ctx.principal.id;
  const member = await lockMember(ctx, asked);
  if (!member)
    throw invalid(
      "/for/member",
      "unknown_member",
      `${asked} is no member; use the id of one, or name a service account`,
    );
  const own = member.roles[ctx.scope.environment];
  if (own === undefined) {
    throw invalid("/for/member", "no_role", `${member.id} has no role in ${ctx.scope.environment}; give it one first`);
  }
  if (member.kind === "person" && !roleIncludes(own, body.role)) {
    throw invalid(
      "/role",
      "exceeds_member",
      `is ${body.role}, but ${member.id} is ${own} in ${ctx.scope.environment}; choose a role within that`,
    );
  }
  return member;
}

/** `system:cli` owns keys as the service account `cli`. */
function serviceAccountOf(principal: string): string {
  return principal.slice(principal.indexOf(":") + 1);
}

function invalid(pointer: string, code: string, detail: string): Error {
  return refuse(invalidBody, `${pointer}: ${detail}`, { errors: [{ pointer, code, detail }] });
}

function tell(faults: readonly Fault[]): string {
  const more = faults.length > 1 ? ` (and ${faults.length - 1} more)` : "";
  return `${faults[0]?.pointer}: ${faults[0]?.detail}${more}.`;
}
