import { type Principal, type Role, roles } from "./principal.ts";

/** What each role may do: permissions `<group>:<verb>`, `*` for all of a group's or all groups'. The one place where this is said. */
export const rolePermissions: Readonly<Record<Role, readonly string[]>> = {
  viewer: ["*:read"],
  operator: [
    "*:read",
    "tasks:write",
    "tasks:feedback",
    "approvals:comment",
    "chat:write",
    "chat:answer",
    "missions:run",
    "workflows:run",
    "agents:pause",
    "governance:engage",
    "marketplace:rate",
  ],
  builder: [
    "*:read",
    "*:write",
    "tasks:feedback",
    "approvals:comment",
    "chat:answer",
    "chat:manage",
    "missions:run",
    "workflows:run",
    ...[
      "agents:deploy",
      "agents:pause",
      "governance:engage",
      "governance:confirm",
      "marketplace:install",
      "marketplace:rate",
    ],
  ],
  evaluator: [
    "*:read",
    "evaluations:write",
    "tasks:feedback",
    "approvals:comment",
    "governance:engage",
    "marketplace:rate",
  ],
  approver: [
    ...[
      "*:read",
      "approvals:decide",
      "approvals:comment",
      "tasks:feedback",
      "governance:engage",
      "governance:release",
      "governance:confirm",
      "marketplace:rate",
    ],
  ],
  auditor: ["*:read", "audit:read", "audit:export"],
  admin: ["*"],
};

/** Groups that `*:read` and `*:write` do not open: who reads or changes them is named. */
const namedOnly: Readonly<Record<string, ReadonlySet<string>>> = {
  read: new Set(["audit", "admin"]),
  write: new Set(["admin", "approvals", "audit", "evaluations", "governance"]),
};

/** Whether an entry of the table opens a permission. */
export function grants(pattern: string, permission: string): boolean {
  if (pattern === "*" || pattern === permission) return true;
  const [group = "", verb = ""] = permission.split(":");
  return pattern === `*:${verb}` && verb in namedOnly && !namedOnly[verb]?.has(group);
}

/** Whether a role has a permission. */
export function roleGrants(role: Role, permission: string): boolean {
  return rolePermissions[role].some((pattern) => grants(pattern, permission));
}

/** Whether somebody holds a permission, by role and scopes; the service's own machines hold all. */
export function principalHolds(
  { kind, role, scopes }: Pick<Principal, "kind" | "role" | "scopes">,
  permission: string,
): boolean {
  if (kind === "system") return true;
  return role !== null && roleGrants(role, permission) && (scopes === null || scopes.includes(permission));
}

/** Whether the first role may do everything that the second may. `grants` holds for patterns too: `*` opens `*:read`, `*:read` opens itself. */
export function roleIncludes(role: Role, other: Role): boolean {
  return rolePermissions[other].every((permission) => roleGrants(role, permission));
}

/** The roles that may do everything that a role may, itself among them. */
export function rolesIncluding(role: Role): Role[] {
  return roles.filter((other) => roleIncludes(other, role));
}

const declared = new Set<string>();

/** Enters a permission that an operation asks for; `seal` does it for each operation that is declared. */
export function declarePermission(permission: string): void {
  declared.add(permission);
}

/** Every permission that some operation asks for, in alphabetical order: what the scopes of a key can name. */
export function declaredPermissions(): string[] {
  return [...declared].sort();
}
