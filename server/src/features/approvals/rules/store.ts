import { all, insert, type Row, select, sql } from "../../../db/scoped.ts";
import type { ReadContext, WriteContext } from "../../../kernel/context.ts";
import { refuse } from "../../../kernel/errors.ts";
import { conflict } from "../../../kernel/problems.ts";
import { teamRows } from "../../admin/shared-rows.ts";

export type VersionRow = Pick<Row<"approval_rule_versions">, "name" | "version" | "title" | "author" | "created_at">;

type Any = ReadContext | WriteContext;

export const tooManyRules = (): Error =>
  refuse(conflict, "There are 200 approval rules here, retired ones included, which is the most; change one of them.");

const mostVersions = 20;

/** The latest versions of rules, newest first. */
export async function versionsOf(ctx: Any, names: readonly string[]): Promise<VersionRow[]> {
  if (names.length === 0) return [];
  return ctx.db.query<VersionRow>(
    `select v.name, v.version, v.title, v.author, v.created_at from unnest($3::text[]) n(name)
     cross join lateral (select * from approval_rule_versions where organization = $1 and environment = $2 and name = n.name
       order by version desc limit $4) v order by v.name, v.version desc`,
    [ctx.scope.organization, ctx.scope.environment, names, mostVersions],
  );
}

export async function keepVersion(
  ctx: WriteContext,
  version: VersionRow & { readonly definition: string },
): Promise<void> {
  await all(ctx, insert(ctx, "approval_rule_versions", version));
}

/** Those of these teams that are there, and stay until the transaction has ended. */
export async function lockTeams(ctx: WriteContext, names: readonly string[]): Promise<ReadonlySet<string>> {
  if (names.length === 0) return new Set();
  const named = select(ctx, teamRows, "t")
    .select("t.name")
    .where(sql<boolean>`t.name = any(${[...new Set(names)]}::text[])`)
    .orderBy("t.name")
    .forShare();
  return new Set((await all(ctx, named)).map(({ name }) => name));
}

/** Why a team cannot be removed: approval rules in force ask it. Locks the team, so that no rule comes to ask it meanwhile. */
export async function rulesAsking(ctx: WriteContext, team: string): Promise<string[]> {
  await all(ctx, select(ctx, teamRows, "t").select("t.name").where("t.name", "=", team).forUpdate());
  const asking = select(ctx, "approval_rules", "r")
    .select("r.name")
    .where("r.retired_at", "is", null)
    .where(
      sql<boolean>`jsonb_path_exists(r.definition::jsonb, '$.require.stages[*].teams[*] ? (@ == $team)', jsonb_build_object('team', ${team}::text))`,
    )
    .orderBy("r.name")
    .limit(1);
  return (await all(ctx, asking)).map(({ name }) => `the approval rule ${name} asks it`);
}
