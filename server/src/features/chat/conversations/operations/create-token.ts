import { type ChatToken, sealChatToken } from "../../../../kernel/chat-token.ts";
import { refuse } from "../../../../kernel/errors.ts";
import { byBody } from "../../../../kernel/narrowing.ts";
import { defineOperation, exempt, governs } from "../../../../kernel/operation.ts";
import type { Principal } from "../../../../kernel/principal.ts";
import { insufficientScope } from "../../../../kernel/problems.ts";
import { agentSeen } from "../../../tasks/public.ts";
import { tokenNeedsKey } from "../../errors.ts";
import { exampleChatToken } from "../../example.ts";
import { CreateChatTokenBody, CreatedChatToken } from "../../schemas.ts";
import { mayAlso } from "../rules.ts";
import { agentsOfToken, checkConversation, tokenFaults, tokenTarget } from "../token-rules.ts";

export const createToken = defineOperation({
  id: "chat.createToken",
  method: "POST",
  path: "/v1/chat/tokens",
  status: 201,
  secret: "token",
  summary: "Create a token for a chat widget",
  description:
    "A token by which one user chats from a page, for a quarter of an hour by default. It opens the user's own conversations with the agent and nothing else, works only on pages of its origins, " +
    "and ends with the key that issued it. Your server asks for it once it knows who the user is, and hands the response to the widget.",
  body: CreateChatTokenBody,
  output: CreatedChatToken,
  example: {
    body: { agent: "support", user: "customer-4711", origins: exampleChatToken.origins },
    output: exampleChatToken,
  },
  permission: "chat:manage",
  load: exempt("names no object"),
  narrowing: byBody("the agent in the body, or the channel's", (ctx, { body }: { body: CreateChatTokenBody }) =>
    agentsOfToken(ctx, body),
  ),
  validate: (ctx, { body }) => tokenFaults(ctx, body),
  gate: exempt("makes no agent act"),
  decides: exempt("lets a user write; what they write counts as a message"),
  compliance: governs("chat.token", (ctx, { body }: { body: CreateChatTokenBody }) =>
    body.agent === undefined ? {} : { agent: agentSeen(ctx, body.agent) },
  ),
  audit: ({ output }) => (output ? `chat_token:${output.token_id}` : "chat_tokens"),
  errors: [tokenNeedsKey],
  async handle(ctx, { body }) {
    const { keyId } = ctx.principal;
    if (keyId === null) throw refuse(tokenNeedsKey, "This session was opened without a key, so no key could end it.");
    refuseMore(ctx.principal);
    const { agent, channel, origins } = await tokenTarget(ctx, body);
    await checkConversation(ctx, body, agent);
    const { user, conversation = null, lifetime_seconds: lifetime = 900 } = body;
    const id = ctx.newId("ctk");
    const expiresAt = ctx.now + lifetime * 1000;
    const holder = { token: id, user, agent, channel, conversation };
    const token: ChatToken = { ...holder, scope: ctx.scope, keyId, origins, expiresAt };
    return {
      token_id: id,
      token: sealChatToken(ctx.seals, token),
      agent,
      channel,
      user,
      conversation,
      origins: [...origins],
      expires_at: new Date(expiresAt).toISOString(),
      audit_ref: ctx.auditRef,
    };
  },
});

/** Nobody grants more than they have: a token's user reads and writes. */
function refuseMore(principal: Principal): void {
  const missing_scope = ["chat:read", "chat:write"].find((permission) => !mayAlso(principal, permission));
  if (missing_scope === undefined) return;
  throw refuse(insufficientScope, `A chat token reads and writes; the key that issues it needs ${missing_scope}.`, {
    stage: "permissions",
    members: { missing_scope },
  });
}
