import { refuse } from "../../../../kernel/errors.ts";
import { defineOperation, exempt, governs } from "../../../../kernel/operation.ts";
import { conflict, invalidBody } from "../../../../kernel/problems.ts";
import { parseJson } from "../../../../kernel/stored-json.ts";
import { feedbackFaults, feedbackView, loadJudged, lockTask, recordOutcome } from "../../../tasks/public.ts";
import { type FeedbackBody, TaskFeedback } from "../../../tasks/schemas.ts";
import { exampleMessage } from "../../example.ts";
import { ChatFeedbackBody } from "../../schemas.ts";
import { appendEvents } from "../event-store.ts";
import { messageView } from "../message-store.ts";
import { aboutMessage, conversationRead, type FoundMessage, loadMessage, MessageParams } from "../operation-parts.ts";
import { lockConversation } from "../store.ts";
import { endUserFeedbackFaults } from "../token-rules.ts";

export const rateMessage = defineOperation({
  id: "chat.rateMessage",
  method: "POST",
  path: "/v1/chat/conversations/{conversation}/messages/{message}/feedback",
  status: 201,
  summary: "Rate or correct a reply",
  description:
    "Says whether a reply of the agent helped, or what it should have been. It is feedback on the task that wrote the reply: evidence for trust, and an example to learn from. The latest word counts.",
  params: MessageParams,
  body: ChatFeedbackBody,
  output: TaskFeedback,
  example: {
    params: { conversation: exampleMessage.conversation_id, message: exampleMessage.message_id },
    body: { accepted: true },
    output: {
      feedback_id: exampleMessage.audit_ref,
      task_id: exampleMessage.task_id as string,
      accepted: true,
      rating: null,
      correction: null,
      comment: null,
      outcome: 1,
      counts_for_trust: true,
      counts_for_training: true,
      submitted_by: "mbr_01jd8x0000000000000000000e",
      submitted_at: "2026-11-23T09:01:00.000Z",
    },
  },
  permission: "chat:write",
  load: loadMessage,
  validate: (ctx, { body }) => endUserFeedbackFaults(ctx.principal, body),
  gate: exempt("speaks about work that is done, starts none"),
  decides: ["training", "rules"],
  compliance: governs("chat.change", (ctx, given: { loaded: FoundMessage }) => conversationRead(ctx, given)),
  audit: aboutMessage,
  errors: [conflict],
  async handle(ctx, { loaded, body }) {
    await lockConversation(ctx, loaded.id);
    const { message } = loaded;
    const locked = message.role === "agent" && message.task !== null ? await lockTask(ctx, message.task) : undefined;
    if (locked?.status !== "completed" && locked?.status !== "failed")
      throw refuse(conflict, "Only a reply of the agent that is complete, written here, can be rated.");
    const said = taskFeedback(body, locked.output);
    const judge = (await loadJudged(ctx, locked.id))?.judge ?? null;
    const errors = feedbackFaults(locked, judge, said);
    if (errors[0]) throw refuse(invalidBody, `${errors[0].pointer}: ${errors[0].detail}`, { errors });
    const { row, counts } = await recordOutcome(ctx, locked, said, "volunteered");
    await appendEvents(ctx, loaded.id, [{ type: "chat.message.changed", data: { message: messageView(message) } }]);
    return feedbackView(row, counts);
  },
});

/** A corrected text replaces that in the task's output. */
function taskFeedback({ correction, ...rest }: ChatFeedbackBody, output: string | null): FeedbackBody {
  if (correction === undefined) return rest;
  return { ...rest, correction: { [textMember(output)]: correction } };
}

function textMember(output: string | null): string {
  const value = output === null ? null : parseJson(output);
  const members = typeof value === "object" && value !== null ? Object.entries(value) : [];
  return members.find(([, text]) => typeof text === "string")?.[0] ?? "text";
}
