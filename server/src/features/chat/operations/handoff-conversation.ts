import { all, select } from "../../../db/scoped.ts";
import type { WriteContext } from "../../../kernel/context.ts";
import { refuse } from "../../../kernel/errors.ts";
import { byBody } from "../../../kernel/narrowing.ts";
import { defineOperation, exempt, governs } from "../../../kernel/operation.ts";
import { conflict, invalidBody } from "../../../kernel/problems.ts";
import { findKnownAgent } from "../../agents/public.ts";
import { taskCancelled } from "../../tasks/public.ts";
import { type ConversationRow, findConversation } from "../conversation-store.ts";
import { nobody } from "../conversation-writers.ts";
import { conversationIsClosed } from "../errors.ts";
import { handoffRequested, messageCompleted } from "../events.ts";
import { exampleConversation } from "../example.ts";
import { changeConversation, stopAnswers, told } from "../handoff.ts";
import { quotedSummary } from "../handoff-model.ts";
import { aboutConversation, ConversationParams, conversationRead } from "../list-store.ts";
import { listLatest, messageView } from "../message-store.ts";
import { Conversation, type Handoff, HandoffBody } from "../schemas.ts";
import { writeSummary } from "../summaries.ts";
import { endUserHandoffFaults } from "../token-model.ts";
import { seenBy } from "../token-view.ts";
import { addNotice, tellConversation } from "../told.ts";
import { lockOpenConversation } from "../turn-control.ts";

type Given = { readonly body: HandoffBody; readonly loaded: ConversationRow };

export const handoffConversation = defineOperation({
  id: "chat.handoffConversation",
  method: "POST",
  path: "/v1/chat/conversations/{conversation}/handoff",
  listed: true,
  summary: "Hand a conversation to a person or to another agent",
  description:
    "To a person: it waits, with a summary of what happened, until somebody takes it (`POST …/take`, or by answering); until then the agent goes on. " +
    "To another agent: that one answers from the next message on. `POST …/return` hands it back to the agent.",
  params: ConversationParams,
  body: HandoffBody,
  output: Conversation,
  example: {
    params: { conversation: exampleConversation.conversation_id },
    body: { to: "person", reason: "The customer asks for a person." },
    output: exampleConversation,
  },
  permission: "chat:write",
  load: (ctx, { conversation }) => findConversation(ctx, conversation),
  narrowing: byBody("the agent in the body, and that of the conversation", (_ctx, { body, loaded }: Given) =>
    body.agent === undefined ? [loaded.agent] : [loaded.agent, body.agent],
  ),
  validate: (ctx, { body }) => endUserHandoffFaults(ctx.principal, body),
  gate: exempt("passed at each message"),
  decides: "message",
  compliance: governs("chat.handoff", conversationRead),
  audit: aboutConversation,
  emits: [handoffRequested, messageCompleted, taskCancelled],
  errors: [conversationIsClosed, conflict, invalidBody],
  async handle(ctx, { loaded, body }) {
    await refuseUnknown(ctx, body);
    const row = await lockOpenConversation(ctx, loaded.id);
    if (ctx.principal.chat && row.handler !== null)
      throw refuse(conflict, "A person answers in this conversation already.");
    if ((body.running ?? "stop") === "stop") await stopAnswers(ctx, row, "The conversation was handed on.");
    await (body.to === "agent" ? toAgent(ctx, loaded, body) : toPerson(ctx, loaded, body));
    return seenBy(ctx.principal, await tellConversation(ctx, loaded.id));
  },
});

/** Whoever is named has to be there. */
async function refuseUnknown(ctx: WriteContext, { to, agent, member }: HandoffBody): Promise<void> {
  const fault = (pointer: string, code: string, detail: string) =>
    refuse(invalidBody, `${pointer} ${detail}`, { errors: [{ pointer, code, detail }] });
  if (to === "agent") {
    if (agent === undefined) throw fault("/agent", "required", "names the agent that takes over; give it");
    const known = findKnownAgent(ctx, agent);
    if (known?.live && !known.archived) return;
    throw fault("/agent", "unknown_agent", `names ${agent}, which is not deployed in ${ctx.scope.environment}`);
  }
  if (agent !== undefined) throw fault("/agent", "not_of_persons", "belongs to a hand-off to an agent; leave it out");
  if (member === undefined) return;
  const query = select(ctx, "members", "m").select("m.id").where("m.id", "=", member).where("m.kind", "=", "person");
  if ((await all(ctx, query.where("m.removed_at", "is", null))).length > 0) return;
  throw fault("/member", "unknown_member", `names ${member}, who is no member; GET /v1/admin/members lists them`);
}

async function toAgent(ctx: WriteContext, row: ConversationRow, { agent }: HandoffBody): Promise<void> {
  await changeConversation(ctx, row.id, {
    ...{ agent: agent as string, version_id: null, version_number: null, disclosed_at: null },
    ...{ handler: null, handler_since: null, handoff: null },
  });
  await addNotice(ctx, row.id, { code: "handoff", text: `${agent} answers from now on.`, writers: nobody });
}

async function toPerson(ctx: WriteContext, row: ConversationRow, { member, reason }: HandoffBody): Promise<void> {
  const handoff: Handoff = {
    ...{ to: "person", member: member ?? null, reason },
    ...{ summary: quotedSummary((await listLatest(ctx, row.id, 50)).map(messageView)), summary_generated: false },
    ...{ requested_by: ctx.principal.id, requested_at: new Date(ctx.now).toISOString(), taken_at: null },
  };
  await changeConversation(ctx, row.id, { handoff: JSON.stringify(handoff), handler: null, handler_since: null });
  await addNotice(ctx, row.id, { code: "handoff", text: "A person was asked to take over.", writers: nobody });
  ctx.emit(handoffRequested, told(row));
  ctx.enqueue(writeSummary(ctx.scope, row.id));
}
