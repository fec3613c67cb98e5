import { byBody } from "../../../../kernel/narrowing.ts";
import { defineOperation, exempt, governs } from "../../../../kernel/operation.ts";
import { agentNotDeployed } from "../../../tasks/public.ts";
import { externalKeyInUse } from "../../errors.ts";
import { conversationStarted } from "../../events.ts";
import { exampleConversation } from "../../example.ts";
import { Conversation, StartConversationBody } from "../../schemas.ts";
import { deployedAgent, startConversation as start, startFaults } from "../start.ts";
import { endUserStartFaults } from "../token-rules.ts";
import { seenBy, shownConversation } from "../view.ts";

export const startConversation = defineOperation({
  id: "chat.startConversation",
  method: "POST",
  path: "/v1/chat/conversations",
  status: 201,
  listed: true,
  summary: "Start a conversation",
  description:
    "Starts a conversation with an agent that is deployed here. Where `external_key` belongs to a conversation of the same agent and user already, that one is " +
    "returned unchanged. `history` is what was said elsewhere: the agent reads it as data.",
  body: StartConversationBody,
  output: Conversation,
  location: ({ conversation_id }) => `/v1/chat/conversations/${conversation_id}`,
  revision: ({ revision }) => revision,
  revisionOfPart: true,
  example: {
    body: { agent: "support", user: "customer-4711", language: "en", context: { order: "4711" } },
    output: exampleConversation,
  },
  permission: "chat:write",
  load: exempt("names no object; makes one"),
  narrowing: byBody("the agent in the body", (_ctx, { body }: { body: StartConversationBody }) => [body.agent]),
  validate: (ctx, { body }) => [...startFaults(ctx, body), ...endUserStartFaults(ctx.principal, body)],
  gate: exempt("starts no work; a message does"),
  decides: "message",
  compliance: governs("chat.create", (ctx, { body }: { body: StartConversationBody }) => {
    const { agent: name, labels, live } = deployedAgent(ctx, body.agent);
    return { agent: { name, labels }, version: { number: live.number, id: live.id } };
  }),
  audit: ({ output }) =>
    output ? { object: `conversation:${output.conversation_id}`, subject: output.conversation_id } : "conversations",
  emits: [conversationStarted],
  errors: [agentNotDeployed, externalKeyInUse],
  handle: async (ctx, { body }) => {
    const { user, channel } = ctx.principal.chat ?? { user: body.user, channel: "api" };
    const row = await start(ctx, { ...body, ...(user !== undefined && { user }) }, { channel });
    return seenBy(ctx.principal, await shownConversation(ctx, row));
  },
});
