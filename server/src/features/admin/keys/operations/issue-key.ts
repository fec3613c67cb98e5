import type { WriteContext } from "../../../../kernel/context.ts";
import { type Fault, refuse } from "../../../../kernel/errors.ts";
import { byBody } from "../../../../kernel/narrowing.ts";
import { defineOperation, exempt, governs } from "../../../../kernel/operation.ts";
import { pick } from "../../../../kernel/pick.ts";
import { participantOf, type Role, roles } from "../../../../kernel/principal.ts";
import { invalidBody } from "../../../../kernel/problems.ts";
import { declaredPermissions, roleIncludes } from "../../../../kernel/role-permissions.ts";
import { grantsTooMuch } from "../../errors.ts";
import { exampleIssued, exampleKey } from "../../example.ts";
import { ensureServiceAccount, lockMember, type MemberRow } from "../../members/store.ts";
import { IssuedKey, IssueKeyBody } from "../../schemas.ts";
import { keyView } from "../../view.ts";
import { keyFacts } from "../facts.ts";
import { bodyFaults, creatorOf, drawKey, excessOf, expiryOf } from "../rules.ts";
import { findKey, insertKey } from "../store.ts";

export const issueKey = defineOperation({
  id: "admin.issueKey",
  method: "POST",
  path: "/v1/admin/keys",
  status: 201,
  listed: true,
  secret: "key",
  summary: "Issue a key",
  description:
    "A key for the environment of the call, with a role and optional limits. It grants no more than the key that issues it, in role, scopes, agents, networks, rate and time. The response shows it once. A key that people issue to themselves, signed in by OpenID Connect or passkey or with another such key, is personal; for any other the caller stays accountable.",
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
  decides: exempt("keys carry no content"),
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
    const { secret, stored } = drawKey(ctx.scope.environment);
    const id = ctx.newId("key");
    const row = await insertKey(ctx, {
      ...stored,
      ...pick(body, ["name", "role", "scopes", "agents", "addresses", "rate_per_second"]),
      id,
      member_id: owner.id,
      expires_at: expiresAt,
      personal,
      issuers: participantOf(ctx.principal).accountable.filter((id) => id !== owner.id),
      personal_email: personal ? owner.login : null,
    });
    ctx.touch(keyFacts);
    return { ...keyView(row, ctx.now), key: secret };
  },
});

const isRole = (text: unknown): text is Role => (roles as readonly unknown[]).includes(text);

/** Whom the key acts for. A person's key stays within the person's role here; a service account's keys say what it may do. */
async function ownerOf(ctx: WriteContext, body: IssueKeyBody): Promise<MemberRow> {
  const { principal, scope } = ctx;
  // `system:cli` owns keys as the service account `cli`.
  const machine = principal.kind === "system" ? principal.id.slice(principal.id.indexOf(":") + 1) : undefined;
  const account = body.for === undefined ? machine : body.for.service_account;
  if (account !== undefined) return ensureServiceAccount(ctx, account, body.role);
  const id = body.for?.member ?? principal.id;
  const member = await lockMember(ctx, id);
  if (!member)
    throw invalid(
      "/for/member",
      "unknown_member",
      `${id} is not a member; use a member's id, or name a service account`,
    );
  const own = member.roles[scope.environment];
  if (own === undefined)
    throw invalid("/for/member", "no_role", `${id} has no role in ${scope.environment}; assign one first`);
  if (member.kind === "person" && !roleIncludes(own, body.role)) {
    const detail = `is ${body.role}, but ${id} is ${own} in ${scope.environment}; choose a role within that`;
    throw invalid("/role", "exceeds_member", detail);
  }
  return member;
}

function invalid(pointer: string, code: string, detail: string): Error {
  return refuse(invalidBody, `${pointer}: ${detail}`, { errors: [{ pointer, code, detail }] });
}

function tell(faults: readonly Fault[]): string {
  const more = faults.length > 1 ? ` (and ${faults.length - 1} more)` : "";
  return `${faults[0]?.pointer}: ${faults[0]?.detail}${more}.`;
}
