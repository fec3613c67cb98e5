import type { WriteContext } from "../../../../kernel/context.ts";
import { refuse } from "../../../../kernel/errors.ts";
import { defineOperation, exempt, governs } from "../../../../kernel/operation.ts";
import { conflict, insufficientScope, invalidBody } from "../../../../kernel/problems.ts";
import { roleGrants } from "../../../../kernel/role-permissions.ts";
import { membersOf } from "../../../admin/public.ts";
import { publishConversation } from "../../conversations/notices.ts";
import { aboutConversation, ConversationParams, conversationRead } from "../../conversations/operation-parts.ts";
import { findConversation } from "../../conversations/store.ts";
import { conversationIsClosed } from "../../errors.ts";
import { handoffAssigned } from "../../events.ts";
import { exampleConversation } from "../../example.ts";
import { AssignBody, Conversation } from "../../schemas.ts";
import { lockOpenConversation } from "../../turns/control.ts";
import { changeConversation, eventSubject, refuseWhoMayNot } from "../effects.ts";
import { answerPermission, type StoredHandoff } from "../rules.ts";
import { changeHandovers } from "../store.ts";

export const assignConversation = defineOperation({
  id: "chat.assignConversation",
  method: "POST",
  path: "/v1/chat/conversations/{conversation}/assign",
  summary: "Assign a waiting conversation to a person, or release it",
  description:
    "Only that person takes it then. `member: null` releases it: who answered stops, and it waits where it waited, with its place in the queue. To take one yourself, `POST …/take`.",
  params: ConversationParams,
  body: AssignBody,
  output: Conversation,
  example: {
    params: { conversation: exampleConversation.conversation_id },
    body: { member: "mbr_01jd8x0000000000000000000e" },
    output: exampleConversation,
  },
  permission: "chat:answer",
  load: (ctx, { conversation }) => findConversation(ctx, conversation),
  gate: exempt("makes no agent act"),
  decides: exempt("gives no text"),
  compliance: governs("chat.handoff", conversationRead),
  audit: aboutConversation,
  emits: [handoffAssigned],
  errors: [conversationIsClosed, conflict, insufficientScope, invalidBody],
  async handle(ctx, { loaded, body: { member } }) {
    refuseWhoMayNot(ctx);
    const row = await lockOpenConversation(ctx, loaded.id);
    const handoff = row.handoff as StoredHandoff | null;
    if (handoff?.to !== "person")
      throw refuse(conflict, "Nobody was asked to take the conversation over; hand it over first (POST …/handoff).");
    if (member !== null) await refuseUnknown(ctx, member);
    const assigned = JSON.stringify({ ...handoff, member, taken_at: null });
    await changeConversation(ctx, row.id, { handler: null, handler_since: null, handoff: assigned });
    await changeHandovers(ctx, row.id, { member, assigned_at: new Date(ctx.now), taken_at: null });
    ctx.emit(handoffAssigned, { ...eventSubject(row), team: handoff.team ?? null, member });
    return publishConversation(ctx, row.id);
  },
});

async function refuseUnknown(ctx: WriteContext, member: string): Promise<void> {
  const role = (await membersOf(ctx, [member])).get(member)?.role ?? null;
  if (role !== null && roleGrants(role, answerPermission)) return;
  const detail = `names ${member}, who is no person here with the permission ${answerPermission}`;
  throw refuse(invalidBody, `/member ${detail}`, {
    errors: [{ pointer: "/member", code: "unknown_member", detail }],
  });
}
