import { all, select, sql } from "../../../db/scoped.ts";
import type { ReadContext, WriteContext } from "../../../kernel/context.ts";
import { refuse } from "../../../kernel/errors.ts";
import type { Role } from "../../../kernel/principal.ts";
import { conflict } from "../../../kernel/problems.ts";
import { memberRows } from "../../admin/shared-rows.ts";
import { type Known, type StandIn, whyNotDeciding } from "./rules.ts";

type Any = ReadContext | WriteContext;

const membersIn = (ctx: Any, ids: readonly string[]) =>
  select(ctx, memberRows, "m")
    .where("m.id", "in", [...new Set(ids)])
    .select([
      "m.id",
      "m.name",
      sql<Known["kind"]>`m.kind`.as("kind"),
      sql<Role | null>`m.roles ->> ${ctx.scope.environment}::text`.as("role"),
      sql<boolean>`m.removed_at is not null`.as("removed"),
    ]);

export async function knownMembers(ctx: Any, ids: readonly string[]): Promise<ReadonlyMap<string, Known>> {
  if (ids.length === 0) return new Map();
  const rows = await all(ctx, membersIn(ctx, ids));
  return new Map(rows.map((row) => [row.id, row]));
}

/** The same, and nobody changes their roles or removes them until the transaction ends. */
export async function lockMembers(ctx: WriteContext, ids: readonly string[]): Promise<ReadonlyMap<string, Known>> {
  const rows = await all(ctx, membersIn(ctx, ids).orderBy("m.id").forShare());
  return new Map(rows.map((row) => [row.id, row]));
}

export const tooManyDelegations = (): Error =>
  refuse(conflict, "This person has 50 delegations that have not ended, which is the most; remove one first.");

/**
 * Whether at some time between `starts` and `ends` the decisions of `to` go to `from` already, also by way of others: then `from` cannot hand theirs to
 * `to`. Nobody adds a delegation in this environment until the transaction ends.
 */
export async function closesCircle(
  ctx: WriteContext,
  { from, to, starts, ends }: { from: string; to: string; starts: Date; ends: Date },
): Promise<boolean> {
  const { organization, environment } = ctx.scope;
  await ctx.db.query("select pg_advisory_xact_lock(hashtextextended($1, 0))", [
    `approval delegation circles ${organization} ${environment}`,
  ]);
  const found = await ctx.db.query(
    `with recursive reached(member, starts_at, ends_at) as (
       select $3::text collate "C", $5::timestamptz, $6::timestamptz
       union
       select d.to_member, greatest(r.starts_at, d.starts_at), least(r.ends_at, d.ends_at)
       from reached r join approval_absences d on d.organization = $1 and d.environment = $2 and d.from_member = r.member
         and d.starts_at < r.ends_at and d.ends_at > r.starts_at)
     select 1 from reached where member = $4 limit 1`,
    [organization, environment, to, from, starts, ends],
  );
  return found.length > 0;
}

/** For whom the caller stands in now: those who are members still, with a role that decides. The oldest delegation first. */
export async function standInsOf(ctx: Any): Promise<StandIn[]> {
  if (ctx.principal.kind !== "member") return [];
  const now = new Date(ctx.now);
  const rows = await all(
    ctx,
    select(ctx, "approval_absences", "d")
      .select(["d.id", "d.from_member", "d.accountable", "d.personal"])
      .where("d.to_member", "=", ctx.principal.id)
      .where("d.starts_at", "<=", now)
      .where("d.ends_at", ">", now)
      .orderBy("d.id"),
  );
  const known = await knownMembers(
    ctx,
    rows.map(({ from_member }) => from_member),
  );
  return rows.flatMap(({ id, from_member, accountable, personal }) => {
    const member = known.get(from_member);
    if (!member?.role || whyNotDeciding(member.name, member, ctx.scope.environment) !== null) return [];
    return [{ id, for: from_member, name: member.name, role: member.role, accountable, personal }];
  });
}
