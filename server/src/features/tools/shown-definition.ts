import type { ReadContext, WriteContext } from "../../kernel/context.ts";
import { refuse } from "../../kernel/errors.ts";
import { type AgentRow, findAskedVersion, findKnownAgent } from "../agents/public.ts";
import type { AgentDefinition } from "../agents/schemas.ts";
import { agentNotDeployed } from "../tasks/public.ts";

export interface ShownDefinition {
  readonly agent: Pick<AgentRow, "name" | "labels">;
  readonly definition: AgentDefinition;
  /** Null: the draft. */
  readonly version: { readonly id: string; readonly number: number } | null;
  /** Whether it is the one that is live here. */
  readonly live: boolean;
}

/** The draft of an agent, its live version, or one by number. Throws `agent_not_deployed` and `no_version`. */
export async function shownDefinition(
  ctx: ReadContext | WriteContext,
  row: AgentRow,
  which = "draft",
): Promise<ShownDefinition> {
  const agent = { name: row.name, labels: row.labels };
  if (which === "draft") return { agent, definition: row.draft, version: null, live: false };
  const live = findKnownAgent(ctx, row.name)?.live ?? null;
  if (which === "live") {
    if (!live) throw refuse(agentNotDeployed, `${row.name} is not deployed in ${ctx.scope.environment}.`);
    return { agent, definition: live.definition, version: live, live: true };
  }
  const { id, number, definition } = await findAskedVersion(ctx, row.name, Number(which));
  return { agent, definition, version: { id, number }, live: live?.id === id };
}
