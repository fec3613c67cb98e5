import { all, select, sql, update } from "../../../db/scoped.ts";
import type { ReadContext, WriteContext } from "../../../kernel/context.ts";
import type { Role } from "../../../kernel/principal.ts";
import type { NamedTeam } from "./view.ts";

type Person = NamedTeam["people"][number];

/** People of the organization among these ids, with their role here. */
export async function membersOf(
  ctx: ReadContext | WriteContext,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Person>> {
  if (ids.length === 0) return new Map();
  const { environment } = ctx.scope;
  const query = select(ctx, "members", "m")
    .select(["m.id", "m.name", sql<Role | null>`m.roles ->> ${environment}::text`.as("role")])
    .where("m.id", "in", [...new Set(ids)])
    .where("m.kind", "=", "person")
    .where("m.removed_at", "is", null);
  return new Map((await all(ctx, query)).map((row) => [row.id, row]));
}

/** Whoever has no role here belongs to no team here. */
export async function leaveTeams(ctx: WriteContext, member: string): Promise<void> {
  await all(
    ctx,
    update(ctx, "teams")
      .set({ members: sql<string[]>`array_remove(members, ${member})`, revision: sql<number>`revision + 1` })
      .where(sql<boolean>`members @> array[${member}::text]`),
  );
}
