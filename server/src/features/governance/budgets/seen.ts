import type { ReadContext } from "../../../kernel/context.ts";
import type { Budget } from "./schemas.ts";
import { seenBy } from "./scope.ts";
import { listLimits } from "./store.ts";
import { budgetView } from "./view.ts";

/** The budgets that the caller sees, at most 1,000, with what was used in their present windows. */
export async function budgetsSeen(ctx: ReadContext): Promise<Budget[]> {
  const rows = await listLimits(ctx, seenBy(ctx.principal), { after: undefined, take: 1_000 });
  return rows.map((limits) => budgetView(limits[0]?.scope ?? "", limits));
}
