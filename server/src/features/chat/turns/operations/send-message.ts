import type { WriteContext } from "../../../../kernel/context.ts";
import { defineOperation, governs } from "../../../../kernel/operation.ts";
import { conflict, insufficientScope, invalidBody } from "../../../../kernel/problems.ts";
import { agentNotDeployed, taskApprovalRequired, taskCancelled, taskCreated } from "../../../tasks/public.ts";
import { deliverReply } from "../../channels/delivery-store.ts";
import { postMessage, publishConversation } from "../../conversations/notices.ts";
import { ConversationParams } from "../../conversations/operation-parts.ts";
import { awaitReply, streamTurn } from "../../conversations/stream.ts";
import { seenBy } from "../../conversations/view.ts";
import { writersOf } from "../../conversations/writers.ts";
import { conversationBusy, conversationIsClosed } from "../../errors.ts";
import { handoffTaken, messageCompleted } from "../../events.ts";
import { exampleConversation, exampleSent } from "../../example.ts";
import { eventSubject, nameOf, takeOver } from "../../handoffs/effects.ts";
import { handingWithoutBudget } from "../../handoffs/limits.ts";
import { peopleAnswer } from "../../handoffs/rules.ts";
import { noteAnswer } from "../../handoffs/store.ts";
import { type Part, SendMessageBody, Sent } from "../../schemas.ts";
import { answeringOf } from "../answering.ts";
import { filesOf, lockOpenConversation } from "../control.ts";
import { sentOptionFaults } from "../options.ts";
import { loadSending, type Sending, sendAsUser, sendingFacts, sendingSpends, sentAt } from "../send.ts";

type Given = { readonly loaded: Sending; readonly body: SendMessageBody };

export const sendMessage = defineOperation({
  id: "chat.sendMessage",
  method: "POST",
  path: "/v1/chat/conversations/{conversation}/messages",
  status: 202,
  listed: true,
  summary: "Send a message",
  description:
    "Takes a message in and has it answered by the agent: the reply is a task, with policies, budget, approvals and audit record of its own. One message is answered at a time, in " +
    "their order; `when_busy` says what happens while another one is. Where the agent has asked something, the message is the answer; where a person answers, they read it. " +
    "With `Accept: text/event-stream` the answer tells the events of the reply until it is over or waits for people, and ends with `event: end`; with `Prefer: wait=n` it waits " +
    "up to n seconds for that, and `reply` has it.",
  params: ConversationParams,
  body: SendMessageBody,
  output: Sent,
  location: sentAt,
  waitable: true,
  streams: {
    "text/event-stream": (ctx, { loaded, output }) => streamTurn(ctx, loaded.conversation.id, output),
  },
  awaits: async (ctx, { loaded, output }) =>
    seenBy(ctx.principal, await awaitReply(ctx, loaded.conversation.id, output)),
  example: {
    params: { conversation: exampleConversation.conversation_id },
    body: { text: "Where is my order?" },
    output: exampleSent,
  },
  permission: "chat:write",
  load: (ctx, { conversation }) => loadSending(ctx, conversation),
  validate: (ctx, { loaded: { answering }, body }) => sentOptionFaults(ctx, body, answering?.definition ?? null),
  gate: (ctx, { loaded: { agent, conversation, answering }, body }: Given) =>
    peopleAnswer(conversation) || body.as === "person"
      ? []
      : { agent, versionId: answeringOf(ctx, agent, answering).version.id },
  decides: "message",
  compliance: governs("chat.message", (ctx, { loaded, body }: Given) => sendingFacts(ctx, loaded, body), {
    waits: true,
    inputOf: "task",
    readFacts: (_ctx, { loaded: { agent } }) => ({ agent: { name: agent, labels: [] } }),
    spends: sendingSpends,
    overBudget: (ctx, { loaded, body }: Given) =>
      body.as === "person" ||
      peopleAnswer(loaded.conversation) ||
      handingWithoutBudget(ctx, loaded.answering) !== undefined,
  }),
  audit: ({ params, output }) => ({
    object: `conversation:${params.conversation}`,
    subject: params.conversation,
    task: output?.task_id ?? null,
    trust: output?.trust_score ?? null,
  }),
  emits: [taskCreated, taskApprovalRequired, taskCancelled, messageCompleted, handoffTaken],
  errors: [agentNotDeployed, conversationIsClosed, conversationBusy, conflict, invalidBody, insufficientScope],
  handle: async (ctx, { loaded, body, facts, governed }) =>
    body.as === "person"
      ? answerAsPerson(ctx, loaded, body)
      : seenBy(ctx.principal, await sendAsUser(ctx, loaded, body, { turn: facts.turn, governed })),
});

async function answerAsPerson(ctx: WriteContext, { conversation }: Sending, body: SendMessageBody): Promise<Sent> {
  const { id, sequence } = await lockOpenConversation(ctx, conversation.id);
  const files = await filesOf(ctx, id, body.files);
  const message = await sendAsPerson(ctx, id, [{ type: "text", text: body.text }, ...files]);
  ctx.spent({ tasks: 0 });
  return {
    conversation_id: id,
    message_id: message.id,
    state: "with_person",
    turn_id: null,
    reply_id: null,
    task_id: null,
    reply: null,
    sequence,
    trust_score: null,
    audit_ref: ctx.auditRef,
  };
}

/** Takes the conversation over if no person has. */
async function sendAsPerson(ctx: WriteContext, conversation: string, parts: readonly Part[]) {
  const row = await lockOpenConversation(ctx, conversation);
  await takeOver(ctx, row);
  const message = await postMessage(ctx, conversation, {
    id: ctx.newId("msg"),
    role: "person",
    author: ctx.principal.id,
    author_name: await nameOf(ctx),
    status: "complete",
    parts,
    writers: writersOf(ctx, conversation),
  });
  await noteAnswer(ctx, conversation);
  await deliverReply(ctx, row, message);
  if (row.handler !== ctx.principal.id) await publishConversation(ctx, conversation);
  ctx.emit(messageCompleted, { ...eventSubject(row), message_id: message.id, role: "person" });
  return message;
}
