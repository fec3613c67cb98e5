import type { WriteContext } from "../../../kernel/context.ts";
import { roleGrants } from "../../../kernel/role-permissions.ts";
import { isOpenAt, type KnownTeam, membersOf } from "../../admin/public.ts";
import { answerPermission } from "./rules.ts";
import { type Load, loadsOf } from "./store.ts";

/** Members of a team who may answer here. */
export async function answeringMembers(ctx: WriteContext, team: KnownTeam): Promise<string[]> {
  const people = await membersOf(ctx, team.members);
  return team.members.filter((id) => {
    const role = people.get(id)?.role ?? null;
    return role !== null && roleGrants(role, answerPermission);
  });
}

/** To whom the service assigns a conversation that waits for a team. Null: members claim it, nobody may answer, or the team is closed. */
export async function chooseMember(ctx: WriteContext, team: KnownTeam): Promise<string | null> {
  if (team.assignment === "claim" || !isOpenAt(team.hours, ctx.now)) return null;
  const { organization, environment } = ctx.scope;
  // Two hand-overs at once count each other.
  const lock = `hand-overs ${organization} ${environment} ${team.name}`;
  await ctx.db.query("select pg_advisory_xact_lock(hashtextextended($1, 0))", [lock]);
  const members = await answeringMembers(ctx, team);
  if (members.length === 0) return null;
  const loads = await loadsOf(ctx, members);
  const loadOf = (member: string): Load => loads.get(member) ?? { member, open: 0, last: null };
  return chosen(members.map(loadOf), team.assignment);
}

const lastOf = ({ last }: Load): number => last?.getTime() ?? 0;

/** `round_robin`: who was assigned one longest ago; `least_loaded`: who has the fewest, then that. */
export function chosen(loads: readonly Load[], assignment: "round_robin" | "least_loaded"): string | null {
  const before = (a: Load, b: Load): boolean =>
    assignment === "least_loaded" && a.open !== b.open ? a.open < b.open : lastOf(a) < lastOf(b);
  const [first, ...others] = loads;
  if (!first) return null;
  return others.reduce((best, one) => (before(one, best) ? one : best), first).member;
}
