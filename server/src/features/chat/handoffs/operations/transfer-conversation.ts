import { all, select, sql } from "../../../../db/scoped.ts";
import type { WriteContext } from "../../../../kernel/context.ts";
import { refuse } from "../../../../kernel/errors.ts";
import { defineOperation, exempt, governs } from "../../../../kernel/operation.ts";
import type { Role } from "../../../../kernel/principal.ts";
import { conflict, invalidBody } from "../../../../kernel/problems.ts";
import { roleIncludes } from "../../../../kernel/role-permissions.ts";
import { memberRows } from "../../../admin/shared-rows.ts";
import { publishConversation } from "../../conversations/notices.ts";
import { aboutConversation, ConversationParams, conversationRead } from "../../conversations/operation-parts.ts";
import { findConversation } from "../../conversations/store.ts";
import { addWriters, writersOf } from "../../conversations/writers.ts";
import { conversationIsClosed } from "../../errors.ts";
import { exampleConversation } from "../../example.ts";
import { Conversation, TransferBody } from "../../schemas.ts";
import { lockOpenConversation } from "../../turns/control.ts";
import { changeConversation } from "../effects.ts";

export const transferConversation = defineOperation({
  id: "chat.transferConversation",
  method: "POST",
  path: "/v1/chat/conversations/{conversation}/transfer",
  summary: "Give a conversation another owner, user or channel",
  description:
    "The owner is on whose behalf the agent works. Replies go out by the new channel from the next one on; what was written stays.",
  params: ConversationParams,
  body: TransferBody,
  output: Conversation,
  example: {
    params: { conversation: exampleConversation.conversation_id },
    body: { user: "customer-4711" },
    output: exampleConversation,
  },
  permission: "chat:manage",
  load: (ctx, { conversation }) => findConversation(ctx, conversation),
  gate: exempt("passed at each message"),
  decides: "message",
  compliance: governs("chat.handoff", conversationRead),
  audit: aboutConversation,
  errors: [conversationIsClosed, conflict, invalidBody],
  async handle(ctx, { loaded, body }) {
    const row = await lockOpenConversation(ctx, loaded.id);
    const { owner, user = row.end_user, channel = row.channel, external_key = row.external_key } = body;
    if (owner !== undefined) await refuseOwner(ctx, owner);
    if (channel !== "api" && channel !== row.channel) await refuseChannel(ctx, channel);
    if (external_key !== null) await refuseTaken(ctx, row.id, channel, external_key);
    await changeConversation(ctx, row.id, {
      end_user: user,
      channel,
      external_key,
      ...(owner !== undefined && { principal: owner, key_id: null }),
    });
    if (body.user !== undefined) await addWriters(ctx, row.id, writersOf(ctx, row.id));
    return publishConversation(ctx, row.id);
  },
});

const fault = (pointer: string, code: string, detail: string) =>
  refuse(invalidBody, `${pointer} ${detail}`, { errors: [{ pointer, code, detail }] });

/** Nobody gives an agent more than they may do themselves. */
async function refuseOwner(ctx: WriteContext, owner: string): Promise<void> {
  const { environment } = ctx.scope;
  const query = select(ctx, memberRows, "m").select(sql<Role | null>`m.roles ->> ${environment}::text`.as("role"));
  const [member] = await all(ctx, query.where("m.id", "=", owner).where("m.removed_at", "is", null));
  const role = member?.role ?? null;
  if (role === null) throw fault("/owner", "unknown_member", `names ${owner}, who has no role in ${environment}`);
  if (ctx.principal.role === null || !roleIncludes(ctx.principal.role, role))
    throw fault("/owner", "may_do_more", `names ${owner}, who may do more here (${role}) than you`);
}

async function refuseChannel(ctx: WriteContext, channel: string): Promise<void> {
  const known = select(ctx, "chat_channels", "c").select("c.name").where("c.name", "=", channel);
  if ((await all(ctx, known)).length === 0)
    throw fault(
      "/channel",
      "unknown_channel",
      `names ${channel}, which is not connected; GET /v1/chat/channels lists them`,
    );
}

async function refuseTaken(ctx: WriteContext, id: string, channel: string, key: string): Promise<void> {
  const other = select(ctx, "chat_conversations", "c").select("c.id").where("c.channel", "=", channel);
  const [taken] = await all(ctx, other.where("c.external_key", "=", key).where("c.id", "!=", id));
  if (taken) throw refuse(conflict, `${taken.id} has the key ${key} in ${channel} already.`);
}
