import { all, insert, rowsOf, select, sql } from "../../../db/scoped.ts";
import type { ReadContext, WriteContext } from "../../../kernel/context.ts";
import { lowestId } from "../../../kernel/ids.ts";
import { madeAt } from "../../../kernel/moment.ts";
import { participantOf } from "../../../kernel/principal.ts";
import { policyRows } from "../../governance/shared-rows.ts";

// Rules never make anybody accountable for a call (rule D of decision 0064). An approval shows which of them anybody changed shortly before.

export interface RuleChange {
  readonly object: string;
  /** A sentence without its subject and full stop. */
  readonly text: string;
  readonly by: { readonly id: string; readonly name: string; readonly kind: "person" | "service_account" | "system" };
  readonly at: string;
}

/** Writes down that the caller changed a rule; call it in the transaction that changes it. */
export async function noteRuleChange(ctx: WriteContext, object: string, text: string): Promise<void> {
  const { id, accountable } = participantOf(ctx.principal);
  const row = { id: ctx.newId("rch"), object, text, changed_by: id, accountable: [...accountable] };
  await all(ctx, insert(ctx, "rule_changes", row));
}

/**
 * The latest changes of rules of the environment, from a time until another (milliseconds since the epoch). A key that is narrowed to agents is shown nothing
 * that names others.
 */
export async function listRuleChanges(
  ctx: ReadContext | WriteContext,
  [from, until]: readonly [number, number],
  most: number,
): Promise<RuleChange[]> {
  const { agents } = ctx.principal;
  const rows = await all(
    ctx,
    select(ctx, "rule_changes", "r")
      .leftJoin(rowsOf(ctx, "members", "m"), "m.id", "r.changed_by")
      .select(["r.id", "r.object", "r.text", "r.changed_by", "m.name", "m.kind"])
      .where("r.id", ">=", lowestId("rch", from))
      .where("r.id", "<", lowestId("rch", until + 1))
      .$if(agents !== null, (q) => q.where(namesNoOthers(ctx)))
      .orderBy("r.id", "desc")
      .limit(most),
  );
  return rows.map(({ id, object, text, changed_by: by, name, kind }) => ({
    object,
    text,
    by: { id: by, name: name ?? by, kind: (kind as "person" | null) ?? "system" },
    at: madeAt(id),
  }));
}

/** Rules that the caller's narrowed key may read: those of its agents and of all, and of the policies those that it may list. */
function namesNoOthers(ctx: ReadContext | WriteContext) {
  const { id, keyId, agents } = ctx.principal;
  const own = (agents ?? []).flatMap((agent) => [`gate:${agent}`, `budget:agent:${agent}`]);
  const always = ["settings", "budget:environment", `budget:key:${keyId}`, `budget:member:${id}`, ...own];
  const named = sql`p.definition -> 'scope' -> 'agents'`;
  const ofOthers = select(ctx, policyRows, "p")
    .select(sql<string>`'policy:' || p.id`.as("object"))
    .where(sql<boolean>`${named} is not null and not exists (
      select from jsonb_array_elements_text(${named}) s(pattern), unnest(${agents}::text[]) a(name)
      where a.name like replace(replace(replace(s.pattern, '_', '\\_'), '*', '%'), '?', '_'))`);
  return sql<boolean>`(r.object = any(${always}::text[]) or r.object like 'kill_switch:%'
    or (r.object like 'policy:%' and r.object not in (${ofOthers})))`;
}
