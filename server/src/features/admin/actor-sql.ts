import { roles } from "../../kernel/principal.ts";
import { roleGrants } from "../../kernel/role-permissions.ts";
import { deadSince } from "./key-sql.ts";

// For machines that look at many rows at once. `row`, neither `k` nor `m`, has the columns organization, environment and actor.

const ofKey = (row: string): string =>
  `k.organization = ${row}.organization and k.environment = ${row}.environment and k.id = ${row}.actor #>> '{credential,key}'`;
const ofOwner = (row: string): string =>
  `m.organization = ${row}.organization and m.id = ${row}.actor ->> 'owner' and m.removed_at is null`;

/** SQL: whether the actor of a row goes on without a closer look; false: `whyStopped` decides. `now` is an SQL expression. */
export function surelyMayGoOnSql(row: string, permission: string, now: string): string {
  const granting = `array[${roles.filter((role) => roleGrants(role, permission)).map((role) => `'${role}'`)}]`;
  return `coalesce(case
    when ${row}.actor -> 'credential' ? 'key' then exists (
      select from keys k join members m on m.organization = k.organization and m.id = k.member_id where ${ofKey(row)}
        and coalesce(${deadSince} > ${now}, true) and k.role = any (${granting}) and (k.scopes is null or '${permission}' = any (k.scopes)))
    when ${row}.actor -> 'credential' ? 'named' then false
    when ${row}.actor -> 'credential' ? 'system' and ${row}.actor ->> 'owner' like 'system:%' then true
    else exists (select from members m where ${ofOwner(row)} and m.roles ->> ${row}.environment = any (${granting})) end, false)`;
}

/** SQL: when the key by which the actor of a row acts ends by revocation; null: it does not, or it acts by none. */
export const keyEnd = (row: string): string => `(select k.revoked_at from keys k where ${ofKey(row)})`;
