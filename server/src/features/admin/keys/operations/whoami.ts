import { type Static, Type } from "typebox";
import { openToAll } from "../../../../kernel/narrowing.ts";
import { defineRead, exempt, governs } from "../../../../kernel/operation.ts";
import { pick } from "../../../../kernel/pick.ts";
import type { Principal } from "../../../../kernel/principal.ts";
import { declaredPermissions, roleGrants } from "../../../../kernel/role-permissions.ts";
import { nullable } from "../../../../kernel/schema-words.ts";
import { exampleKey } from "../../example.ts";
import { Agents, Environment, Key, Rate, RoleName, Scopes } from "../../schemas.ts";
import { keyView } from "../../view.ts";
import { findKey } from "../store.ts";

const shown = ["key_id", "name", "start", "last_four", "expires_at", "revoked_at", "addresses"] as const;

const Whoami = Type.Object({
  principal: Type.Object({
    id: Type.String({ description: "`mbr_…`: whom the key acts for." }),
    kind: Type.Enum(["member", "service_account", "system"], { description: "Only members decide approvals." }),
    role: nullable(RoleName),
    personal: Type.Boolean({
      description:
        "Whether they took this credential up in person: by OpenID Connect, a passkey, or a key issued to themselves from such a sign-in.",
    }),
  }),
  organization: Type.String(),
  environment: Environment,
  key: nullable(Type.Pick(Key, shown)),
  permissions: Type.Array(Type.String(), {
    description: "Everything that the key may do: its role's permissions, as far as its scopes leave them.",
  }),
  scopes: Scopes,
  agents: Agents,
  rate_per_second: Rate,
});

export const whoami = defineRead({
  id: "admin.whoami",
  path: "/v1/admin/whoami",
  summary: "Tell what this key may do",
  description: "Whom the key acts for, its role, environment, permissions and limits. Every key may ask.",
  output: Whoami,
  example: {
    output: {
      principal: { id: exampleKey.member_id, kind: "service_account", role: "operator", personal: false },
      organization: "default",
      environment: "development",
      key: pick(exampleKey, shown),
      permissions: ["tasks:read", "tasks:write"],
      scopes: ["tasks:read", "tasks:write"],
      agents: ["sales"],
      rate_per_second: 20,
    },
  },
  permission: exempt("every key may ask what it may do"),
  load: exempt("names no object; tells of the caller"),
  narrowing: openToAll("tells of the caller alone"),
  compliance: governs("whoami"),
  audit: ({ output }) => ({ object: output?.key ? `key:${output.key.key_id}` : null }),
  async handle(ctx) {
    const { principal, scope } = ctx;
    const { id, role, personal } = principal;
    const kind = principal.kind as Static<typeof Whoami>["principal"]["kind"];
    const row = principal.keyId === null ? undefined : await findKey(ctx, principal.keyId);
    const key = row === undefined ? null : keyView(row, ctx.now);
    return {
      principal: { id, kind, role, personal },
      organization: scope.organization,
      environment: scope.environment,
      key: key && pick(key, shown),
      permissions: permissionsOf(principal),
      scopes: principal.scopes && [...principal.scopes],
      agents: principal.agents && [...principal.agents],
      rate_per_second: key?.rate_per_second ?? null,
    };
  },
});

function permissionsOf({ role, scopes }: Principal): string[] {
  if (role === null) return [];
  return declaredPermissions().filter(
    (permission) => roleGrants(role, permission) && (scopes === null || scopes.includes(permission)),
  );
}
