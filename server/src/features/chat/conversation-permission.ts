import type { Principal } from "../../kernel/principal.ts";
import { roleGrants } from "../../kernel/role-permissions.ts";

/** Whether a caller has a permission besides that of the operation. */
export const mayAlso = ({ role, scopes }: Principal, permission: string): boolean =>
  role !== null && roleGrants(role, permission) && (scopes === null || scopes.includes(permission));
