import { defineInside, exempt, governs, type InsideOperation } from "../../../../kernel/operation.ts";
import type { RedactDemand } from "../../../../kernel/verdict.ts";
import { findKnownAgent } from "../../../agents/public.ts";
import { type ConversationRow, findConversation } from "../../conversations/store.ts";

export interface JudgeReply {
  readonly conversation: string;
  readonly task: string;
  readonly version: { readonly number: number; readonly id: string };
  readonly text: string;
}
type Given = { params: JudgeReply; query: undefined; body: undefined; loaded: ConversationRow };

/** Before anybody sees it. The text is not kept with the record: erasing the conversation erases it. */
export const judgeReply: InsideOperation<JudgeReply, { readonly redact: RedactDemand | null }> = defineInside({
  id: "chat.judgeReply",
  summary: "Let policies judge a reply",
  permission: exempt("a worker of the service itself"),
  load: (ctx, { conversation }: JudgeReply) => findConversation(ctx, conversation),
  gate: exempt("passed when the turn's task was started"),
  compliance: governs(
    "chat.reply",
    (ctx, { params: { version, text }, loaded: { agent } }: Given) => ({
      agent: { name: agent, labels: findKnownAgent(ctx, agent)?.labels ?? [] },
      version,
      skill: { name: "chat" },
      input: { text },
    }),
    { keepsInput: () => false },
  ),
  audit: ({ params: { conversation, task } }) => ({
    object: `conversation:${conversation}`,
    task,
    subject: conversation,
  }),
  handle: async (_ctx, { governed: { redact } }) => ({ redact }),
});
