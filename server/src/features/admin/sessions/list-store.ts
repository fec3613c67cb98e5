import type { ReadContext, WriteContext } from "../../../kernel/context.ts";
import { isId } from "../../../kernel/ids.ts";
import type { PageRequest } from "../../../kernel/listing.ts";
import { roleGrants } from "../../../kernel/role-permissions.ts";
import { deadSince, keysWithOwners } from "../key-sql.ts";
import type { SessionRow } from "./store.ts";

/** A session that works, for lists. */
export interface ListedRow {
  id: string;
  member_id: string;
  member_name: string;
  method: SessionRow["method"];
  address: string | null;
  user_agent: string | null;
  created_at: Date;
  last_used_at: Date | null;
  expires_at: Date;
}

type Context = ReadContext | WriteContext;

/** Whose sessions the caller may see or end: everybody's, where it administers the environment and is not narrowed to agents; else its own. */
function boundOf({ principal }: Context, permission: "admin:read" | "admin:write"): string | null {
  const { role, scopes, agents, id } = principal;
  const all =
    role !== null && roleGrants(role, permission) && agents === null && (scopes?.includes(permission) ?? true);
  return all ? null : id;
}

const working = `select s.id, s.member_id, m.name as member_name, s.method, s.address, s.user_agent, s.created_at, s.last_used_at, s.expires_at
  from sessions s join members m on m.organization = s.organization and m.id = s.member_id
  where s.organization = $1 and s.environment = $2 and s.ended_at is null and s.expires_at > $3 and m.removed_at is null and ($4::text is null or s.member_id = $4)
    and case when s.key_id is null then m.roles ? $2 else exists (
      select from ${keysWithOwners} where k.organization = s.organization and k.environment = s.environment and k.id = s.key_id
        and (k.expires_at is null or k.expires_at > $3) and (${deadSince} is null or ${deadSince} > $3)) end`;

const placeOf = ({ scope, now }: Context): unknown[] => [scope.organization, scope.environment, new Date(now)];

/** A page of the sessions that the caller may see, newest first: ids sort by time. */
export function listSessions(ctx: ReadContext, member: string | undefined, page: PageRequest): Promise<ListedRow[]> {
  return ctx.db.query<ListedRow>(
    `${working} and ($5::text is null or s.member_id = $5) and ($6::text is null or s.id < $6) order by s.id desc limit $7`,
    [...placeOf(ctx), boundOf(ctx, "admin:read"), member ?? null, page.after?.id ?? null, page.take],
  );
}

/** A session that the caller may end. */
export async function findEndable(ctx: Context, id: string): Promise<ListedRow | undefined> {
  if (!isId(id, "ses")) return undefined;
  const rows = await ctx.db.query<ListedRow>(`${working} and s.id = $5`, [
    ...placeOf(ctx),
    boundOf(ctx, "admin:write"),
    id,
  ]);
  return rows[0];
}
