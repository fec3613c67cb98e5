import { Type } from "typebox";
import { all, select, update } from "../../db/scoped.ts";
import type { WriteContext } from "../../kernel/context.ts";
import { type Refusal, refuse } from "../../kernel/errors.ts";
import { conflict, insufficientScope } from "../../kernel/problems.ts";
import { cancelOpenTask } from "../tasks/public.ts";
import { type ConversationRow, lockConversation } from "./conversation-store.ts";
import { handoffTaken } from "./events.ts";
import { answerPermission, mayAnswer } from "./handoff-model.ts";
import { ConversationId, type Handoff } from "./schemas.ts";
import { addNotice } from "./told.ts";

export const ConversationParams = Type.Object({ conversation: ConversationId });

/** What the record of a call about a conversation names: its messages are the data of its user. */
export const aboutConversation = ({ params }: { readonly params: { readonly conversation: string } }) => ({
  object: `conversation:${params.conversation}`,
  subject: params.conversation,
});

type Locked = NonNullable<Awaited<ReturnType<typeof lockConversation>>>;

/** The conversation, locked and open. */
export async function lockOpen(ctx: WriteContext, { id }: Pick<ConversationRow, "id">): Promise<Locked> {
  const row = await lockConversation(ctx, id);
  if (row?.state !== "open") throw refuse(conflict, "The conversation is closed; start another one, or fork this one.");
  return row;
}

export const changeConversation = (ctx: WriteContext, id: string, changes: Parameters<typeof set>[2]) =>
  set(ctx, id, changes);

const set = (
  ctx: WriteContext,
  id: string,
  changes: Partial<
    Pick<
      Locked,
      "agent" | "handler" | "handler_since" | "version_id" | "version_number" | "disclosed_at" | "end_user" | "channel"
    >
  > &
    Partial<Pick<Locked, "external_key" | "principal" | "key_id">> & { readonly handoff?: string | null },
) =>
  all(
    ctx,
    update(ctx, "chat_conversations")
      .set({ ...changes, updated_at: new Date(ctx.now) })
      .where("id", "=", id),
  );

/** Stops what the agent is answering, and takes messages that wait for their turn out of the line. */
export async function stopAnswers(ctx: WriteContext, conversation: string, reason: string): Promise<void> {
  const running = select(ctx, "chat_turns", "t").select("t.task").where("t.conversation", "=", conversation);
  for (const { task } of await all(ctx, running.where("t.state", "=", "running")))
    if (task !== null) await cancelOpenTask(ctx, task, reason);
  const queued = update(ctx, "chat_turns").set({ state: "stopped", finished_at: new Date(ctx.now) });
  await all(ctx, queued.where("conversation", "=", conversation).where("state", "=", "queued"));
}

/** The caller answers in the conversation from now on. Of several who try only the first does. */
export async function takeOver(ctx: WriteContext, row: Locked, running: "finish" | "stop" = "stop"): Promise<void> {
  refuseWhoMayNot(ctx);
  if (row.handler === ctx.principal.id) return;
  if (row.handler !== null) throw handledBy(row.handler);
  const handoff = row.handoff as Handoff | null;
  if (handoff?.member && handoff.member !== ctx.principal.id)
    throw refuse(conflict, `The conversation was handed to ${handoff.member}. Hand it to yourself first.`);
  if (running === "stop") await stopAnswers(ctx, row.id, "A person took the conversation over.");
  const at = new Date(ctx.now);
  const taken = handoff && JSON.stringify({ ...handoff, taken_at: at.toISOString() });
  await set(ctx, row.id, { handler: ctx.principal.id, handler_since: at, handoff: taken });
  await addNotice(ctx, row.id, "taken_over", `${await nameOf(ctx)} answers from now on.`);
  ctx.emit(handoffTaken, { ...told(row), member: ctx.principal.id });
}

export const told = ({ id, agent, channel }: Pick<Locked, "id" | "agent" | "channel">) => ({
  ...{ conversation_id: id, agent, channel },
});

export const handledBy = (member: string): Refusal =>
  refuse(conflict, `${member} answers in this conversation already; they can hand it back or on.`);

function refuseWhoMayNot(ctx: WriteContext): void {
  if (mayAnswer(ctx.principal)) return;
  const detail = `Answering as a person needs the permission ${answerPermission}, and a member: service accounts and widgets write as the user.`;
  throw refuse(insufficientScope, detail, { members: { missing_scope: answerPermission } });
}

/** The caller's name as people read it. */
export async function nameOf(ctx: WriteContext, id = ctx.principal.id): Promise<string> {
  const [row] = await all(ctx, select(ctx, "members", "m").select("m.name").where("m.id", "=", id));
  return row?.name ?? id;
}
