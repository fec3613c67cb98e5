import { defineInside, exempt, type InsideOperation } from "../../../../kernel/operation.ts";
import { compactWhenLong } from "../../conversations/compaction.ts";
import { findConversation, lockConversation } from "../../conversations/store.ts";
import { messageCompleted } from "../../events.ts";
import { leaveLine } from "../control.ts";
import { nextTurn } from "../rules.ts";
import { settleTurns } from "../settle.ts";
import { findTurn } from "../store.ts";

export interface SettleTurn {
  readonly conversation: string;
  /** Null: any. */
  readonly task: string | null;
  readonly refused: { readonly turn: string; readonly code: string; readonly detail: string } | null;
}

export const settleTurn: InsideOperation<SettleTurn, { readonly next: string | null }> = defineInside({
  id: "chat.settleTurn",
  summary: "Settle the turns of a conversation",
  permission: exempt("a worker of the service itself"),
  load: (ctx, { conversation }: SettleTurn) => findConversation(ctx, conversation),
  gate: exempt("writes down what a task came to"),
  compliance: exempt("what a task says was judged when it was said"),
  audit: ({ params }) => ({
    object: `conversation:${params.conversation}`,
    subject: params.conversation,
    task: params.task,
  }),
  emits: [messageCompleted],
  async handle(ctx, { params }): Promise<{ readonly next: string | null }> {
    const row = await lockConversation(ctx, params.conversation);
    if (!row) return { next: null };
    if (params.refused) {
      const { turn: id, ...failure } = params.refused;
      const turn = await findTurn(ctx, id);
      if (turn?.state === "queued" && turn.task === null) await leaveLine(ctx, turn, { state: "blocked", failure });
    }
    const turns = await settleTurns(ctx, row, params.task);
    await compactWhenLong(ctx, row.id);
    if (row.handler === null && row.state === "open") return { next: nextTurn(turns)?.id ?? null };
    // A person answers now, or nobody: what waits in line is not answered by the agent.
    for (const turn of turns) if (turn.state === "queued" && turn.task === null) await leaveLine(ctx, turn);
    return { next: null };
  },
});
