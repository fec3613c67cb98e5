import { opens } from "../kernel/chat-token.ts";
import { refuse } from "../kernel/errors.ts";
import type { Operation } from "../kernel/operation.ts";
import { describe } from "../kernel/operation-seal.ts";
import type { Principal, Role } from "../kernel/principal.ts";
import { roles } from "../kernel/principal.ts";
import { insufficientScope } from "../kernel/problems.ts";
import { roleGrants } from "../kernel/role-permissions.ts";
import type { StageVerdict } from "../kernel/verdict.ts";

/** Roles as bit sets over operation indexes, compiled once at start. */
export interface CompiledRoles {
  allows(role: Role, index: number): boolean;
}

/** Compiles the table of roles over the operations of the registry, in its order. */
export function compileRoles(operations: readonly Operation[]): CompiledRoles {
  const described = operations.map(describe);
  const sets = new Map<Role, Uint32Array>();
  for (const role of roles) {
    const bits = new Uint32Array(Math.ceil(operations.length / 32));
    described.forEach(({ permission, door }, index) => {
      const open = typeof permission !== "string" ? door === "http" : roleGrants(role, permission);
      if (open) bits[index >> 5] = (bits[index >> 5] as number) | (1 << (index & 31));
    });
    sets.set(role, bits);
  }
  return {
    allows: (role, index) => (((sets.get(role) as Uint32Array)[index >> 5] as number) & (1 << (index & 31))) !== 0,
  };
}

/**
 * The stage's first half: role and scope. The second, `load`, follows in `run`.
 * System principals are the service's own machines: they may do what they were built to do, in their own scope.
 */
export function permit(principal: Principal, permission: string | { reason: string }, allowed: boolean): StageVerdict {
  if (typeof permission !== "string") return allowBecause(principal, `exempt: ${permission.reason}`);
  if (principal.kind === "system") return allowBecause(principal, principal.id);
  const narrowed = principal.scopes !== null && !principal.scopes.includes(permission);
  if (!allowed || narrowed) throw missing(principal, permission, allowed);
  return allowBecause(principal, `role:${principal.role}`);
}

const verdicts = new Map<string, StageVerdict>();

/** There are few reasons to allow a call: calls share the verdict. Of a session's or a chat token's call it names that. */
function allowBecause({ sessionId, chat }: Principal, reason: string): StageVerdict {
  const by = chat ? `chat_token:${chat.token}` : sessionId && `session:${sessionId}`;
  if (by !== undefined) return { stage: "permissions", verdict: "allow", reasons: [reason, by], policy_version: null };
  let verdict = verdicts.get(reason);
  if (!verdict) {
    verdict = { stage: "permissions", verdict: "allow", reasons: [reason], policy_version: null };
    verdicts.set(reason, verdict);
  }
  return verdict;
}

/** Refuses who holds a chat token what is not for end users. */
export function refuseEndUser({ chat }: Principal, operation: string): void {
  if (!chat || opens(chat, operation)) return;
  throw refuse(insufficientScope, "A chat token opens its user's own conversations only; this call needs a key.", {
    stage: "permissions",
    members: { missing_scope: "key" },
  });
}

function missing(principal: Principal, permission: string, byRole: boolean): Error {
  const cause = byRole ? `its scopes are ${principal.scopes?.join(", ") || "none"}` : `its role is ${principal.role}`;
  return refuse(insufficientScope, `This call needs the scope ${permission}; the key does not have it: ${cause}.`, {
    stage: "permissions",
    members: { missing_scope: permission },
  });
}
