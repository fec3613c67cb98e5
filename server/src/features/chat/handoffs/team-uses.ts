import { all, select, sql } from "../../../db/scoped.ts";
import type { WriteContext } from "../../../kernel/context.ts";
import { agentsHandingTo } from "../../agents/public.ts";

/** Why a team cannot be removed: deployed agents hand conversations to it, or conversations have been. */
export async function usesOfTeam(ctx: WriteContext, team: string): Promise<string[]> {
  const waiting = select(ctx, "chat_conversations", "c")
    .select("c.id")
    .where("c.state", "=", "open")
    .where(sql<boolean>`c.handoff ->> 'team' = ${team}`)
    .orderBy("c.id")
    .limit(1);
  return [
    ...agentsHandingTo(ctx, team).map((agent) => `the agent ${agent} hands conversations to it`),
    ...(await all(ctx, waiting)).map(({ id }) => `the conversation ${id} was handed to it`),
  ];
}
