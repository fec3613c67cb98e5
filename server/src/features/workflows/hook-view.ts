import type { CallContext } from "../../kernel/context.ts";
import type { HookRow } from "./hook-store.ts";
import type { Hook } from "./triggers-schemas.ts";

export function hookView(ctx: CallContext, row: HookRow): Hook {
  const untils = row.previous_untils.map((until) => until.getTime()).filter((until) => until > ctx.now);
  return {
    name: row.name,
    url: `${ctx.appUrl}/v1/hooks/${row.name}`,
    description: row.description,
    secret_overlap_until: untils.length === 0 ? null : new Date(Math.max(...untils)).toISOString(),
    created_by: row.author,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}
